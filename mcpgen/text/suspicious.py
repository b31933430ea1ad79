"""Finds descriptions that read like instructions to the model (tool poisoning)."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

_MAX_CHARACTERS = 50_000

_ADDRESSED = (
    *("previous", "prior", "above", "earlier", "user", "you", "tool"),
    *("conversation", "history", "prompt"),
)
"""Words of which each instruction to the model has at least one; finding them is fast."""


class _Sign(Struct, frozen=True):
    pattern: str
    may_be_in: Callable[[str], bool]
    """Whether the pattern, which is slow to compile, needs to be searched for."""
    flags: re.RegexFlag = re.NOFLAG


def _may_instruct(text: str) -> bool:
    if not text.isascii():  # some letters count as others where case is ignored
        return True
    lower = text.lower()
    return any(word in lower for word in _ADDRESSED)


_SIGNS = {
    "an instruction tag": _Sign(
        r"(?:<[ \t]{0,4}/|(?<![/=:])<)[ \t]{0,4}"
        r"(?:important|system|secret|instructions?)[ \t]{0,4}>",
        lambda text: "<" in text,
        re.I,
    ),
    "an instruction to the model": _Sign(
        r"\b(?:ignore|disregard|forget)\s{1,4}(?:(?:all|any|the)\s{1,4}){0,3}"
        r"(?:previous|prior|above|earlier)\b"
        r"|\bdo\s{1,4}not\s{1,4}(?:tell|inform|mention|reveal|show)\b[^.\n]{0,40}\buser\b"
        r"|\bwithout\s{1,4}(?:asking|telling|informing)\s{1,4}the\s{1,4}user\b"
        r"|\byou\s{1,4}are\s{1,4}(?:an?|the)\s{1,4}(?:ai|assistant|language\s{1,4}model)\b"
        r"|\b(?:always|first|must)\s{1,4}call\s{1,4}this\s{1,4}tool\b"
        r"|\bbefore\s{1,4}(?:using|calling|invoking)\s{1,4}(?:this|any|other)\s{1,4}tools?\b"
        r"|\b(?:full|entire|whole)\s{1,4}system\s{1,4}prompt\b"
        r"|\b(?:add|append|attach|copy|fill|forward|give|includ|insert|pass|past|provid|put|send|shar"
        r"|submit|suppl|upload|writ)\w{0,4}\b[^.\n]{0,40}"
        r"\b(?:full|entire|whole)\s{1,4}(?:conversation|chat\s{1,4}history)\b",
        _may_instruct,
        re.I,
    ),
    "a path to secrets": _Sign(
        r"~/\.(?:ssh|aws|config|kube|cursor|netrc)\b(?!/[\w.-]{1,64}\.pub\b)"
        r"|\bid_rsa\b(?!\.pub\b)|/etc/passwd\b",
        lambda text: any(part in text for part in ("~/.", "id_rsa", "/etc/passwd")),
    ),
    "a long run of encoded text": _Sign(r"[A-Za-z0-9+/]{400}", lambda text: len(text) >= 400),
    "text below many empty lines": _Sign(
        r"(?:\n[ \t]{0,80}){20}", lambda text: text.count("\n") >= 20
    ),
}


def found_in(text: str) -> dict[str, str]:
    """Signs of attacks on the agent: each kind found in the text, with the first matching words."""
    looked_at = text[:_MAX_CHARACTERS]
    matches = {
        what: re.search(sign.pattern, looked_at, sign.flags)
        for what, sign in _SIGNS.items()
        if sign.may_be_in(looked_at)
    }
    return {what: " ".join(match[0].split())[:80] for what, match in matches.items() if match}
