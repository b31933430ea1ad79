"""Schemas become few simple forms, and what is inline gets a name of its own place."""

from typing import Any

import pytest
from api_building import api, decide, reading, ref, tool
from tables import table

from mcpgen.api import Schema
from mcpgen.lifting import lifter
from mcpgen.lifting.lifter import Lifted, lift
from mcpgen.models.annotations import annotate

TEXT = {"type": "string"}


def typed(schema: Schema, **schemas: Schema) -> str:
    """The Python type of a tool's result."""
    names = decide(api(tool("get", result=schema), schemas=schemas))
    ((_, simple),) = names.lifted.roots["get"]["result"]
    return annotate(simple, names.classes).text


def obj(**properties: Schema) -> dict[str, Any]:
    """An object with these properties."""
    return {"type": "object", "properties": properties}


@table(
    "schema, text",
    (True, "Any"),
    ({}, "Any"),
    ({"type": "string", "format": "date-time", "pattern": "x"}, "str"),
    ({"type": ["integer", "null"]}, "int | None"),
    ({"type": ["integer", "number"]}, "float"),
    ({"type": "file"}, "Any"),
    ({"type": "exec('x')"}, "Any"),
    ({"type": "array"}, "list[Any]"),
    ({"items": {"type": "integer"}}, "list[int]"),
    ({"prefixItems": [TEXT, {"type": "integer"}], "items": False}, "list[str | int]"),
    ({"prefixItems": [TEXT]}, "list[Any]"),
    ({"type": "object"}, "dict[str, Any]"),
    ({"type": "object", "additionalProperties": False}, "dict[str, Any]"),
    ({"additionalProperties": TEXT}, "dict[str, str]"),
    ({"type": "object", "patternProperties": {"^x": TEXT}}, "dict[str, str]"),
    ({"enum": ["a", "b", None]}, 'Literal["a", "b"] | None'),
    ({"const": 3}, "Literal[3]"),
    ({"const": True}, "Literal[True]"),
    ({"const": None}, "None"),
    ({"enum": [1.5, 2]}, "float"),
    ({"enum": ["a", {"b": 1}]}, "str | dict[str, Any]"),
    ({"type": "string", "enum": ["a", 1]}, 'Literal["a"]'),
    ({"const": "x" * 200}, "str"),
    ({"const": 10**400}, "int"),
    ({"enum": [str(n) for n in range(1000)]}, "str"),
    ({"enum": ["quote\"'", "back\\slash", "line\n"]}, None),
    ({"anyOf": [TEXT, {"type": "null"}]}, "str | None"),
    ({"oneOf": [TEXT, {"type": "integer"}, TEXT]}, "str | int"),
    ({"anyOf": [{"enum": ["a"]}, TEXT]}, "str"),
    ({"oneOf": [{"const": 1, "title": "A"}, {"const": 2, "title": "B"}]}, "Literal[1, 2]"),
    ({"anyOf": [{"const": 1}, TEXT, {"enum": [True, 1]}]}, "Literal[1, True] | str"),
    ({"anyOf": [{"enum": ["a", None]}, {"const": "b"}]}, 'Literal["a", "b"] | None'),
    ({"oneOf": [{"const": f"number {n}"} for n in range(9)]}, "GetResult"),
    ({"anyOf": [{"const": n} for n in [*range(9**5, 9**5 + 20), None]]}, "GetResult | None"),
    ({"oneOf": [{"const": f"number {n}"} for n in range(500)]}, "str"),
    ({"anyOf": [TEXT, {}]}, "Any"),
    ({"type": "string", "anyOf": [{"minLength": 1}, {"pattern": "x"}]}, "str"),
    ({"allOf": [TEXT, {"enum": ["a"]}]}, 'Literal["a"]'),
    ({"allOf": [{"type": "number"}, {"type": "integer"}]}, "int"),
    ({"allOf": [{"type": "integer"}, {"type": ["number", "null"]}]}, "int"),
    ({"allOf": [True, TEXT]}, "str"),
    ({"enum": [True, 1.5]}, "bool | float"),
    ({"type": "number", "enum": ["a", 1]}, "Literal[1]"),
    ({"enum": ["\ud800", "a"]}, "str"),
    ({"properties": {"a": True}, "required": ["a"]}, "GetResult"),
    ({"properties": {"a": TEXT}, "anyOf": [{"type": "null"}, {}]}, "GetResult | None"),
    ({"anyOf": [{"properties": {"a": TEXT}}, True]}, "Any"),
    ({"anyOf": [obj(a=TEXT), False, obj(b=TEXT)]}, "Any"),
    ({"not": TEXT}, "Any"),
    ({"type": "array", "items": {"allOf": [ref("Name")]}}, "list[Name]"),
    ({"$ref": "#/$defs/Missing"}, "Any"),
    ({**ref("Name"), "description": "x"}, "Name"),
    ({"type": "string", "allOf": [ref("Name"), {"description": "x"}]}, "Name"),
    (ref("Alias"), "Name"),
    (ref("Loop"), "Any"),
    (ref("Open"), "Open"),
    ({"allOf": [ref("Open"), ref("Shut"), TEXT]}, "str"),
)
def test_forms(schema, text):
    found = typed(schema, Name=TEXT, Alias=ref("Name"), Loop=ref("Loop"), Open=True, Shut=False)
    if text is None:
        assert eval(found, {"Literal": _Values()}) == tuple(schema["enum"])  # type: ignore[index]
    else:
        assert found == text


