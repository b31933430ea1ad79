"""Every identifier of a server: safe whatever the document calls things, and stable."""

from typing import Any

import pytest
from api_building import api, decide, reading, ref, tool
from msgspec import structs
from tables import table

from mcpgen import python_names
from mcpgen.api import Body, HttpCall, Server, Tool
from mcpgen.python_names import KnownNames, Names


@table(
    "title, server",
    ("Swagger Petstore - OpenAPI 3.0", "petstore"),
    ("GitHub v3 REST API", "github"),
    ("Netlify's API documentation", "netlify"),
    ("Spotify Web API with fixes", "spotify-web"),
    ("OpenAI API", "openai"),
    ("api.weather.gov", "weather-gov"),
    ("OGC API - Tiles", "ogc-tiles"),
    ("Petstore 3.0", "petstore"),
    ("Rose 2 Garden 7", "rose-2-garden"),
    ("STAC API \u2013 Item Search", "stac-item-search"),
    ("Petstore API - v2", "petstore"),
    ("Open API for Payments", "payments"),
    ("Service for namespace Trips", "namespace-trips"),
    ("To-do lists", "to-do-lists"),
    ("Roadside V2X Service", "roadside-v2x"),
    ("Product Offering Availability And Pricing", "product-offering-availability"),
    ("1Password Connect", "api-1password-connect"),
    ("../../../../tmp/pwned", "tmp-pwned"),
    ("日本", "api"),
    ("", "api"),
    ("x" * 300, "x" * 40),
)
def test_the_server_is_named_after_the_title(title, server):
    names = decide(api(tool("a"), title=title))
    assert names.server == server
    assert names.distribution == f"{server}-mcp"
    assert names.package == f"{server.replace('-', '_')}_mcp"
    assert names.package.isidentifier()


@table(
    "title, url, server",
    ("REST API", "https://api.cohere.com/v1", "cohere"),
    ("日本", "https://{region}.night-buses.co.uk:8443", "night-buses"),
    ("API Reference", "HTTPS://WWW.Dub.CO", "dub"),
    ("API", "https://{host}/v1", "api"),
    ("API", "https://api.example.com", "api"),
    ("API", "https://10.0.0.1", "api"),
    ("API", "http://localhost:8080", "api"),
    ("API", "/v1", "api"),
    ("API", "https://" + "a." * 5000 + "1", "api"),
    ("Petstore API", "https://api.cohere.com", "petstore"),
    ("FastAPI", "https://api.cohere.com", "cohere"),
    ("FastAPI", "http://127.0.0.1:8000", "api"),
)
def test_a_title_that_names_nothing_leaves_it_to_the_host(title, url, server):
    assert decide(api(tool("a"), title=title, servers=(Server(url),))).server == server


@table(
    "asked, package, server",
    ("my_server", "my_server", "my-server"),
    ("pets_mcp", "pets_mcp", "pets"),
    ("my-server", "my_server", "my-server"),
    ("../x", "x", "x"),
    ("json", "json_mcp", "json"),
    ("mcp", "mcp_mcp", "mcp"),
    ("class", "class_mcp", "class"),
    ("None", "None_mcp", "none"),
    ("con", "con_mcp", "con"),
)
def test_a_package_that_was_asked_for(asked, package, server):
    names = decide(api(tool("a")), package=asked)
    assert (names.package, names.server) == (package, server)


@table(
    "package, distribution",
    ("_private", "private"),
    ("mine_", "mine"),
    ("a__b", "a--b"),
    ("__", "api-mcp"),
)
def test_the_distribution_has_a_name_that_can_be_installed(package, distribution):
    names = decide(api(tool("a")), package=package)
    assert (names.package, names.distribution) == (package, distribution)


