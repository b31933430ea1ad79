"""Whether ECMAScript compiles a regular expression with the flag `u` (ECMA-262, 22.2.1).

Clients compile the patterns of a tool so, and models' APIs refuse a whole request for one that
fails. The engines of Python, Java, .NET and Rust know more than ECMAScript, and other things.
"""

from __future__ import annotations

import re

_QUANTIFIER = re.compile(r"[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\}")
_LOOK = re.compile(r"\(\?<?[=!]")
_NAME = re.compile(r"\(\?<([A-Za-z_$][\w$]*)>")
_ESCAPE = re.compile(
    r"\\(?:[dDsSwWfnrtv]|0(?!\d)|c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}"
    r"|u\{0*(?:10|[0-9A-Fa-f])?[0-9A-Fa-f]{1,4}\}|[\^$\\.*+?()\[\]{}|/])"
)
_PROPERTY = re.compile(
    r"\\[pP]\{(?:(General_Category|gc|Script|sc|Script_Extensions|scx)=)?(\w+)\}"
)
_CATEGORY = re.compile(
    r"C[cfnos]?|L[Clmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?"
    r"|(?:Any|ASCII|Assigned|Letter|Lowercase_Letter|Uppercase_Letter|Titlecase_Letter"
    r"|Cased_Letter|Modifier_Letter|Other_Letter|Mark|Nonspacing_Mark|Number|Decimal_Number"
    r"|Letter_Number|Other_Number|Punctuation|Symbol|Separator|Space_Separator|Other|Control"
    r"|Alphabetic|Alpha|Lowercase|Lower|Uppercase|Upper|White_Space|space|Emoji|Emoji_Presentation"
    r"|Extended_Pictographic|Hex_Digit|Hex|ASCII_Hex_Digit|AHex|ID_Start|IDS|ID_Continue|IDC"
    r"|XID_Start|XIDS|XID_Continue|XIDC|Ideographic|Ideo|Math|Dash|Diacritic|Dia|Cased)"
)
_SCRIPT = re.compile(r"[A-Z][a-z]+(?:_[A-Z][a-z]+)*")
_REFERENCE = re.compile(r"\\(?:([1-9][0-9]*)|k<([^<>]*)>)")
_GROUP = re.compile(r"\((?!\?)|\(\?<(?![=!])")
_ATOM_OF_CLASS = re.compile(r"\\[b-]")


_NO = "is no regular expression: "


class _Foreign(Exception):
    """What ECMAScript does not have, in words."""


def foreign(pattern: str) -> str:
    """What an expression has that ECMAScript does not compile; empty where it compiles."""
    try:
        _Scanner(pattern).scan()
    except _Foreign as found:
        return str(found)
    return ""


