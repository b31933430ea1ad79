"""The names of functions in the operationIds that frameworks make of them.

A framework adds what it knows: path and method, module, service. That is made again from the
document, and taken off where it is there letter by letter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

_NO_WORD = re.compile(r"\W")
_LITESTAR_SIGNS = re.compile(r"[!#$%&'*+\-.^_`|~:]+")
_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CAPITALIZED = re.compile(r"[A-Z][A-Za-z0-9]*")


class Candidate(Struct, frozen=True):
    """What an operation offers for its tool's name."""

    key: str
    """`METHOD /path`."""
    operation_id: str = ""
    chosen: str = ""
    """`x-mcp.name`: what a person wrote for this purpose; may hold dots."""
    summary: str = ""
    tags: tuple[str, ...] = ()


def functions(candidates: Sequence[Candidate]) -> dict[str, str]:
    """The function's name for each `METHOD /path` whose operationId a framework made of it.

    FastAPI's ending has path and method, which no person writes. The beginnings of the others could
    be a person's: they count where most operations of the document have one.
    """
    candidates = [each for each in candidates if each.operation_id]
    names = _fastapi(candidates)
    for read in (_litestar, _django_ninja, _grpc_gateway):
        others = read(candidates)
        if 2 * len(others) > len(candidates):
            names |= {key: name for key, name in others.items() if _tells(name, key.lower())}
    return names


def apart(names: Mapping[str, str]) -> dict[str, str]:
    """The names by operation, those that several have with the words in which their paths differ.

    `list_orders` of `/v1/orders` and `/v1/customers/{id}/orders`: the second is
    `list_orders_customers`. Those of paths without such words stay as they are.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for key, name in names.items():
        groups[name].append(key)
    distinct = dict(names)
    for name, keys in groups.items():
        paths = [path_words(key) for key in keys]
        start = _shared(paths)
        paths = [words[start:] for words in paths]
        end = _shared([words[::-1] for words in paths])
        longer = ["_".join([name, *words[: len(words) - end]]) for words in paths]
        if len(set(longer)) == len(longer):
            distinct.update(zip(keys, longer, strict=True))
    return distinct


def _shared(paths: Sequence[Sequence[str]]) -> int:
    """How many words all paths begin with."""
    columns = zip(*paths, strict=False)
    return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, columns))


def path_words(key: str) -> list[str]:
    """The fixed segments of an operation's path, in the characters of names."""
    segments = key.partition(" ")[2].split("/")
    return [_NO_WORD.sub("_", each) for each in segments if each and "{" not in each]


def _tells(name: str, operation: str) -> bool:
    """Whether a name says what it is about: it has several words, or one that is in the path."""
    return len(_words(name)) > 1 or name.lower() in operation or operation.endswith(" /")


def _words(name: str) -> list[str]:
    return [word for word in _NEXT_WORD.sub("_", name).split("_") if word]


def _fastapi(candidates: Iterable[Candidate]) -> dict[str, str]:
    """`generate_unique_id`: function, path and method, with `_` for what is in no word."""
    names = {}
    for each in candidates:
        method, _, path = each.key.partition(" ")
        ending = _NO_WORD.sub("_", f"{path}_{method.lower()}")
        name = each.operation_id.removesuffix(ending)
        if name and name != each.operation_id:
            names[each.key] = name
    return names


def _litestar(candidates: Iterable[Candidate]) -> dict[str, str]:
    """`default_operation_id_creator`: the path's words once each, then the function, capitalized.

    Python's functions are called in lower case: `GetOrder` was `get_order`.
    """
    names = {}
    for each in candidates:
        words = ""
        for part in filter(None, each.key.partition(" ")[2].split("/")):
            word = part.strip("{}").title()
            words += "" if word in words else word
        beginning = _LITESTAR_SIGNS.sub("", words)
        name = each.operation_id.removeprefix(beginning)
        if each.operation_id.startswith(beginning) and _CAPITALIZED.fullmatch(name):
            names[each.key] = "_".join(_words(name)).lower()
    return names


def _django_ninja(candidates: Sequence[Candidate]) -> dict[str, str]:
    """`get_openapi_operation_id`: the module, dots as `_`, and the function.

    Its summary is the function's name in words, which tells the two apart. What is a module for one
    operation is one for those that have summaries of their own.
    """
    modules: set[str] = set()
    for each in candidates:
        name = each.operation_id[-len(each.summary) :] if each.summary else ""
        module = each.operation_id.removesuffix(name)
        if name.title().replace("_", " ") == each.summary and re.fullmatch(r"\w+_\w+_", module):
            modules.add(module)
    names = {}
    for each in candidates:
        module = max(filter(each.operation_id.startswith, modules), key=len, default="")
        if module and (name := each.operation_id.removeprefix(module)):
            names[each.key] = name
    return names


def _grpc_gateway(candidates: Iterable[Candidate]) -> dict[str, str]:
    """`protoc-gen-openapiv2`: the service, which is the tag too, and the method."""
    names = {}
    for each in candidates:
        for tag in each.tags:
            name = each.operation_id.removeprefix(f"{tag}_")
            if name != each.operation_id and all(map(_CAPITALIZED.fullmatch, (tag, name))):
                names[each.key] = name
    return names
