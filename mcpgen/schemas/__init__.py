"""JSON Schemas: what they say, and the schemas that a tool advertises."""

from .questions import (
    all_or_none,
    description,
    for_input,
    for_output,
    in_place,
    input_root,
    is_binary,
    is_plain_object,
    output_schema,
    properties,
    reachable,
    resolve,
    shortened,
    types_of,
    with_keywords,
)

__all__ = [
    "all_or_none",
    "description",
    "for_input",
    "for_output",
    "in_place",
    "input_root",
    "is_binary",
    "is_plain_object",
    "output_schema",
    "properties",
    "reachable",
    "resolve",
    "shortened",
    "types_of",
    "with_keywords",
]
