"""What the operator fixed or hid, and credentials: an agent gives them in no place or spelling."""

import json
from typing import Any

import pytest
from command_line import run
from mcp import Client
from mcp_types import CallToolResult
from tables import table

from .servers import Server, imported, of_document, openapi, packaged, write

OPEN = {"type": "object", "additionalProperties": True}
SETTINGS = """
[tools."*".arguments]
tenant.value = "acme"
region.env = "WITHHELD_REGION"
debug.hidden = true
page.default = 1
"""
NAMES = ("tenant", "region", "debug")
OF_NAMES = """
[tools.deep.arguments]
"filter[tenant]".value = "acme"
[tools.form.arguments]
"more[admin]".hidden = true
more_x.hidden = true
[tools.list.arguments]
is_admin.hidden = true
"a.b".hidden = true
is_an_admin.hidden = true
[tools.add.arguments]
tenant.value = "acme"
"user.role".hidden = true
"b[c]".hidden = true
[tools.json.arguments]
tenant.value = "acme"
"""
named = of_document("withheld-names", settings=OF_NAMES)


@pytest.fixture(scope="module")
def server(upstream, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WITHHELD_REGION", "eu")
        patch.setenv("WITHHELD_KEY", "SECRET-QUERY")
        patch.setenv("WITHHELD_SESSION_KEY", "SECRET-COOKIE")
        patch.setenv("WITHHELD_SECRET", "SECRET-HEADER")
        folder = tmp_path_factory.mktemp("withheld")
        yield packaged("withheld", folder, upstream, settings=SETTINGS)


def refusals(server: Server, tool: str, *given: dict[str, Any]) -> list[str]:
    """What one client is told of these calls, of which none sends anything."""
    server.upstream.seen = []

    async def use(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(tool, arguments) for arguments in given]

    results = server.use(use)
    assert all(result.is_error for result in results)
    assert not server.upstream.seen
    return ["".join(getattr(block, "text", "") for block in each.content) for each in results]


def are_withheld(server: Server, tool: str, *given: dict[str, Any]) -> bool:
    return all("cannot be given" in text for text in refusals(server, tool, *given))


def spellings(name: str) -> list[str]:
    encoded = f"%{ord(name[0]):02X}{name[1:]}"
    return [
        *(name, name.upper(), f"{name}[]", f"{name}[x]", encoded, f"{name}%5B%5D"),
        *(f" {name}", f"{name} ", f"\u00a0{name}", f"%20{name}", f" {name.title()}[x]"),
        *(name.replace("_", each) for each in (".", " ", "[", "%2E", "+") if "_" in name),
        *(f"[{name}]", f"{name}]", f"[{name}][x]", f"%5B{name}%5D", f"][ {name}", f"{name}]x"),
    ]


def control_characters(name: str) -> list[str]:
    return [f"{name}\0x", f"{name}\n", f"\t{name}", "a\x7fb", f"{name}%00x", f"\x85{name}"]


@pytest.mark.parametrize("tool", ["form", "spaced"])
@pytest.mark.parametrize("name", [*NAMES, "api_key"])
def test_a_spread_object_sets_no_other_parameter(server, tool, name):
    members = spellings(name)
    given = [{"filter": {"colour": "red", member: "rival"}} for member in members]
    for member, refused in zip(members, refusals(server, tool, *given), strict=True):
        assert f"`filter.{member}` cannot be given here" in refused
        assert not any(each in refused for each in ("acme", "eu", "SECRET"))


def test_free_members_and_parameters_go_out(server):
    assert "`filter.tenant`" in server.call("form", {"filter": '{"tenant": "rival"}'}).refused
    refused = server.call("form", {"filter": {"limit": "5"}}).refused
    assert "`filter.limit` is an argument of its own: give it as `limit`." in refused
    assert "give it as `page`" in server.call("form", {"filter": {"page": 2}}).refused
    sent = {"colour": "red", "Limit": "5", "tenants": "b", "x[tenant]": "c"}
    query = server.call("form", {"filter": sent, "limit": "1"}).request.query
    own = {"limit": "1", "page": "1", "tenant": "acme", "region": "eu", "api_key": "SECRET-QUERY"}
    assert dict(query) == {**sent, **own}
    assert len(query) == len(sent) + len(own)
    query = server.call("closed", {"filter": {"tenant": "rival"}}).request.query
    assert ("filter", "tenant,rival") in query
    assert ("tenant", "acme") in query
    assert list(server.arguments("form")["filter"]["properties"]) == ["colour"]
    (told,) = [
        each for each in server.summary["diagnostics"] if each["code"] == "replaced-argument"
    ]
    assert "`filter` of `form` loses `tenant`" in told["message"]
    listed = json.dumps([tool.model_dump(mode="json") for tool in server.tools.values()])
    for name in ("region", "debug", "api_key", "sid", "X-Secret"):
        assert f'"{name}"' not in listed


def test_a_deep_object_sets_no_parameter_with_brackets_in_its_name(named):
    members = spellings("tenant")
    assert are_withheld(named, "deep", *({"filter": {member: "rival"}} for member in members))
    query = named.call("deep", {"filter": {"colour": "red"}}).request.query
    assert query == [("filter[colour]", "red"), ("filter[tenant]", "acme")]


def test_a_deep_object_of_a_form_sets_no_field_either(named):
    members = spellings("admin")
    assert are_withheld(named, "form", *({"more": {member: "1"}} for member in members))
    members = ["more[admin]x", "[more][admin]", "more.x", "more[x"]
    assert are_withheld(named, "form", *({member: "1"} for member in members))
    # PHP cuts a name at its NUL, and reads the bracket that stays open as `_`.
    given = [{name: {"x\0": "1"}} for name in ("more", "deep")]
    assert all("control character" in told for told in refusals(named, "form", *given))
    sent = named.call("form", {"more": {"x": "1"}, "deep": {"admin": "2"}}).request.form
    assert dict(sent) == {"more[x]": "1", "deep[admin]": "2"}


@pytest.mark.parametrize("name", [*NAMES, "sid"])
def test_a_spread_cookie_sets_no_other_cookie(server, name):
    members = spellings(name)
    assert are_withheld(server, "cookie", *({"prefs": {member: "rival"}} for member in members))
    cookie = server.call("cookie", {"prefs": {"theme": "dark"}}).request.header("cookie")
    assert cookie == "theme=dark; tenant=acme; region=eu; sid=SECRET-COOKIE"


@table(
    "tool, argument",
    *(("form", "filter"), ("spaced", "filter"), ("cookie", "prefs"), ("matrix", "options")),
    *(("whole", "q"), ("field", "more"), ("json", ""), ("urlencoded", ""), ("multipart", "")),
)
def test_no_member_has_a_control_character_in_its_name(server, tool, argument):
    rest = {} if argument else {"title": "x"}
    members = [{**rest, member: "rival"} for member in control_characters("colour")]
    given = [{argument: each} if argument else each for each in members]
    told = refusals(server, tool, *given)
    assert all("has a control character in its name" in text for text in told)
    members = [{**rest, member: "rival"} for member in control_characters("tenant")]
    refusals(server, tool, *({argument: each} if argument else each for each in members))


def test_a_hidden_argument_that_php_reads_by_another_name(named):
    """PHP's rules for names of `$_GET` and `$_POST`: blanks and dots, and a `[` that stays open."""
    members = ["is.admin", "is admin", " is_admin", "IS.Admin[x]", "is[admin", "is%2Eadmin", "a_b"]
    members += ["is[an[admin", "is.an[admin", "is[an admin"]
    assert are_withheld(named, "list", *({"filter": {each: "1"}} for each in members))
    sent = {"is-admin": "1", "x.admin": "2", "is_admins": "3", "s[is.admin]": "4", "is[an]": "5"}
    assert dict(named.call("list", {"filter": sent}).request.query) == sent


def test_what_one_place_withholds_is_not_given_in_another_that_is_read_with_it(named):
    """PHP's `$_REQUEST`, Rails and ASP.NET read query and body as one, ASP.NET `a.b` as `a[b]`."""
    bodies = [{"title": "x", name: "1"} for name in ("tenant", "Tenant[]", "user[role]", "b.c")]
    assert are_withheld(named, "add", *bodies)
    members = ["user.role", "user[role]", "User[Role][x]", "user.role.x", "b[c]", "b.c", "b.C[x]"]
    # Spring's default of a field and its keys in quotes, Rails' parts of a date, the method itself.
    members += ["!tenant", "!user.role", "b['c']", 'b["c"]', "tenant(1i)", "_method", "_METHOD"]
    assert are_withheld(named, "add", *({"filter": {each: "1"}} for each in members))
    bodies = [{"title": "x", name: "delete"} for name in ("action", "!action", "_method")]
    assert are_withheld(named, "fixed", *bodies)
    sent = {"tenants": "1", "user.name": "2", "b.d": "3"}
    request = named.call("add", {"filter": sent, "colour": "red"}).request
    assert dict(request.query) == {**sent, "tenant": "acme"}
    assert dict(request.form) == {"colour": "red"}


@pytest.mark.parametrize("tool", ["json", "urlencoded", "multipart"])
@pytest.mark.parametrize("name", NAMES)
def test_an_open_body_sets_nothing_that_is_withheld(server, tool, name):
    members = spellings(name)
    given = [{"title": "x", member: "rival"} for member in members]
    for member, refused in zip(members, refusals(server, tool, *given), strict=True):
        assert f"`{member}` cannot be given here: leave it out." in refused


def test_open_bodies_are_safe_by_their_order(server):
    given = {"title": "x", "colour": "red"}
    sent = {**given, "tenant": "acme", "region": "eu", "page": 1}
    assert server.call("json", given).request.json == sent
    assert dict(server.call("urlencoded", given).request.form) == {**sent, "page": "1"}
    parts = {
        part.name: part.content.decode() for part in server.call("multipart", given).request.parts
    }
    assert parts == {**sent, "page": "1"}
    handlers = (server.folder / server.package / "handlers/json.py").read_text("utf-8")
    assert "**extra,\n" in handlers or "{**extra, " in handlers
    assert handlers.index("**extra") < handlers.index('"title": title')
    assert '"debug": UNSET' in handlers


def test_paths_headers_fields_and_query_strings_stay_apart(server):
    members = spellings("tenant")
    assert are_withheld(server, "matrix", *({"options": {member: "rival"}} for member in members))
    call = server.call("matrix", {"options": {"colour": "red"}})
    assert call.request.path.endswith("/matrix;colour=red;tenant=acme")
    request = server.call("header", {"X-Labels": {"tenant": "a", "X-Secret": "b"}}).request
    assert request.header("x-labels") == "tenant=a,X-Secret=b"
    assert (request.header("tenant"), request.header("x-secret")) == ("acme", "SECRET-HEADER")
    members = [{name: "rival"} for name in NAMES]
    given = [{"more": more} for more in (*members, *map(json.dumps, members))]
    assert are_withheld(server, "field", *given)
    assert "give it as `title`" in server.call("field", {"more": {"title": "x"}}).refused
    form = server.call("field", {"title": "x", "more": {"colour": "red"}}).request.form
    assert dict(form) == {"title": "x", "colour": "red", "tenant": "acme", "region": "eu"}
    members = spellings("api_key")
    assert are_withheld(server, "whole", *({"q": {member: "rival"}} for member in members))
    query = server.call("whole", {"q": {"colour": "red"}}).request.query
    assert query == [("colour", "red"), ("api_key", "SECRET-QUERY")]
    assert "cannot be given" in server.call("listed", {"filter": {"action": "drop"}}).refused


def test_a_handler_that_a_person_edited_is_covered(named):
    """Here one writes undeclared members last, as handlers of older servers do."""
    handlers = named.folder / named.package / "handlers/json.py"
    text = handlers.read_text("utf-8")
    assert text.count('"tenant": "acme"') == 1
    handlers.write_text(text.replace('"tenant": "acme"', '"tenant": "acme", **extra'), "utf-8")
    assert run("update", str(named.folder)).exit_code == 0
    assert '"tenant": "acme", **extra' in handlers.read_text("utf-8")
    server = imported(named.folder, named.upstream)
    assert "cannot be given" in server.call("json", {"title": "x", "Tenant": "rival"}).refused
    assert server.call("json", {"title": "x", "a": 1}).request.json["tenant"] == "acme"


def test_a_form_of_openapi_2(upstream, tmp_path):
    text = {"in": "formData", "type": "string"}
    fields = [{"name": name, **text} for name in ("title", *NAMES)]
    form = {"operationId": "form", "consumes": ["multipart/form-data"], "parameters": fields}
    info = {"title": "Older", "version": "1"}
    form["responses"] = {"200": {"description": "It."}}
    document = {"swagger": "2.0", "info": info, "paths": {"/form": {"post": form}}}
    settings = SETTINGS.replace('region.env = "WITHHELD_REGION"', "region.hidden = true")
    server = packaged(document, tmp_path, upstream, settings=settings)
    for name in NAMES:
        assert name in server.call("form", {"title": "x", name: "rival"}).refused
    parts = server.call("form", {"title": "x"}).request.parts
    assert {part.name: part.content for part in parts} == {"title": b"x", "tenant": b"acme"}


def test_a_tool_file(upstream, tmp_path):
    properties = {name: {"type": "string"} for name in ("title", "tenant")}
    tool = {"name": "post", "description": "Post it.", "http": "POST /things"}
    tool["inputSchema"] = {**OPEN, "properties": properties}
    document = {"server": {"name": "byhand", "baseUrl": "https://a.example"}, "tools": [tool]}
    settings = '[tools.post.arguments]\ntenant.value = "acme"\n'
    server = packaged(document, tmp_path, upstream, settings=settings)
    given = [{"title": "x", name: "rival"} for name in ("Tenant", " tenant")]
    assert are_withheld(server, "post", *given)
    assert "control character" in server.call("post", {"title": "x", "a\0": "rival"}).refused
    sent = server.call("post", {"title": "x", "colour": "red"}).request.json
    assert sent == {"title": "x", "colour": "red", "tenant": "acme"}


def test_each_of_several_sources_has_its_own_credentials(upstream, tmp_path):
    def document(title, tool, key):
        where = {"name": "filter", "in": "query", "schema": OPEN}
        listing = {"operationId": tool, "parameters": [where], "responses": {"200": {}}}
        schemes = {"key": {"type": "apiKey", "in": "query", "name": key}}
        more = {"components": {"securitySchemes": schemes}, "security": [{"key": []}]}
        return openapi(title, {f"/{tool}": {"get": listing}}, **more)

    write(tmp_path / "second.json", document("Two", "listTwo", "token"))
    settings = f'[[with]]\nsource = "{tmp_path}/second.json"\nname = "two"\n'
    server = packaged(document("One", "list", "api_key"), tmp_path, upstream, settings=settings)
    for tool, names in (("list", ("api_key", "api.key")), ("listTwo", ("token", " token"))):
        assert are_withheld(server, tool, *({"filter": {name: "x"}} for name in names))


def test_a_pattern_that_misses_a_member_of_a_body_is_told(tmp_path):
    text = {"type": "string"}
    schema = {"type": "object", "properties": {"tenant": text}, "patternProperties": {"^x-": text}}
    add = {"operationId": "add", "responses": {"200": {}}}
    add["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    write(tmp_path / "document.json", openapi("Withheld", {"/things": {"post": add}}))
    settings = 'source = "../document.json"\n[tools."*".arguments]\ntenant.env = "T"\n'
    write(tmp_path / "server/mcpgen.toml", settings)
    done = run("update", str(tmp_path / "server"))
    assert done.exit_code == 0
    assert "agents can still set `tenant` as a member of `body` in `add`" in done.output
    assert "before_request" in done.output
