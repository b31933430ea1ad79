"""Any value is read back from what it is written as, and has a place there."""

import json
import math
import re
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yaml_reading import parse, problem

from mcpgen.source import parse_yaml as module
from mcpgen.source import yaml_places as places_module
from mcpgen.source.json_places import JsonPlaces
from mcpgen.source.limits import Limits
from mcpgen.source.parse_json import parse_json
from mcpgen.text.pointer import join, split

pytestmark = pytest.mark.usefixtures("yaml_loader")
"""Both of PyYAML's parsers give the same."""


# PyYAML folds the line breaks of YAML 1.1 that 1.2 no longer has.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029"))
# PyYAML writes `0E0`, `08` and `0o7` without quotes: texts in YAML 1.1, numbers in 1.2.
only_1_2 = re.compile(r"[-+.]?[0-9].*[eE].*|[-+]?0[0-9]*[89][0-9]*|0o[0-7]+")
texts = texts.filter(lambda text: not only_1_2.fullmatch(text))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
quick = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(json_values)
def test_what_pyyaml_writes_is_read_back(value):
    text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False)
    assert same(parse(text), value)


@quick
@given(json_values)
def test_json_is_read_alike_as_yaml(value):
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    assert same(parse_json(text, Limits()), value)
    if module._NOT_ALLOWED.search(text):
        assert problem(text).code == "yaml-syntax"
    else:
        assert same(parse(text), value)


@quick
@given(json_values)
def test_every_value_has_a_place(value):
    places = places_module.yaml_places(yaml.safe_dump(value, sort_keys=False))
    assert set(places) == set(pointers_of(value))


@quick
@given(json_values, st.sampled_from([None, 1]))
def test_every_value_has_a_place_in_json(value, indent):
    text = json.dumps(value, indent=indent)
    places = JsonPlaces(text)
    for at in reversed(pointers_of(value)):
        place = places.get(at)
        assert place is not None
        assert same(json.JSONDecoder().raw_decode(text, place[1])[0], at_pointer(value, at))
    assert places.get("/none/of/them") is None


def at_pointer(value: Any, at: str) -> Any:
    for token in split(at):
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def pointers_of(value: Any, at: str = "") -> list[str]:
    found = [at]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += pointers_of(inner, join(at, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += pointers_of(inner, join(at, index))
    return found


def same(a: Any, b: Any) -> bool:
    """Equal with equal types: 1, 1.0 and True differ, -0.0 and 0.0 too."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b) and (not isinstance(a, float) or math.copysign(1, a) == math.copysign(1, b))
