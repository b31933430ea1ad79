"""Removes keywords that clients interpret in different ways or cannot compile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..api import Schema
from .definitions import Definitions, definitions
from .subschemas import ANNOTATIONS, references, walk, with_inner

_DROPPED = frozenset({"pattern", "patternProperties", "format", "discriminator"})
_WORDS = ANNOTATIONS | {"example", "externalDocs", "xml"}
_TELLING = frozenset({"pattern", "patternProperties", "format"})


def cleaned(schema: Schema, pool: Mapping[str, Schema]) -> tuple[Schema, Definitions]:
    """The schema and its pool without `pattern`, `patternProperties` and `format`.

    Every instance of the schema is an instance of the result. Where removing a keyword would refuse
    more values (inside `not`, `if`, `oneOf`), the outer keyword is relaxed too.
    """
    base = definitions(pool)
    cleaner = _Cleaner(base)
    return cleaner.clean(schema), base.view("clean", cleaner.clean)


def undescribed(schema: Schema) -> Schema:
    """The schema without titles, descriptions, defaults and examples."""
    if isinstance(schema, bool):
        return schema
    telling = {k: v for k, v in schema.items() if k not in _WORDS and not k.startswith("x-")}
    return with_inner(telling, undescribed)


def any_for_one(schema: dict[str, Any]) -> None:
    """Turn a schema's `oneOf` into `anyOf` in place."""
    branches = schema.pop("oneOf")
    if "anyOf" in schema:
        schema["allOf"] = [*schema.get("allOf", ()), {"anyOf": branches}]
    else:
        schema["anyOf"] = branches


class _Cleaner:
    def __init__(self, pool: Definitions) -> None:
        self._pool = pool

    def clean(self, schema: Schema) -> Schema:
        """The schema without the `_DROPPED` keywords; the pool's view does this for definitions."""
        if isinstance(schema, bool):
            return schema
        rest = {keyword: value for keyword, value in schema.items() if keyword not in _DROPPED}
        out = with_inner(rest, self.clean)
        if "patternProperties" in schema:
            out.pop("additionalProperties", None)
            out.pop("unevaluatedProperties", None)
        self._relax(schema, out)
        return out

    def _relax(self, schema: Mapping[str, Any], out: dict[str, Any]) -> None:
        """Remove or relax a keyword such as `not` if a schema inside it lost a constraint.

        The keyword would otherwise refuse values that the original schema accepts.
        """
        if "not" in out and self._loses(schema["not"]):
            del out["not"]
        if "if" in out and self._loses(schema["if"]):
            for keyword in ("if", "then", "else"):
                out.pop(keyword, None)
        if "maxContains" in out and self._loses(schema.get("contains", True)):
            del out["maxContains"]
        if "oneOf" in out and any(self._loses(branch) for branch in schema["oneOf"]):
            any_for_one(out)

    def _loses(self, schema: Schema) -> bool:
        """Whether cleaning removes a constraint from a schema, or from one that it refers to."""
        memo: dict[str, bool] = self._pool.memo.setdefault("tells apart", {})
        if _tells(schema):
            return True
        for key in self._pool.closure(references(schema)):
            if key not in memo:
                memo[key] = _tells(self._pool[key])
            if memo[key]:
                return True
        return False


def _tells(schema: Schema) -> bool:
    return any(_TELLING & part.keys() for part in walk(schema))
