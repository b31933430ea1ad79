"""Arguments that are checked against an inputSchema."""

from typing import Any

import pytest

from mcpgen.runtime import ArgumentError
from mcpgen.runtime.schemas.validation import ArgumentValidator

PET = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 5},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 3},
        "owner": {"$ref": "#/$defs/Owner"},
    },
    "required": ["name"],
    "additionalProperties": False,
}
DEFS = {
    "Owner": {
        "type": "object",
        "properties": {
            "login": {"type": "string", "pattern": "^[a-z]+$"},
            "boss": {"$ref": "#/$defs/Owner"},
        },
        "additionalProperties": False,
    },
    "Named": {"required": ["name"]},
    "Cat": {
        "type": "object",
        "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
        "required": ["kind", "lives"],
    },
    "Dog": {
        "type": "object",
        "properties": {"kind": {"const": "dog"}, "bark": {"type": "string"}},
        "required": ["kind", "bark"],
    },
}


def validator(properties: dict[str, Any], **more: Any) -> ArgumentValidator:
    schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "$defs": DEFS,
    }
    return ArgumentValidator({**schema, **more})


def refusal(properties: dict[str, Any], arguments: dict[str, Any], **more: Any) -> str:
    with pytest.raises(ArgumentError) as caught:
        validator(properties, **more).check(arguments)
    return str(caught.value)


NULL, STRING, NUMBER = {"type": "null"}, {"type": "string"}, {"type": "number"}
BY_ID, BY_NAME = {"required": ["id"]}, {"allOf": [{"$ref": "#/$defs/Named"}]}
LIST, WORD = {"type": "array"}, {"enum": ["a"]}
CAT, DOG, OWNER = ({"$ref": f"#/$defs/{name}"} for name in ("Cat", "Dog", "Owner"))
