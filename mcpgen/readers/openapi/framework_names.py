"""The names of functions in the operationIds that frameworks make of them.

A framework adds what it knows: path and method, module, service. That is made again from the
document, and taken off where it is there letter by letter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

_NO_WORD = re.compile(r"\W")
_LITESTAR_SIGNS = re.compile(r"[!#$%&'*+\-.^_`|~:]+")
_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MODULE = re.compile(r"\w+_\w+_")
_PYTHON = re.compile(r"[a-z_][a-z0-9_]*")
_VERSION = re.compile(r"(?:api_)?v[0-9]{1,2}(?:_[0-9]{1,2})?_(?=[A-Za-z])", re.IGNORECASE)
_METHODS = ("get", "put", "post", "patch", "delete", "head", "options")
_CAPITALIZED = re.compile(r"[A-Z][A-Za-z0-9]*")


class Candidate(Struct, frozen=True):
    """An operation's candidate for its tool's name."""

    key: str
    """`METHOD /path`."""
    operation_id: str = ""
    chosen: str = ""
    """`x-mcp.name`: what a person wrote for this purpose; may hold dots."""
    summary: str = ""
    tags: tuple[str, ...] = ()
    answers_as_grpc: bool = False
    """An error of it is a `google.rpc.Status`."""


def functions(candidates: Sequence[Candidate]) -> dict[str, str]:
    """The function's name for each `METHOD /path` whose operationId a framework made of it.

    Each is known by its own form alone, so that no operation gets another name by its neighbours.
    """
    names: dict[str, str] = {}
    for each in candidates:
        readers = (_fastapi, _litestar, _django_ninja, _grpc_gateway, _connexion, _versioned)
        name = next(filter(None, (read(each) for read in readers)), "")
        words = path_words(each.key)
        if name in _METHODS and words:
            name = f"{name}_{words[-1]}"
        if name:
            names[each.key] = name
    return names


def apart(names: Mapping[str, str]) -> dict[str, str]:
    """The names by operation; equal ones are extended by the words in which their paths differ.

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
    """The number of words at the start that all paths share."""
    columns = zip(*paths, strict=False)
    return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, columns))


def path_words(key: str) -> list[str]:
    """The fixed segments of an operation's path, in the characters of names."""
    segments = key.partition(" ")[2].split("/")
    return [_NO_WORD.sub("_", each) for each in segments if each and "{" not in each]


def _tells(name: str, operation: str) -> bool:
    """Whether a name is specific: it has several words, or one of the path."""
    return len(_words(name)) > 1 or name.lower() in operation or operation.endswith(" /")


def _words(name: str) -> list[str]:
    return [word for word in _NEXT_WORD.sub("_", name).split("_") if word]


def _fastapi(candidate: Candidate) -> str:
    """`generate_unique_id`: function, path and method, with `_` for what is in no word."""
    method, _, path = candidate.key.partition(" ")
    ending = _NO_WORD.sub("_", f"{path}_{method.lower()}")
    name = candidate.operation_id.removesuffix(ending)
    return name if name != candidate.operation_id else ""


def _litestar(candidate: Candidate) -> str:
    """`default_operation_id_creator`: the path's words once each, then the function, capitalized.

    Python's functions are called in lower case: `GetOrder` was `get_order`. A person may write one
    word of the path before a name: then the summary says the function too, as Litestar writes it.
    """
    words = ""
    parts = [part for part in candidate.key.partition(" ")[2].split("/") if part]
    for part in parts:
        word = part.strip("{}").title()
        words += "" if word in words else word
    beginning = _LITESTAR_SIGNS.sub("", words)
    name = candidate.operation_id.removeprefix(beginning)
    if not candidate.operation_id.startswith(beginning) or not _CAPITALIZED.fullmatch(name):
        return ""
    function = "_".join(_words(name)).lower()
    is_own = len(parts) > 1 or function.title().replace("_", " ") == candidate.summary
    return function if is_own and _tells(function, candidate.key.lower()) else ""


def _django_ninja(candidate: Candidate) -> str:
    """`get_openapi_operation_id`: the module, dots as `_`, and the function.

    Its summary is the function's name in words, which tells the two apart.
    """
    name = candidate.operation_id[-len(candidate.summary) :] if candidate.summary else ""
    module = candidate.operation_id.removesuffix(name)
    is_function = name.title().replace("_", " ") == candidate.summary
    return name if is_function and _MODULE.fullmatch(module) and len(_words(name)) > 1 else ""


def _grpc_gateway(candidate: Candidate) -> str:
    """`protoc-gen-openapiv2`: the service, which is the tag too, and the method.

    Others put a controller before an action, as `Place_Get`, where both words tell something.
    """
    for tag in candidate.tags:
        name = candidate.operation_id.removeprefix(f"{tag}_")
        is_service = candidate.answers_as_grpc or tag.endswith("Service")
        is_method = is_service and all(map(_CAPITALIZED.fullmatch, (tag, name)))
        if name != candidate.operation_id and is_method and _tells(name, candidate.key.lower()):
            return name
    return ""


def _connexion(candidate: Candidate) -> str:
    """Connexion's path of a Python function: `api.controllers.pets.get_pets`."""
    module, _, name = candidate.operation_id.rpartition(".")
    is_path = _PYTHON.fullmatch(name) and all(map(_PYTHON.fullmatch, module.split(".")))
    return name if is_path and len(_words(name)) > 1 else ""


def _versioned(candidate: Candidate) -> str:
    """The version of the API and the name, as `api_v5_list_pets`."""
    start = _VERSION.match(candidate.operation_id)
    name = candidate.operation_id[start.end() :] if start is not None else ""
    return name if _tells(name, candidate.key.lower()) else ""