class _Values:
    def __getitem__(self, values: Any) -> Any:
        return values


def lifted(**schemas: Schema) -> tuple[Lifted, dict[str, Any]]:
    """What is lifted, and the schemas by class name."""
    names = decide(reading(schemas))
    by_class = {names.classes[key]: schema for key, schema in names.lifted.schemas.items()}
    return names.lifted, by_class


def test_inline_objects_are_named_after_their_place():
    pet = obj(
        owner=obj(address=obj(street=TEXT)),
        tags={"type": "array", "items": obj(name=TEXT)},
        labels={"type": "object", "additionalProperties": obj(value=TEXT)},
        vet={"anyOf": [obj(name=TEXT), {"type": "null"}]},
    )
    _, by_class = lifted(Pet=pet)
    assert set(by_class) == {
        "Pet",
        "PetOwner",
        "PetOwnerAddress",
        "PetTagsItem",
        "PetLabelsValue",
        "PetVet",
    }


def test_arguments_and_results_are_places_too():
    names = decide(api(tool("create-pet", {"body": obj(name=TEXT)}, result={"items": obj(a=TEXT)})))
    assert set(names.classes.values()) == {"CreatePetBody", "CreatePetResultItem"}


def test_long_enumerations_have_a_name_and_short_ones_none():
    long = {"enum": [f"a long value {n}" for n in range(9)]}
    lifts, by_class = lifted(Pet=obj(kind=long, size={"enum": ["s", "m"]}))
    assert set(by_class) == {"Pet", "PetKind"}
    assert by_class["PetKind"] == long
    assert lifts.schemas["Pet"]["properties"]["kind"] == {"$ref": "Pet/kind"}


def test_members_of_a_union_are_told_apart_by_what_they_say():
    card = obj(type={"const": "CARD"}, number=TEXT)
    bank = {**obj(iban=TEXT), "title": "Bank transfer"}
    failed = {**obj(error=TEXT), "required": ["error"]}
    _, by_class = lifted(Payment={"oneOf": [card, bank, failed, obj(cash=TEXT)]})
    assert set(by_class) == {
        "Payment",
        "PaymentCard",
        "PaymentBankTransfer",
        "PaymentError",
        "PaymentOption4",
    }
    _, by_class = lifted(Pair={"anyOf": [{**failed, "title": "x"}, {**failed, "title": "x"}]})
    assert set(by_class) == {"Pair", "PairOption1", "PairOption2"}
    said = ("What a payment is that nobody has made yet", "", "Cash")
    _, by_class = lifted(Trio={"anyOf": [{**obj(a=TEXT), "title": each} for each in said]})
    assert set(by_class) == {"Trio", "TrioOption1", "TrioOption2", "TrioCash"}


def test_the_only_object_of_a_union_needs_nothing_to_tell_it_apart():
    _, by_class = lifted(Pet={"oneOf": [obj(name=TEXT), {"type": "null"}]})
    assert set(by_class) == {"Pet", "PetObject"}


