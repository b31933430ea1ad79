"""Regular expressions as ECMA-262 reads them with the `u` flag, which is how clients compile them.

Without the flag, and in other dialects, more is allowed: needless escapes, braces and brackets that
stand for themselves, ranges that end in a set, other names for sets and the text's ends, and other
words for named groups.
"""

from __future__ import annotations

import re
import string

_ESCAPE = r"\\(?:[pP][A-Z]|[pPux]\{[^{}]*\}|k<[^<>]*>|c[A-Za-z]|.)"
_POSIX = r"\[:[a-z]+:\]"
_ITEM = re.compile(
    rf"\(\?P<|\(\?P=\w+\)|{_ESCAPE}"
    rf"|\[\^?(?:\\.|{_POSIX}|[^\]\\])*\]?|\{{\d+(?:,\d*)?\}}|.",
    re.DOTALL,
)
_MEMBER = re.compile(rf"{_ESCAPE}|{_POSIX}|.", re.DOTALL)
_SET = re.compile(r"\\[dDwWsSpP]|\[:")
_POSIX_SETS = {
    "[:alnum:]": "0-9A-Za-z",
    "[:alpha:]": "A-Za-z",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": r"\t-\r ",
    "[:upper:]": "A-Z",
    "[:word:]": r"\w",
    "[:xdigit:]": "0-9A-Fa-f",
}
_ANCHORS = {r"\A": "^", r"\Z": "$", r"\z": "$"}
"""What Ruby, Python and Perl write where the text begins and ends."""
_NEEDLESS = frozenset(string.punctuation + " ") - frozenset(r"^$\.*+?()[]{}|/")
"""What stands for itself, and may not be escaped."""


def strict(pattern: str) -> str:
    """The same expression without what only lenient engines read; what is strict stays as it is."""
    return "".join(_item(match[0]) for match in _ITEM.finditer(pattern))


def _item(text: str) -> str:
    if text in _ANCHORS:
        return _ANCHORS[text]
    if text[0] == "\\":
        return text[1] if text[1:] in _NEEDLESS else _braced(text)
    if text.startswith("(?P"):
        return "(?<" if text == "(?P<" else rf"\k<{text[4:-1]}>"
    if text[0] == "[" and len(text) > 1:
        return _class(text)
    return f"\\{text}" if text in ("{", "}", "]") else text


def _braced(escape: str) -> str:
    """`\\pL` as `\\p{L}`, as ECMAScript has it."""
    is_property = len(escape) == 3 and escape[1] in "pP"
    return f"{escape[:2]}{{{escape[2]}}}" if is_property else escape


def _class(text: str) -> str:
    """A character class, from its opening bracket to the closing one where there is one."""
    start = 2 if text.startswith("[^") else 1
    end = len(text) - text.endswith("]")
    members = _MEMBER.findall(text, start, end)
    out = [text[:start]]
    for at, member in enumerate(members):
        if member == "-" and 0 < at < len(members) - 1:
            beside_set = _SET.match(members[at - 1]) or _SET.match(members[at + 1])
            out.append(r"\-" if beside_set else member)
        elif member in _POSIX_SETS:
            out.append(_POSIX_SETS[member])
        elif member[0] == "\\" and member[1:] in _NEEDLESS - {"-"}:
            out.append(member[1])
        else:
            out.append(_braced(member))
    return "".join(out) + text[end:]
