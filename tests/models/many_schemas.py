"""A document of many schemas, and the models that are made of it."""

from api_building import decide, reading, ref

from mcpgen.api import Schema
from mcpgen.models import generate


def many(count: int) -> dict[str, Schema]:
    """Schemas with names of every initial, which refer to each other in every way."""
    keys = [f"{chr(65 + n % 26)}{n}" for n in range(count)]
    schemas: dict[str, Schema] = {}
    for index, key in enumerate(keys):
        following = ref(keys[(index + 1) % count])
        either = {"anyOf": [following, {"type": "null"}]}
        schemas[key] = (
            {"type": "object", "properties": {"a": following, "b": {"items": following}}},
            {"type": "object", "properties": {"x-y": either}},
            {"anyOf": [following, {"type": "array", "items": following}]},
        )[index % 3]
    return schemas


def models_of_many(count: int) -> dict[str, str]:
    """Their models, by path."""
    document = reading(many(count))
    return dict(generate(document, decide(document)).files)