def test_items_and_values_are_what_all_parts_say():
    wrapper = obj(data={"type": "array", "items": {"type": "object"}})
    pets = {"allOf": [ref("Wrapper"), obj(data={"items": ref("Pet")})]}
    map_ = {"allOf": [{"type": "object"}, {"type": "object", "additionalProperties": ref("Pet")}]}
    _, by_class = lifted(Wrapper=wrapper, Pet=obj(name=TEXT), Pets=pets, Map=map_)
    assert by_class["Pets"]["properties"]["data"] == {"type": "array", "items": {"$ref": "Pet"}}
    assert by_class["Map"] == {"type": "object", "additionalProperties": {"$ref": "Pet"}}


def test_all_of_objects_is_one_object():
    base = {**obj(id=TEXT, owner=obj(name=TEXT)), "required": ["id"]}
    dog = {"allOf": [ref("Pet"), {**obj(bark=TEXT, id={"enum": ["x"]}), "required": ["bark"]}]}
    lifts, by_class = lifted(Pet=base, Dog=dog)
    assert list(by_class["Dog"]["properties"]) == ["id", "owner", "bark"]
    assert by_class["Dog"]["required"] == ["id", "bark"]
    assert by_class["Dog"]["properties"]["id"] == {"enum": ["x"]}
    assert lifts.schemas["Dog"]["properties"]["owner"] == {"$ref": "Pet/owner"}


@table(
    "schema, about",
    ({"allOf": [ref("Base"), obj(b=TEXT)]}, None),
    ({"allOf": [ref("Base")], **obj(b=TEXT)}, None),
    ({"allOf": [ref("Base"), {**obj(b=TEXT), "description": "Its own."}]}, "Its own."),
    ({"allOf": [ref("Base"), ref("Other")]}, None),
    ({"allOf": [ref("Base"), obj(b=TEXT)], "description": "Its own."}, "Its own."),
    ({"allOf": [ref("Base"), {"required": ["a"]}]}, "Anything."),
    ({"allOf": [ref("Base"), {"required": ["a"], "description": "One."}]}, "One."),
)
def test_what_a_schema_says_of_itself_says_nothing_of_one_that_extends_it(schema, about):
    base = {**obj(a=TEXT), "description": "Anything."}
    other = {**obj(c=TEXT), "description": "Another."}
    _, classes = lifted(Pet=schema, Base=base, Other=other)
    assert classes["Pet"].get("description") == about


def test_alternatives_beside_properties_are_optional_properties():
    schema = {
        **obj(kind=TEXT),
        "required": ["kind"],
        "oneOf": [{**obj(a=TEXT), "required": ["a"]}, obj(a={"type": "integer"}, b=TEXT)],
    }
    _, by_class = lifted(Either=schema)
    assert by_class["Either"]["required"] == ["kind"]
    assert by_class["Either"]["properties"] == {
        "kind": TEXT,
        "a": {"anyOf": [TEXT, {"type": "integer"}]},
        "b": TEXT,
    }


def test_what_goes_one_way_only_is_not_required():
    schema = {
        **obj(id={**TEXT, "readOnly": True}, secret={**TEXT, "writeOnly": True}, at=ref("Time")),
        "required": ["id", "secret", "at", "any"],
    }
    schema["properties"]["any"] = True
    _, by_class = lifted(Pet=schema, Time={**TEXT, "readOnly": True})
    assert by_class["Pet"]["required"] == ["any"]


def test_a_nullable_object_is_an_alias_of_the_object():
    _, by_class = lifted(Pet={**obj(name=TEXT), "type": ["object", "null"]})
    assert by_class["Pet"] == {"anyOf": [{"$ref": "Pet/object"}, {"type": "null"}]}
    assert set(by_class) == {"Pet", "PetObject"}


def test_only_what_tools_reach_is_lifted():
    names = decide(
        api(tool("get", result=ref("A")), schemas={"A": obj(b=ref("B")), "B": TEXT, "C": TEXT})
    )
    assert set(names.classes) == {"A", "B"}


def test_recursion_stays_where_a_type_can_say_it():
    tree = {"anyOf": [TEXT, {"type": "array", "items": ref("Tree")}]}
    _, by_class = lifted(Tree=tree, Loop={"anyOf": [ref("Loop"), TEXT]}, Node=obj(next=ref("Node")))
    assert by_class["Tree"] == {"anyOf": [TEXT, {"type": "array", "items": {"$ref": "Tree"}}]}
    assert by_class["Loop"] == {}
    assert by_class["Node"]["properties"] == {"next": {"$ref": "Node"}}