class _Scanner:
    """Reads an expression from left to right; nesting is only counted."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[bool] = []
        """Whether each open group may be repeated."""
        self._groups = len(_GROUP.findall(re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", text)))
        self._names = _NAME.findall(text)

    def scan(self) -> None:
        """Read it all; raises `_Foreign`."""
        if len(set(self._names)) < len(self._names):
            raise _Foreign(f"{_NO}two groups have one name")
        repeatable = False
        while self._at < len(self._text):
            quantifier = _QUANTIFIER.match(self._text, self._at)
            if quantifier is not None:
                self._repeat(quantifier, repeatable)
                repeatable = False
            else:
                repeatable = self._term()
        if self._open:
            raise _Foreign(f"{_NO}a group is not closed")

    def _repeat(self, match: re.Match[str], repeatable: bool) -> None:
        least, comma, most = match.groups()
        if not repeatable:
            before = self._text[self._at - 1 : self._at]
            is_possessive = match[0] == "+" and before in ("*", "+", "?", "}") and before
            if is_possessive:
                raise _Foreign("has a possessive quantifier, which ECMAScript does not have")
            raise _Foreign(f"{_NO}`{match[0]}` repeats nothing")
        if comma and most and _size(least) > _size(most):
            raise _Foreign(f"{_NO}the limits of `{match[0]}` are in the wrong order")
        self._at = match.end()
        if self._text.startswith("?", self._at):
            self._at += 1

    def _term(self) -> bool:
        """Read what is no quantifier; whether it may be repeated."""
        char = self._text[self._at]
        if char == "(":
            return self._group()
        if char == ")":
            if not self._open:
                raise _Foreign(f"{_NO}a group is closed that is not open")
            self._at += 1
            return self._open.pop()
        if char == "[":
            return self._class()
        if char == "\\":
            return self._escape()
        if char in "]{}":
            raise _Foreign(f"has `{char}` without a backslash")
        self._at += 1
        return char not in "^$|"

    def _group(self) -> bool:
        start = self._at
        if look := _LOOK.match(self._text, start):
            self._at = look.end()
            self._open.append(False)
            return False
        match = _NAME.match(self._text, start)
        if match is not None:
            self._at = match.end()
        elif self._text.startswith("(?:", start):
            self._at += 3
        elif self._text.startswith("(?", start):
            excerpt = re.split(r"[):<>=]", self._text[start : start + 12])[0]
            raise _Foreign(f"begins a group with `{excerpt}`, which ECMAScript does not have")
        else:
            self._at += 1
        self._open.append(True)
        return False

    def _escape(self) -> bool:
        if self._text.startswith((r"\b", r"\B"), self._at):
            self._at += 2
            return False
        reference = _REFERENCE.match(self._text, self._at)
        if reference is None:
            self._character()
            return True
        number, name = reference.groups()
        if _size(number) > _size(str(self._groups)) if number else name not in self._names:
            raise _Foreign(f"refers with `{reference[0]}` to a group that is not there")
        self._at = reference.end()
        return True

    def _character(self) -> str:
        """Read an escape that stands for one character or for a set; the text of the first."""
        match = _ESCAPE.match(self._text, self._at)
        property_match = _PROPERTY.match(self._text, self._at)
        if property_match is not None:
            of = _SCRIPT if (property_match[1] or "").lower().startswith("sc") else _CATEGORY
            match = property_match if of.fullmatch(property_match[2]) else None
        if match is None:
            excerpt = self._text[self._at : self._at + 2]
            raise _Foreign(f"has `{excerpt}`, which ECMAScript does not have")
        self._at = match.end()
        is_set = match[0][1] in "dDsSwWpP"
        return "" if is_set else match[0]

    def _class(self) -> bool:
        self._at += 2 if self._text.startswith("[^", self._at) else 1
        before: str | None = None
        """What may begin a range: a character, or empty for a set."""
        while not self._text.startswith("]", self._at):
            if self._at >= len(self._text):
                raise _Foreign(f"{_NO}a class is not closed")
            if self._text.startswith("&&", self._at):
                raise _Foreign("has `&&` in a class, which is Java's")
            is_range = before is not None and self._is_range()
            self._at += is_range
            member = self._member()
            if is_range and (not before or not member or _code(before) > _code(member)):
                raise _Foreign(f"{_NO}a range in a class is none")
            before = None if is_range else member
        self._at += 1
        return True

    def _is_range(self) -> bool:
        return self._text.startswith("-", self._at) and self._text[
            self._at + 1 : self._at + 2
        ] not in ("]", "")

    def _member(self) -> str:
        if _ATOM_OF_CLASS.match(self._text, self._at):
            self._at += 2
            return self._text[self._at - 2 : self._at]
        if self._text[self._at] == "\\":
            return self._character()
        self._at += 1
        return self._text[self._at - 1]


def _size(digits: str) -> tuple[int, str]:
    """What orders whole numbers by their digits; Python reads no more than 4,300 of them."""
    significant = digits.lstrip("0")
    return len(significant), significant


def _code(member: str) -> int:
    """The number of a character as it is written."""
    if not member.startswith("\\"):
        return ord(member)
    rest = member[2:].strip("{}")
    if member[1] in "xu":
        return int(rest, 16)
    if member[1] == "c":
        return ord(rest) % 32
    return {"b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}.get(
        member[1], ord(member[1])
    )
