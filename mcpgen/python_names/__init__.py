"""Every Python identifier of a generated server, and the names of its environment variables."""

from .identifiers import (
    RESERVED_ARGUMENTS,
    RESERVED_CLASSES,
    RESERVED_FUNCTIONS,
    ApiNames,
    KnownNames,
    Names,
    decide,
    function,
    modules,
    with_classes,
)
from .offer_names import completion
from .server_name import server_name

__all__ = [
    "RESERVED_ARGUMENTS",
    "RESERVED_CLASSES",
    "RESERVED_FUNCTIONS",
    "ApiNames",
    "KnownNames",
    "Names",
    "completion",
    "decide",
    "function",
    "modules",
    "server_name",
    "with_classes",
]
