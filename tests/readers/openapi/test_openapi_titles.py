"""Titles of tools: the document's own where they say something, else the path in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from openapi_reading import one, read_document


@pytest.mark.parametrize(
    ("name", "title", "kept"),
    [
        ("pet_id", "Pet Id", False),
        ("größe", "Größe", False),
        ("title", "Title", False),
        ("id", "The number of a pet", True),
        ("_", "-", True),
    ],
)
def test_a_title_that_only_spells_out_a_name_is_none(
    tmp_path: Path, name: str, title: str, kept: bool
) -> None:
    """FastAPI gives one to everything that has a name, which every agent would pay for."""
    text = {"title": title, "type": "string"}
    inner = {"title": "Pet", "type": "object", "properties": {name: text}}
    parameters = [
        {"name": name, "in": "query", "schema": text},
        {"name": "pets", "in": "query", "schema": {"type": "array", "items": inner}},
    ]
    tool = read_document(one({"parameters": parameters}), tmp_path).tool
    found = {a.wire_name: tool.input_schema["properties"][a.name] for a in tool.arguments}
    told = text if kept else {"type": "string"}
    assert found[name] == told
    assert found["pets"]["items"] == {**inner, "properties": {name: told}}


def test_a_title_made_of_a_long_path_is_the_path_in_words(tmp_path: Path) -> None:
    path = "/depots/{depotNumber}/shelves/{shelfNumber}/boxes/{boxNumber}/contents"
    tool = read_document(one({"operationId": None}, path=path), tmp_path).tool
    assert tool.title == ("Get depots depot number shelves shelf number boxes box number contents")


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/api/v1/pets/{petId}", "Get pets by pet id"),
        ("/rest/api/V2.1/pets/{id}/photos/", "Get pets id photos"),
        ("/api/{id}", "Get api by id"),
        ("/v1/{id}", "Get v1 by id"),
        ("/apis/v1/pets", "Get apis v1 pets"),
        ("/api", "Get api"),
        ("/{id}", "Get id"),
        ("/", "Get root"),
        ("/用户/{编号}", "Get 用户 by 编号"),
    ],
)
def test_a_title_made_of_a_path(tmp_path: Path, path: str, title: str) -> None:
    assert read_document(one({"operationId": None}, path=path), tmp_path).tool.title == title


def test_a_summary_that_was_quoted_twice_has_lines(tmp_path: Path) -> None:
    tool = read_document(one({"summary": "Get a pet,\\nor none"}), tmp_path).tool
    assert (tool.title, tool.description) == ("Get a pet, or none", "Get a pet,\nor none")


@pytest.mark.parametrize(
    ("operation", "title", "summary"),
    [
        ({"summary": "Get *a* [pet](https://x.test)."}, "Get a pet", "Get a pet."),
        ({"operationId": "listPetsByOwnerID"}, "List pets by owner ID", "List pets by owner ID"),
        ({"operationId": "findAPetByID"}, "Find a pet by ID", "Find a pet by ID"),
        ({"operationId": "GetPet", "summary": "GetPet"}, "Get pet", "Get pet"),
        ({"operationId": "getPet", "summary": "getPet()"}, "Get pet", "Get pet"),
        ({"operationId": "Pet.Get", "summary": "Pet.Get"}, "Pet get", "Pet get"),
        ({"operationId": "PetService_GetPet", "summary": "GetPet"}, "Get pet", "Get pet"),
        ({"operationId": "petsListPets", "summary": "listPets()"}, "List pets", "List pets"),
        ({"operationId": "getPet", "summary": "WhatsApp"}, "WhatsApp", "WhatsApp"),
        ({"operationId": "Get the pet", "summary": "Get the pet"}, "Get the pet", "Get the pet"),
        ({"operationId": "list-pets", "summary": "List"}, "List", "List"),
        ({"operationId": "listPets", "summary": "Pets"}, "Pets", "Pets"),
        ({"operationId": "pet_create", "summary": "Create"}, "Create", "Create"),
        ({"operationId": "petCreator", "summary": "Create"}, "Create", "Create"),
        ({"operationId": "查询用户", "summary": "查询用户"}, "查询用户", "查询用户"),
        ({"operationId": "найтиВсехЖивотных"}, "Найти всех животных", "Найти всех животных"),
        ({"operationId": "hent_Årsoppgjør"}, "Hent årsoppgjør", "Hent årsoppgjør"),
        ({"operationId": "List a Pet's 'Toys'"}, "List a pet's toys", "List a pet's toys"),
        ({"operationId": "Größe_des_Pet’s"}, "Größe des pet's", "Größe des pet's"),
        ({"operationId": "उपयोगकर्ता-सूची"}, "उपयोगकर्ता सूची", "उपयोगकर्ता सूची"),
        ({"description": "# Head\n\nBody"}, "Op", "Head"),
        ({"description": "Gets a pet<br/>*Limit*: 3"}, "Op", "Gets a pet"),
        ({"summary": "<!-- theme: info --><p>Get <i>a</i> pet</p>"}, "Get a pet", "Get a pet"),
        ({"operationId": None}, "Get pets", "Get pets"),
        ({"operationId": "get_/pets_/pets"}, "Get pets", "Get pets"),
        ({"operationId": "c94a92715c0351cba55c1eff9c4649f2"}, "Get pets", "Get pets"),
        ({"summary": "{{7*191}}{#x#} <%= `"}, "{{7*191}}{#x#} <%= `", "{{7*191}}{#x#} <%= `"),
        ({"summary": "**a** <b>b</b>: 1 <id> `c` #2"}, "a b: 1 <id> c #2", "a b: 1 <id> c #2"),
        ({"summary": "Get pets by\nname, or\nall"}, "Get pets by name, or all", None),
        ({"summary": f"Get pets of {'any ' * 12}\nNorth owner"}, None, None),
        ({"summary": f"Get a pet. {'It has all ' * 20}\nthe words."}, "Get a pet", "Get a pet."),
        ({"summary": "Get pets\n- by name"}, "Get pets", "Get pets"),
        ({"summary": "Get pets.\nor not"}, "Get pets", "Get pets."),
        ({"summary": "Get pets\nReturns 404"}, "Get pets", "Get pets"),
    ],
)
def test_titles(
    tmp_path: Path, operation: dict[str, str], title: str | None, summary: str | None
) -> None:
    tool = read_document(one(operation), tmp_path).tool
    title = title or " ".join(operation["summary"].split())
    assert (tool.title, tool.summary) == (title, summary or title)
