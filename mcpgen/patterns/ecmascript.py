"""Tests whether ECMAScript compiles an expression with the flag `u` (ECMA-262, 22.2.1).

Clients compile the patterns of a tool in this way, and models' APIs refuse a whole request for one
that fails. The engines of Python, Java, .NET and Rust have syntax that ECMAScript lacks.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from .tokens import Token, tokens

_NAME = re.compile(r"\(\?<([A-Za-z_$][\w$]*)>")
_ESCAPE = re.compile(
    r"\\(?:[dDsSwWfnrtv]|0|c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}"
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
_LIMITS = re.compile(r"\{([0-9]+),([0-9]+)\}")


_NO = "is not a regular expression: "


class _Foreign(Exception):
    """A construct that ECMAScript does not have, described in words."""


def foreign(pattern: str) -> str:
    """The construct of an expression that ECMAScript cannot compile; empty if it compiles."""
    try:
        _check(pattern)
    except _Foreign as found:
        return str(found)
    return ""


def _check(pattern: str) -> None:
    """Check an expression from left to right; raises `_Foreign`."""
    parts = [*tokens(pattern)]
    names = _NAME.findall(pattern)
    if len(set(names)) < len(names):
        raise _Foreign(f"{_NO}two groups have the same name")
    groups = sum(each.text == "(" or each.kind == "named" for each in parts)
    open_: list[bool] = []
    """Whether each open group may be repeated."""
    repeatable, before = False, ""
    for each in parts:
        match each.kind:
            case "repeat":
                _check_repeat(each.text, repeatable, before)
            case "look" | "group" | "named" | "back":
                _check_group(each, pattern)
                open_.append(each.kind != "look")
            case "close" if not open_:
                raise _Foreign(f"{_NO}`)` closes a group that was not opened")
            case "escape" if not _is_boundary(each.text):
                _check_escape(each.text, groups, names)
            case "set":
                _check_set(each)
            case "char" if each.text in "]{}":
                raise _Foreign(f"has `{each.text}` without a backslash")
        repeatable = open_.pop() if each.kind == "close" else _is_atom(each)
        before = each.kind
    if open_:
        raise _Foreign(f"{_NO}a group is not closed")


def _is_atom(token: Token) -> bool:
    """Whether a token, other than a group, may be repeated."""
    if token.kind == "escape":
        return not _is_boundary(token.text)
    return token.kind == "set" or (token.kind == "char" and token.text not in "^$|")


def _is_boundary(escape: str) -> bool:
    return escape in (r"\b", r"\B")


def _check_repeat(text: str, repeatable: bool, before: str) -> None:
    if not repeatable and text[0] == "+" and before == "repeat":
        raise _Foreign("has a possessive quantifier, unknown to ECMAScript")
    if not repeatable:
        raise _Foreign(f"{_NO}`{text.removesuffix('?') or '?'}` repeats nothing")
    limits = _LIMITS.match(text)
    if limits and _size(limits[1]) > _size(limits[2]):
        raise _Foreign(f"{_NO}the limits of `{limits[0]}` are in the wrong order")


def _check_group(token: Token, pattern: str) -> None:
    start = pattern[token.end - len(token.text) :][:12]
    is_plain = token.kind == "look" or token.text == "(?:" or not start.startswith("(?")
    if not (is_plain or _NAME.fullmatch(token.text)):
        excerpt = re.split(r"[):<>=]", start)[0]
        raise _Foreign(f"begins a group with `{excerpt}`, unknown to ECMAScript")


def _check_escape(text: str, groups: int, names: Collection[str]) -> None:
    reference = _REFERENCE.fullmatch(text)
    if reference is None:
        _check_character(text)
        return
    number, name = reference.groups()
    if _size(number) > _size(str(groups)) if number else name not in names:
        raise _Foreign(f"refers with `{text}` to a group that is not there")


def _check_character(text: str) -> None:
    """Check an escape for a character or for a set of characters."""
    match = _PROPERTY.fullmatch(text)
    if match is not None:
        of = _SCRIPT if (match[1] or "").lower().startswith("sc") else _CATEGORY
        match = of.fullmatch(match[2])
    if match is None and not _ESCAPE.fullmatch(text):
        raise _Foreign(f"has `{text[:2]}`, unknown to ECMAScript")


def _check_set(token: Token) -> None:
    if not token.is_closed:
        raise _Foreign(f"{_NO}a class is not closed")
    before = ""
    """What may begin a range."""
    rest = list(token.members)
    while rest:
        if rest[:2] == ["&", "&"]:
            raise _Foreign("has `&&` in a class, which is Java's")
        is_range = before != "" and rest[0] == "-" and len(rest) > 1
        member = rest.pop(is_range)
        if member[0] == "\\" and member not in (r"\b", r"\-"):
            _check_character(member)
        if is_range:
            del rest[0]
            if not _is_one(before) or not _is_one(member) or _code(before) > _code(member):
                raise _Foreign(f"{_NO}a range in a class has wrong ends")
        before = "" if is_range else member


def _is_one(member: str) -> bool:
    """Whether a member of a set is a single character."""
    return member[0] != "\\" or member[1] not in "dDsSwWpP"


def _size(digits: str) -> tuple[int, str]:
    """A sort key for integers that are given as digits; Python parses at most 4,300 digits."""
    significant = digits.lstrip("0")
    return len(significant), significant


def _code(member: str) -> int:
    """The code point of a character in any spelling."""
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