def chain(length: int, link: str) -> dict[str, Schema]:
    schemas: dict[str, Schema] = {f"S{length}": obj(end=TEXT)}
    for n in range(length):
        following = ref(f"S{n + 1}")
        schemas[f"S{n}"] = {
            "ref": following,
            "array": {"type": "array", "items": following},
            "object": obj(next=following),
            "all": {"allOf": [following, following, obj(**{f"p{n}": TEXT})]},
        }[link]
    return schemas


def test_an_extension_that_narrows_a_recursive_property_is_itself():
    schemas: dict[str, Schema] = {
        "Node": {
            "type": "object",
            "properties": {"next": ref("Node"), "all": {"type": "array", "items": ref("Node")}},
        },
        "Leaf": {
            "allOf": [ref("Node")],
            "properties": {"next": ref("Leaf"), "all": {"type": "array", "items": ref("Leaf")}},
        },
    }
    lifted = lift(api(tool("get", result=ref("Leaf")), schemas=schemas))
    assert list(lifted.schemas) == ["Leaf"]
    assert lifted.schemas["Leaf"]["properties"] == {
        "next": {"$ref": "Leaf"},
        "all": {"type": "array", "items": {"$ref": "Leaf"}},
    }


def test_a_conjunction_inside_of_itself_is_itself():
    schemas: dict[str, Schema] = {
        name: {"type": "object", "properties": {"next": ref(name), name: {"type": "string"}}}
        for name in ("a", "b", "c")
    }
    both = {"allOf": [ref(name) for name in schemas]}
    lifted = lift(api(tool("get", result=both), schemas=schemas))
    inner = lifted.schemas["~result/get/next"]
    assert list(inner["properties"]) == ["next", "a", "b", "c"]
    assert inner["properties"]["next"] == {"$ref": "~result/get/next"}


@pytest.mark.parametrize("link", ["ref", "array", "object", "all"])
def test_long_chains_end(link):
    schemas = chain(3000, link)
    found = lift(api(tool("get", result=ref("S0")), schemas=schemas))
    assert found.schemas


def test_more_types_than_there_may_be_are_dicts(monkeypatch):
    monkeypatch.setattr(lifter, "_MAX_SCHEMAS", 1)
    assert lifted(A=obj(b=obj(c=TEXT)))[1] == {
        "A": obj(b={"type": "object", "additionalProperties": {}})
    }


def test_deep_nesting_ends():
    schema: dict[str, Any] = TEXT
    for _ in range(200):
        schema = {"type": "array", "items": {"anyOf": [schema, {"type": "null"}]}}
    assert "Any" in typed(schema)


def test_a_property_that_others_refer_to_is_one_type_with_theirs():
    """`$ref: #/components/schemas/Pet/properties/owner` gives the pool a `Pet_owner`."""
    owner = {"type": "object", "properties": {"name": TEXT}}
    other = {"type": "object", "properties": {"age": {"type": "integer"}}}
    pet = {"type": "object", "properties": {"owner": owner, "keeper": ref("Pet_owner")}}
    names = decide(api(tool("get", result=ref("Pet")), schemas={"Pet": pet, "Pet_owner": owner}))
    assert sorted(names.classes.values()) == ["Pet", "PetOwner"]
    names = decide(api(tool("get", result=ref("Pet")), schemas={"Pet": pet, "Pet_owner": other}))
    assert len(names.classes) == 3


def test_two_things_at_one_place_do_not_become_one():
    lists = {"anyOf": [{"items": obj(a=TEXT)}, {"items": obj(b=TEXT)}]}
    long = {"enum": [f"a long value {n}" for n in range(9)]}
    either = {
        **obj(kind=TEXT),
        "oneOf": [obj(x=obj(a=TEXT)), obj(x=obj(b=TEXT)), obj(x=obj(a=TEXT))],
    }
    _, by_class = lifted(Lists=lists, Mixed=obj(m={"anyOf": [long, obj(c=TEXT)]}), Either=either)
    found = [set(schema["properties"]) for schema in by_class.values() if "properties" in schema]
    assert found.count({"a"}) == 2
    assert found.count({"b"}) == 2
    assert {"c"} in found
    assert long in by_class.values()
    assert len(by_class["Either"]["properties"]["x"]["anyOf"]) == 2