def test_modules_are_files_on_every_system():
    tags = ["Pets", "pets", "CON", "nul", "com1", "__init__", "__main__", "conftest", "test_a"]
    tags += [
        "a_test",
        "test",
        "../../etc/passwd",
        "C:\\x",
        "foo\0.py",
        "x.",
        "x ",
        "class",
        "",
        "日",
    ]
    tags += ["a" * 300, "json", "setup"]
    modules = decide(api(*(tool(f"t{i}", tag=tag) for i, tag in enumerate(tags)))).modules
    assert list(modules) == tags
    assert modules["pets"] == "pets"
    assert modules["json"] == "json"
    assert len({name.lower() for name in modules.values()}) == len(tags)
    for name in modules.values():
        assert name.isidentifier()
        assert name.islower()
        assert len(name) < 80
        assert not name.startswith(("test_", "__"))
        assert not name.endswith("_test")
    forbidden = {"con", "nul", "com1", "conftest", "init", "main", "class", "setup"}
    assert not forbidden & set(modules.values())


def at(path: str, tag: str, api: str = "") -> Tool:
    made = tool(path.strip("/").replace("/", "_"), tag=tag)
    return structs.replace(made, http=HttpCall("GET", path), api=api)


@table(
    "tools, module",
    ([at("/api/v1/users", "用户"), at("/api/v1/users/{id}", "用户")], "users"),
    ([at("/system/user/list", "用户"), at("/system/user/{id}/keys", "用户")], "system_user"),
    ([at("/orders{suffix}", "Заказы")], None),
    ([at("/orders", "Заказы"), at("/carts", "Заказы")], None),
    ([at("/users", "用户 admin")], "admin"),
    ([at("/用户", "用户")], None),
    ([at("/users", "shop/用户", "shop")], "shop_users"),
)
def test_a_tag_of_other_letters_leaves_it_to_the_paths(tools, module):
    (found,) = python_names.modules(api(*tools), {}).values()
    assert found == module or (module is None and found.startswith("tag_"))
    assert python_names.modules(api(*tools), {tools[0].tag: "before"}) == {tools[0].tag: "before"}


def test_functions_hide_nothing_that_handlers_use():
    tools = ["list", "str", "dict", "tool", "style", "ctx", "class", "import", "None", "print", "_"]
    functions = decide(api(*map(tool, tools))).functions
    assert functions["list"] == "list_"
    assert functions["tool"] == "tool_"
    assert functions["class"] == "class_"
    assert functions["None"] == "none"
    assert len(set(functions.values())) == len(tools)


def test_keywords_are_python_names_of_arguments():
    arguments = ["petId", "pet-id", "class", "ctx", "style", "X-Request-ID", "filter[name]", "type"]
    keywords = decide(api(tool("a", dict.fromkeys(arguments, True)))).keywords["a"]
    assert keywords["class"] == "class_"
    assert keywords["ctx"] == "ctx_"
    assert keywords["style"] == "style_"
    assert keywords["X-Request-ID"] == "x_request_id"
    assert keywords["type"] == "type"
    assert keywords["petId"] != keywords["pet-id"]
    assert len(set(keywords.values())) == len(arguments)


@pytest.mark.parametrize("called", ["ctx", "fitting", "from_env", "if_given", "style"])
def test_nothing_is_named_like_what_handlers_call(called):
    names = decide(api(tool(called, {called: True})))
    assert names.keywords[called][called] != called
    assert names.functions[called] != called


def test_a_name_that_is_given_leaves_its_own_to_others():
    known = KnownNames(given={"get-pet": "fetch"})
    names = decide(api(tool("get-pet"), tool("getPet")), known=known)
    assert names.functions == {"get-pet": "fetch", "getPet": "get_pet"}


def test_a_keyword_for_all_other_arguments():
    body = Body("application/json", required=True, spread=True, extra=True)
    names = decide(api(tool("a", {"name": True}, body=body), tool("b", {"extra": True}, body=body)))
    assert names.extras["a"] == "extra"
    assert names.extras["b"] not in names.keywords["b"].values()
    assert "a" in names.extras


def test_a_long_chain_of_names_has_its_last_words_and_a_mark_only_where_two_meet():
    """Each of the two is in an object of one name, in components of which one ends as the other."""
    inner = {"type": "object", "properties": {"value": {"type": "string"}}}
    chain: dict[str, Any] = inner
    for name in ["conversation_relationship_attributes", "segment_membership_events"] * 2:
        chain = {"type": "object", "properties": {name: chain}}
    one = decide(reading({"Profile": chain})).classes
    long = [name for name in one.values() if len(name) > 60]
    assert long
    assert all(name.endswith(("Attributes", "Events")) for name in long)
    two = decide(reading({"Profile": chain, "Lead": chain})).classes
    assert len({*two.values()}) == len(two)
    assert {*one.values()} - {*two.values()} <= {*long}


