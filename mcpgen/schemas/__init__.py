"""JSON Schemas: what they say, and the schemas that a tool advertises."""

from .questions import (
    for_input,
    for_output,
    input_root,
    is_binary,
    is_plain_object,
    output_schema,
    properties,
    reachable,
    resolve,
    types_of,
)

__all__ = [
    "for_input",
    "for_output",
    "input_root",
    "is_binary",
    "is_plain_object",
    "output_schema",
    "properties",
    "reachable",
    "resolve",
    "types_of",
]
