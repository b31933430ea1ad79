"""The names of tools: each is made from its operation, and then made unique."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...hashes import NAME_LENGTH, cut, folded, with_hash
from ...text.words import ascii_text
from .agent_text import APOSTROPHE
from .framework_names import Candidate, apart, functions, path_words

_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_OTHER_WITH_DOTS = re.compile(r"[^A-Za-z0-9_.-]+")
_CONTRACTED = re.compile(
    "(?<=[^\\W\\d_])['\u2019](?=(?:[smtd]|re|ve|ll)(?![^\\W\\d_]))", re.IGNORECASE
)
"""The apostrophe of `Pet's` and `don't` joins two parts; that of `l'utente` separates two words."""
_MADE_UP = re.compile(
    r"[0-9a-f]{24}|(?:[0-9a-f]{8}){4,5}|[0-9a-f]{64}"
    r"|[0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[\W\d_]+"
    r"|(?:get|put|post|patch|delete|head|options)(?:[-_]?\d+)?",
    re.IGNORECASE,
)
"""IDs that generators invent for operations: a hash, a key, a UUID, a number, a method."""


class _Proposal(Struct, frozen=True):
    """The proposed name for an operation, which may not be unique yet."""

    key: str
    name: str
    lossy: bool
    """The name differs from the document's own spelling."""


def assign(candidates: Sequence[Candidate], kept_names: Mapping[str, str]) -> dict[str, str]:
    """A unique tool name for each `METHOD /path`; names in the lock are kept if still valid."""
    own = [c for c in candidates if not c.chosen]
    short = functions(own)
    short = {k: _from_lock(short[k], k, kept_names) or name for k, name in apart(short).items()}
    ids = Counter(i for c in own for i in {c.operation_id, short.get(c.key, c.operation_id)})
    proposals = [_propose(c, ids, short.get(c.key, ""), kept_names) for c in candidates]
    groups: dict[str, list[_Proposal]] = defaultdict(list)
    for proposal in proposals:
        groups[folded(proposal.name)].append(proposal)
    keepers = {key for group in groups.values() for key in _keepers(group, kept_names)}
    names: dict[str, str] = {}
    used: set[str] = set()
    merged: set[str] = set()
    for proposal in sorted(proposals, key=lambda p: (p.key not in keepers, p.key)):
        keeps = proposal.key in keepers and not _is_hashed(proposal, kept_names)
        name = proposal.name if keeps else _hashed(proposal.name, proposal.key, kept_names)
        while name in used or (not keeps and folded(name) in merged):
            name = with_hash(proposal.name, f"{proposal.key} {name}")
        used.add(name)
        merged.add(folded(name))
        names[proposal.key] = name
    return names


def from_path(key: str, kept_names: Mapping[str, str]) -> str:
    """The name made of method and path: `GET /pets/{id}` becomes `get_pets_id`."""
    method, _, path = key.partition(" ")
    words = f"{method.lower()} {path}" if path.strip("/") else f"{method.lower()}_root"
    return _spelled(words, _OTHER, key, kept_names)


def is_no_name(operation_id: str, key: str) -> bool:
    """Whether an operationId is useless as a name: it contains the path, or is a hash or number."""
    path = key.partition(" ")[2]
    return (len(path) > 1 and path in operation_id) or bool(_MADE_UP.fullmatch(operation_id))


def _propose(
    candidate: Candidate, ids: Counter[str], function: str, kept_names: Mapping[str, str]
) -> _Proposal:
    """Propose a tool name, made from the chosen name, operationId, `function` or path."""
    key, base = candidate.key, candidate.chosen or candidate.operation_id
    other = _OTHER_WITH_DOTS if candidate.chosen else _OTHER
    name = _spelled(base, other, key, kept_names)
    if name and (candidate.chosen or _has(name, key, kept_names)):
        return _bounded(key, name, kept_names, lossy=name != base)
    by_path = from_path(key, kept_names)
    if not name or ids[base] > 1 or _has(by_path, key, kept_names) or is_no_name(base, key):
        return _bounded(key, by_path, kept_names, lossy=True)
    short = _spelled(function, other, key, kept_names)
    if short and (
        _has(short, key, kept_names) or (ids[function] == 1 and not is_no_name(short, key))
    ):
        name = short
    return _bounded(key, name, kept_names, lossy=name != base)


def _has(name: str, key: str, kept_names: Mapping[str, str]) -> bool:
    """Whether the lock has this name for the operation, with or without a hash."""
    return kept_names.get(key) in (name, with_hash(name, key), cut(name, key))


def _from_lock(function: str, key: str, kept_names: Mapping[str, str]) -> str:
    """The name in the lock if it is `function`, alone or plus words of the path; else empty."""
    if _has(function, key, kept_names):
        return function
    name = kept_names.get(key, "")
    words = f"{name.removeprefix(function)}_"
    return name if words in f"_{'_'.join(path_words(key))}_" and words != f"{name}_" else ""


def _is_hashed(proposal: _Proposal, kept_names: Mapping[str, str]) -> bool:
    """Whether the operation's name in the lock is the proposed name with a hash."""
    there = kept_names.get(proposal.key, proposal.name)
    return there != proposal.name and there == _hashed(proposal.name, proposal.key, kept_names)


def _hashed(name: str, key: str, kept_names: Mapping[str, str]) -> str:
    """The name with a hash of its operation, shortened if it is too long.

    `cut` drops words in the middle of a long name. If the lock has the name cut at its end, it
    stays so.
    """
    before = with_hash(name, key)
    return before if kept_names.get(key) == before else cut(name, key)


def _bounded(key: str, name: str, kept_names: Mapping[str, str], *, lossy: bool) -> _Proposal:
    if len(name) <= NAME_LENGTH:
        return _Proposal(key, name, lossy)
    return _Proposal(key, _hashed(name, key, kept_names), lossy=True)


def _keepers(group: Sequence[_Proposal], kept_names: Mapping[str, str]) -> set[str]:
    """The operations of a group with equal names that keep the name without a hash.

    These are the operations that have the name in the lock; if there are none, the one with exactly
    that operationId; else the first.
    """
    first = min(group, key=lambda p: (kept_names.get(p.key) != p.name, p.lossy, p.key))
    kept = {p.name: p.key for p in group if kept_names.get(p.key) == p.name}
    return {first.key, *kept.values()} if first.name not in kept else {*kept.values()}


def _spelled(text: str, other: re.Pattern[str], key: str, kept_names: Mapping[str, str]) -> str:
    """The text in characters that names allow: `é` becomes `e`, and `Pet's` becomes `Pets`.

    If the lock has the name as an older version of mcpgen spelled it, that spelling is kept.
    """
    if text.isascii() and "'" not in text:
        return _sanitize(text, other)
    whole = unicodedata.normalize("NFC", text)
    spellings = (
        text,
        _without_accents(whole),
        _without_accents(APOSTROPHE.sub("", whole)),
        _without_accents(_CONTRACTED.sub("", whole)),
    )
    *before, now = (_sanitize(each, other) for each in spellings)
    return next((name for name in before if _has(name, key, kept_names)), now)


def _without_accents(text: str) -> str:
    return "".join(ascii_text(char) if char.isalpha() else char for char in text)


def _sanitize(text: str, other: re.Pattern[str]) -> str:
    cleaned = other.sub("_", text)
    if cleaned == text:
        return text
    return cleaned.strip("_") if text.strip("_") else ""
