"""The function names inside operationIds that frameworks generate.

A framework adds to the function's name the path and method, the module, or the service. mcpgen
computes the same addition from the document, and removes it only where it matches exactly.
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
    """The facts about an operation from which its tool's name is chosen."""

    key: str
    """`METHOD /path`."""
    operation_id: str = ""
    chosen: str = ""
    """`x-mcp.name`: the name that a person wrote for the tool; it may have dots."""
    summary: str = ""
    tags: tuple[str, ...] = ()
    answers_as_grpc: bool = False
    """Its errors are a `google.rpc.Status`."""


def functions(candidates: Sequence[Candidate]) -> dict[str, str]:
    """The function name for each `METHOD /path` whose operationId a framework generated.

    Each operationId is judged without looking at others, so that no operation is renamed because of
    its neighbours.
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
    """The names by operation; words of the path are added to equal names to distinguish them.

    `list_orders` of `/v1/orders` and `/v1/customers/{id}/orders`: the second becomes
    `list_orders_customers`. Names whose paths do not differ in words stay as they are.
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
    """The number of leading words that all paths have in common."""
    columns = zip(*paths, strict=False)
    return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, columns))


def path_words(key: str) -> list[str]:
    """The segments of an operation's path that are no parameters, as words for a name."""
    segments = key.partition(" ")[2].split("/")
    return [_NO_WORD.sub("_", each) for each in segments if each and "{" not in each]


def _tells(name: str, operation: str) -> bool:
    """Whether a name is specific: it has several words, or a word of the path."""
    return len(_words(name)) > 1 or name.lower() in operation or operation.endswith(" /")


def _words(name: str) -> list[str]:
    return [word for word in _NEXT_WORD.sub("_", name).split("_") if word]


def _fastapi(candidate: Candidate) -> str:
    """The function name if FastAPI's `generate_unique_id` made the id: function, path, method."""
    method, _, path = candidate.key.partition(" ")
    ending = _NO_WORD.sub("_", f"{path}_{method.lower()}")
    name = candidate.operation_id.removesuffix(ending)
    return name if name != candidate.operation_id else ""


def _litestar(candidate: Candidate) -> str:
    """The function name if Litestar's `default_operation_id_creator` made the id: path, function.

    The words of the path appear once each. Functions in Python have lower-case names, so the id's
    `GetOrder` stands for `get_order`. A person may also have written the id by hand, as the only
    word of the path and a name. So if the path is a single word, the summary must be the function's
    name too, as Litestar writes it.
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
    """The function name, if Django Ninja made the operationId from module and function name.

    The operation's summary is the function's name in words, which shows where the module ends.
    """
    name = candidate.operation_id[-len(candidate.summary) :] if candidate.summary else ""
    module = candidate.operation_id.removesuffix(name)
    is_function = name.title().replace("_", " ") == candidate.summary
    return name if is_function and _MODULE.fullmatch(module) and len(_words(name)) > 1 else ""


def _grpc_gateway(candidate: Candidate) -> str:
    """The method name, if `protoc-gen-openapiv2` made the operationId: service, then method.

    The service is also a tag. Other tools put a controller before an action, as in `Place_Get`,
    where both words are useful.
    """
    for tag in candidate.tags:
        name = candidate.operation_id.removeprefix(f"{tag}_")
        is_service = candidate.answers_as_grpc or tag.endswith("Service")
        is_method = is_service and all(map(_CAPITALIZED.fullmatch, (tag, name)))
        if name != candidate.operation_id and is_method and _tells(name, candidate.key.lower()):
            return name
    return ""


def _connexion(candidate: Candidate) -> str:
    """The function name at the end of Connexion's dotted path: `api.controllers.pets.get_pets`."""
    module, _, name = candidate.operation_id.rpartition(".")
    is_path = _PYTHON.fullmatch(name) and all(map(_PYTHON.fullmatch, module.split(".")))
    return name if is_path and len(_words(name)) > 1 else ""


def _versioned(candidate: Candidate) -> str:
    """The name without the API's version at its start: `list_pets` for `api_v5_list_pets`."""
    start = _VERSION.match(candidate.operation_id)
    name = candidate.operation_id[start.end() :] if start is not None else ""
    return name if _tells(name, candidate.key.lower()) else ""
