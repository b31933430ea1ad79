"""Documents made from a grammar of OpenAPI, and documents that people wrote with pieces changed."""

import copy
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

SPECS = Path(__file__).parents[2] / "specs"
NAMES = ("bookshop.yaml", "wire.yaml", "bodies.yaml", "access.yaml", "answers.yaml",
         "clinic-v2.yaml", "next.yaml", "nightbus.json")  # fmt: skip

TEXT = st.one_of(
    st.sampled_from(["", "id", "a b", "class", "ctx", "body", "$ref", "x" * 70, "../x", "é", "0",
                     "{id}", "a/b", "a\nb", "None", "\u202e", "-", "__init__", "Type", "type"]),
    st.text(max_size=6),
)  # fmt: skip
SCALAR = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT
)
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
REFS = ("#/components/schemas/A", "#/components/schemas/B", "#/components/schemas/Missing",
        "#/paths/~1a/get", "#", "#/components/schemas/A/properties/id")  # fmt: skip


def _some(**fields: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    """An object with any of the fields."""
    return st.fixed_dictionaries({}, optional=fields)


def schemas() -> SearchStrategy[Any]:
    """Schemas of every dialect, most of them sensible."""
    flat = _some(
        type=st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), max_size=2),
        description=TEXT,
        format=st.sampled_from(["int64", "binary", "byte", "date-time", "uuid", "x"]),
        enum=st.lists(SCALAR, max_size=3),
        const=VALUE,
        default=VALUE,
        example=VALUE,
        nullable=st.booleans(),
        readOnly=st.booleans(),
        minimum=st.integers(-5, 5),
        maxLength=st.integers(-1, 5),
        pattern=st.sampled_from(["^a+$", "(?=x)", "[", "^(a+)+$", r"\d{3}"]),
        exclusiveMinimum=st.booleans() | st.integers(0, 3),
    )
    plain = st.one_of(flat, st.sampled_from(REFS).map(lambda ref: {"$ref": ref}), st.booleans())
    return st.recursive(plain, lambda inner: _composed(inner) | _objects(inner), max_leaves=5)


def _objects(inner: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda fields, required, more: {"type": "object", "properties": fields} | required | more,
        st.dictionaries(TEXT, inner, max_size=3),
        _some(required=st.lists(TEXT, max_size=2)),
        _some(additionalProperties=inner, discriminator=_some(propertyName=TEXT), title=TEXT),
    )


def _composed(inner: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    branches = st.lists(inner, max_size=3)
    return _some(
        allOf=branches, oneOf=branches, anyOf=branches, items=inner, prefixItems=branches,
        patternProperties=st.dictionaries(st.sampled_from(["^x", "["]), inner, max_size=1),
        **{"not": inner, "if": inner, "then": inner},
    )  # fmt: skip


PATHS = ("/a", "/a/{id}", "/a/{id}/b.{x}", "/{id}{x}", "/a?fixed=1", "/a#f", "/", "/é/{id}",
         "/a;{x}", "a", "/a/..")  # fmt: skip
STYLES = ("form", "simple", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject")
MEDIA = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data",
         "text/plain", "application/octet-stream", "image/*", "application/xml", "*/*", "odd",
         "application/merge-patch+json")  # fmt: skip
METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace", "query")


def _parameters() -> SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda name, place, more: {"name": name, "in": place} | more,
        st.sampled_from(["id", "x", "filter[a]", "X-H", "Authorization"]) | TEXT,
        st.sampled_from(["path", "query", "header", "cookie", "querystring", "body"]),
        _some(
            required=st.booleans(), schema=schemas(), style=st.sampled_from(STYLES),
            explode=st.booleans(), allowReserved=st.booleans(), description=TEXT,
            content=_content(), type=st.sampled_from(TYPES), example=VALUE,
            allowEmptyValue=st.booleans(), collectionFormat=st.sampled_from(["csv", "multi"]),
        ),
    )  # fmt: skip


def _content() -> SearchStrategy[dict[str, Any]]:
    encoding = st.dictionaries(
        TEXT, _some(contentType=st.sampled_from(MEDIA), style=st.sampled_from(STYLES)), max_size=2
    )
    return st.dictionaries(
        st.sampled_from(MEDIA), _some(schema=schemas(), example=VALUE, encoding=encoding),
        max_size=2,
    )  # fmt: skip


def _operations() -> SearchStrategy[dict[str, Any]]:
    responses = st.dictionaries(
        st.sampled_from(["200", "204", "2XX", "default", "404", "301", "odd"]),
        _some(description=TEXT, content=_content(), schema=schemas()),
        max_size=3,
    )
    return _some(
        operationId=st.sampled_from(["op", "other"]) | TEXT,
        summary=TEXT, description=TEXT, tags=st.lists(TEXT, max_size=2),
        parameters=st.lists(_parameters(), max_size=3),
        requestBody=_some(required=st.booleans(), content=_content()),
        responses=responses,
        security=st.lists(st.dictionaries(st.sampled_from(["key", "no"]), st.just([])), max_size=2),
        deprecated=st.booleans(),
    )  # fmt: skip


@st.composite
def documents(draw: DrawFn) -> dict[str, Any]:
    """A document of any version, never without a path."""
    items = st.dictionaries(st.sampled_from(METHODS), _operations(), min_size=1, max_size=2)
    paths = draw(st.dictionaries(st.sampled_from(PATHS), items, min_size=1, max_size=3))
    version = draw(st.sampled_from(["2.0", "3.0.3", "3.1.0", "3.2.0"]))
    named = draw(st.fixed_dictionaries({"A": schemas()}, optional={"B": schemas()}))
    key = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    document = {"info": {"title": draw(TEXT), "version": draw(TEXT)}, "paths": paths}
    if version == "2.0":
        return {"swagger": "2.0", **document, "definitions": named, "securityDefinitions": key}
    components = {"schemas": named, "securitySchemes": key}
    return {"openapi": version, **document, "components": components}


@st.composite
def changed(draw: DrawFn) -> dict[str, Any]:
    """A document of `specs/` in which some values were replaced, moved, renamed or taken out."""
    document = copy.deepcopy(_SPECS[draw(st.sampled_from(NAMES))])
    for _ in range(draw(st.integers(1, 4))):
        holder, key = draw(st.sampled_from(list(_places(document))))
        how = draw(st.sampled_from(["replace", "remove", "move", "rename"]))
        if how == "remove":
            del holder[key]
        elif how == "move":
            other, name = draw(st.sampled_from(list(_places(document))))
            holder[key] = copy.deepcopy(other[name])
        elif how == "rename" and isinstance(holder, dict):
            holder[draw(TEXT)] = holder.pop(key)
        else:
            holder[key] = draw(VALUE | schemas())
    return document


_SPECS: dict[str, dict[str, Any]] = {
    name: yaml.load((SPECS / name).read_text(encoding="utf-8"), yaml.CSafeLoader) for name in NAMES
}


def _places(document: Any) -> list[tuple[Any, Any]]:
    """Every value below the root, as what holds it and its key there."""
    found: list[tuple[Any, Any]] = []
    left = [document]
    while left:
        holder = left.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                left.append(holder[key])
    return found
