"""Any schema and any value, for property tests."""

from typing import Any

from hypothesis import strategies as st

SCALARS = st.sampled_from([None, True, 1, 2.5, "", "a", "ab"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("pqr"), inner, max_size=2)
    ),
    max_leaves=5,
)


def _parts(inner: st.SearchStrategy[Any], refs: tuple[str, ...]) -> st.SearchStrategy[Any]:
    keywords = {
        "type": st.sampled_from(["object", "string", "array", ["object", "null"]]),
        "description": st.just("a description of some length"),
        "pattern": st.sampled_from(["a", "^$", "b"]),
        "format": st.just("date"),
        "enum": st.lists(SCALARS, min_size=1, max_size=2, unique_by=repr),
        "properties": st.dictionaries(
            st.sampled_from("pqr"), inner | st.just({"$ref": "#/$defs/A"}), max_size=3
        ),
        "patternProperties": st.dictionaries(st.sampled_from(["p", "^q"]), inner, max_size=1),
        "additionalProperties": inner | st.booleans(),
        "unevaluatedProperties": st.booleans(),
        "required": st.lists(st.sampled_from("pqr"), max_size=2, unique=True),
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "oneOf": st.lists(inner, min_size=1, max_size=2),
        "items": inner | st.booleans(),
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "contains": inner,
        "minContains": st.just(0),
        "maxContains": st.integers(0, 1),
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "dependentSchemas": st.dictionaries(st.sampled_from("pq"), inner, max_size=1),
        "propertyNames": st.just({"pattern": "p"}),
    }
    if refs:
        keywords["$ref"] = st.sampled_from(refs)
    return st.fixed_dictionaries({}, optional=keywords)


def any_schema(*refs: str) -> st.SearchStrategy[Any]:
    """Any schema that may refer to these."""
    leaf = _parts(st.sampled_from([{"type": "string"}, {"pattern": "a"}]), refs)
    return st.recursive(leaf, lambda inner: _parts(inner, refs), max_leaves=4)