def test_classes_avoid_what_the_modules_import():
    keys = ["Any", "Literal", "TypedDict", "UNSET", "Response", "None", "Pet", "pet", "PET"]
    classes = decide(
        reading({key: {"type": "object", "properties": {"a": {}}} for key in keys})
    ).classes
    assert classes["Any"] == "AnyModel"
    assert classes["UNSET"] == "UNSETModel"
    assert classes["None"] == "NoneModel"
    assert classes["Pet"] == "Pet"
    assert classes["PET"] == "PET"
    assert classes["pet"].startswith("Pet")
    assert len(set(classes.values())) == len(keys)
    assert not python_names.RESERVED_CLASSES & set(classes.values())


def test_a_component_keeps_its_name_where_a_lifted_one_would_have_it_too():
    owner = {"type": "object", "properties": {"name": {"type": "string"}}}
    pet = {"type": "object", "properties": {"owner": owner}}
    other = {"type": "object", "properties": {"age": {"type": "integer"}}}
    classes = decide(reading({"Pet": pet, "PetOwner": other})).classes
    assert classes["PetOwner"] == "PetOwner"
    assert classes["Pet/owner"] == "PetOwnerInline"
    assert decide(reading({"Pet": pet})).classes["Pet/owner"] == "PetOwner"


def known(names: Names) -> KnownNames:
    return KnownNames(names.server, names.modules, names.functions, names.keywords, names.classes)


def test_what_the_lock_names_keeps_its_name():
    owner = {"type": "object", "properties": {"name": {"type": "string"}}}
    pet = {"type": "object", "properties": {"owner": owner}}
    other = {"type": "object", "properties": {"age": {"type": "integer"}}}
    before = decide(reading({"Pet": pet}))
    after = decide(reading({"Pet": pet, "PetOwner": other}), known=known(before))
    assert after.classes["Pet/owner"] == "PetOwner"
    assert after.classes["PetOwner"] != "PetOwner"
    same = decide(reading({"Pet": pet, "PetOwner": owner}), known=known(before))
    assert same.classes == {"Pet": "Pet", "PetOwner": "PetOwner"}
    one = decide(api(tool("a-b", tag="x y")))
    two = decide(api(tool("a-b", tag="x y"), tool("a_b", tag="x_y")), known=known(one))
    assert two.functions["a-b"] == "a_b"
    assert two.modules["x y"] == "x_y"


def test_adding_an_operation_renames_nothing():
    schemas = {"Pet": {"type": "object", "properties": {"tags": {"enum": ["x" * 40, "y" * 40]}}}}
    tools = [tool("listPets", {"petId": True}, result=ref("Pet"), tag="pets")]
    before = decide(api(*tools, schemas=schemas))
    after = decide(api(tool("addPet", {"pet_id": True}, tag="other"), *tools, schemas=schemas))
    for field in ("modules", "functions", "keywords", "classes"):
        assert dict(getattr(before, field)).items() <= dict(getattr(after, field)).items()


def test_a_lock_cannot_bring_in_other_names():
    known = KnownNames(
        server="x\nimport os\n",
        modules={"pets": "../../evil"},
        functions={"a": "x(); import os"},
        keywords={"a": {"id": "class"}},
        classes={"Pet": "Any"},
    )
    document = reading({"Pet": {"type": "object", "properties": {"a": {}}}})
    document = structs.replace(
        document, tools=(*document.tools, tool("a", {"id": True}, tag="pets"))
    )
    names = decide(document, known=known)
    assert names.package == f"{names.server}_mcp" == f"{decide(document).server}_mcp"
    assert names.modules["pets"] == "pets"
    assert names.functions["a"] == "a"
    assert names.keywords["a"] == {"id": "id"}
    assert names.classes["Pet"] == "Pet"
