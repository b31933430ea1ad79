"""JSON Schemas: their rules, and the schemas that tools advertise."""

from .cut import size
from .directions import for_input, for_output, value_for_input
from .input_cut import shortened, with_gists
from .output_schema import output_schema
from .questions import (
    all_or_none,
    description,
    input_root,
    is_binary,
    is_encoded,
    is_plain_object,
    names_no_encoding,
    properties,
    reachable,
    resolve,
    with_keywords,
)
from .rules import in_place, types_of

__all__ = [
    "all_or_none",
    "description",
    "for_input",
    "for_output",
    "in_place",
    "input_root",
    "is_binary",
    "is_encoded",
    "is_plain_object",
    "names_no_encoding",
    "output_schema",
    "properties",
    "reachable",
    "resolve",
    "shortened",
    "size",
    "types_of",
    "value_for_input",
    "with_gists",
    "with_keywords",
]
