"""What operators and clients of a gateway switch off: how it is said, and what is refused."""

import json
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from runtime.issuer import RESOURCE, Issuer
from runtime.serving import current
from tables import table
from typed import assert_typed

from .servers import Server, openapi, packaged, read
from .upstream import Upstream

FIRST = {
    "getBook": ("GET /books/{id}", "Books"),
    "listBooks": ("GET /books", "Books"),
    "addBook": ("POST /books", "Books"),
    "dropBook": ("DELETE /books/{id}", "Books"),
    "listShelves": ("GET /shelves", "Shelf Marks"),
    "tidy": ("POST /shelves/tidy", "Shelf Marks"),
}
SECOND = {
    "crm_getPerson": ("GET /people/{id}", "people"),
    "crm_addPerson": ("POST /people", "people"),
}
EVERY = (*FIRST, *SECOND, "count", "add")
READING = ("getBook", "listBooks", "listShelves", "crm_getPerson", "count")
GROUPS = {
    "books": ("listBooks", "addBook", "dropBook"),
    "shelf-marks": ("listShelves", "tidy"),
    "crm-people": ("crm_getPerson", "crm_addPerson"),
    "lending-desk": ("getBook", "add"),
    "tally-http": ("count",),
}
SETTINGS = """surface = "search"
skills = true
resources = ["GET /books/*", "GET /shelves"]
[groups."Lending desk"]
tools = ["getBook", "POST /add"]
description = "Lend books."
prompts = ["audit"]
skills = ["lending"]
[tools.addBook]
scopes = ["books:write"]
[[with]]
source = "../crm.json"
name = "crm"
prefix = "crm_"
[[with]]
source = "../tally.json"
name = "tally"
"""
SKILL = "---\nname: lending\ndescription: How books are lent.\n---\n"
CALLER = """    book = await get_book(ctx, id=2)
    return {"found": book.status}
"""


class Case(NamedTuple):
    """Switches, and what they leave on."""

    settings: dict[str, Any]
    on: frozenset[str]


ALONE = {
    "nothing": Case({}, frozenset(EVERY)),
    "read only": Case({"read_only": True}, frozenset(READING)),
    "a group": Case({"only_tools": ("books",)}, frozenset(GROUPS["books"])),
    "a configured group": Case(
        {"only_tools": ("lending-desk",)}, frozenset(GROUPS["lending-desk"])
    ),
    "a name": Case({"only_tools": ("getBook",)}, frozenset({"getBook"})),
    "globs": Case(
        {"only_tools": ("crm_*", "shelf-*")}, frozenset({*SECOND, *GROUPS["shelf-marks"]})
    ),
    "without a group": Case(
        {"only_tools": ("!books", "!add*")}, frozenset({*EVERY} - {*GROUPS["books"], "add"})
    ),
    "all but": Case({"only_tools": ("all", "!getBook")}, frozenset({*EVERY} - {"getBook"})),
}


def _paired() -> Iterator[tuple[str, Case]]:
    for (one, first), (two, second) in combinations(ALONE.items(), 2):
        lists = [case.settings.get("only_tools", ()) for case in (first, second)]
        wanted = [any(not each.startswith("!") for each in each_list) for each_list in lists]
        if not all(lists) or not all(wanted):  # lists of wanted tools add up, others take away
            reads = any(case.settings.get("read_only") for case in (first, second))
            merged = {"read_only": reads, "only_tools": (*lists[0], *lists[1])}
            yield f"{one}, {two}", Case(merged, first.on & second.on)


CASES = {**ALONE, **dict(_paired())}


def operations(tools: dict[str, tuple[str, str]], prefix: str = "") -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for name, (operation, tag) in tools.items():
        method, _, path = operation.partition(" ")
        found: dict[str, Any] = {
            "operationId": name.removeprefix(prefix),
            "tags": [tag],
            "summary": f"Word{EVERY.index(name)} of the library",
            "responses": {"200": {"description": "", "content": {"application/json": {}}}},
        }
        if "{id}" in path:
            schema = {"type": "integer", "enum": [1, 2]}
            found["parameters"] = [{"name": "id", "in": "path", "required": True, "schema": schema}]
        paths.setdefault(path, {})[method.lower()] = found
    return paths


def gateway(folder: Path, upstream: Upstream, settings: str) -> Server:
    """A gateway of three sources; `listShelves` calls the handler of `getBook`."""
    further = openapi("Crm", operations(SECOND, "crm_"), servers=[{"url": upstream.url}])
    (folder / "crm.json").write_text(json.dumps(further))
    (folder / "tally.json").write_text(json.dumps(read("stocktaking")))
    made = packaged(openapi("Library", operations(FIRST)), folder, upstream, settings=settings)
    home = made.folder / made.package
    (home / "skills/lending").mkdir()
    (home / "skills/lending/SKILL.md").write_text(SKILL)
    path = home / "handlers/shelf_marks.py"
    code = path.read_text().replace('    return await ctx.api.send("GET", "/shelves")\n', CALLER, 1)
    head = "async def list_shelves(ctx: Context) -> "
    code = code.replace(f"{head}Response[Any]", f"{head}dict[str, Any]", 1)
    code = code.replace("import Any\n\n", "import Any\n\nfrom .books import get_book\n", 1)
    path.write_text(code)
    return made


@pytest.fixture(scope="module")
def library(upstream, tmp_path_factory):
    made = gateway(tmp_path_factory.mktemp("library"), upstream, SETTINGS)
    assert_typed(made.folder, made.package)
    return made


def started(library: Server, *flags: str, **env: str) -> tuple[int, str, str]:
    """What the command says, with an environment."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name, value in {"LIBRARY_BASE_URL": "http://127.0.0.1:9", **env}.items():
            patch.setenv(name, value)
        code = library.module("server").APP.main([*flags])
    return code, out.getvalue(), err.getvalue()


@table(
    "flags, env, told",
    (["--only-tools", "bokks"], {}, "called `bokks`: did you mean `books`?"),
    ([], {"LIBRARY_ONLY_TOOLS": "all,!dropBok"}, "called `dropBok`: did you mean `dropBook`?"),
    (["--only-tools", "zzz*"], {}, "no tool or group is called `zzz*`\n"),
    (["--only-tools", "!"], {}, "--only-tools must be groups, names of tools or globs"),
    ([], {"LIBRARY_READ_ONLY": "maybe"}, "LIBRARY_READ_ONLY must be true or false"),
    ([], {"LIBRARY_READ_ONLY": "${user_config.safe}"}, "LIBRARY_READ_ONLY holds `${...}`"),
    ([], {"LIBRARY_ONLY_TOOLS": "${TOOLS}"}, "LIBRARY_ONLY_TOOLS holds `${...}`"),
)
def test_a_switch_that_cannot_be_kept_stops_the_start(library, flags, env, told):
    code, out, err = started(library, "--list", *flags, **env)
    assert (code, out) == (2, "")
    assert told in err


def test_flags_and_variables_narrow_the_command(library):
    code, out, _ = started(library, "--list", "--read-only", LIBRARY_ONLY_TOOLS="books")
    assert (code, [line.split()[0] for line in out.splitlines()]) == (0, ["listBooks"])
    code, out, _ = started(library, "--list", "--only-tools", "count", LIBRARY_READ_ONLY="true")
    assert (code, [line.split()[0] for line in out.splitlines()]) == (0, ["count"])
    code, out, err = started(library, "--call", "addBook", "--read-only")
    assert (code, err) == (1, "")
    assert out.startswith("There is no tool `addBook`.")
    assert out.endswith("Switched off here: tools that write.\n")


@pytest.fixture(scope="module")
def served(library):
    with library.serving(base_url="http://127.0.0.1:9", http_anonymous=True) as base:
        yield f"{base}/mcp"


def posted(url: str, method: str, given: dict[str, str], **params: Any) -> tuple[int, Any]:
    message, headers = current("", {})
    params |= {"_meta": message["params"]["_meta"]}
    names = {"Mcp-Method": method, "Mcp-Name": params.get("uri") or params.get("name", "")}
    answer = httpx2.post(
        url, json={**message, "method": method, "params": params}, headers=headers | names | given
    )
    return answer.status_code, answer.json()


def listed_at(url: str, given: dict[str, str]) -> set[str]:
    """The tools that a client gets, of which it also learns that nobody else gets them."""
    status, answer = posted(url, "tools/list", given)
    assert status == 200, answer
    narrowed = any(given.values()) or not url.endswith(("/mcp", "/tools", "/search"))
    assert answer["result"]["cacheScope"] == ("private" if narrowed else "public")
    return {tool["name"] for tool in answer["result"]["tools"]}


def by_headers(case: Case) -> list[dict[str, str]]:
    """The headers that say the same as some switches, in the ways there are."""
    only = ",".join(case.settings.get("only_tools", ()))
    reads = {"X-MCP-Readonly": "true"} if case.settings.get("read_only") else {}
    return [{**reads, name: only} for name in ("X-MCP-Toolsets", "X-MCP-Tools")]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_client_switches_off_for_itself(served, case):
    for given in by_headers(case):
        if not any(given.values()):
            continue
        assert listed_at(f"{served}/tools", given) == case.on
        off = [*EVERY, "nothing"] if not case.on else sorted({*EVERY, "nothing"} - case.on)
        for name in off:
            _, answer = posted(f"{served}/tools", "tools/call", given, name=name, arguments={})
            assert answer["error"]["message"].startswith(f"Unknown tool: {name}. Switched off here")
        asked = {"name": "find_tools", "arguments": {"query": "library them", "limit": 50}}
        _, answer = posted(f"{served}/search", "tools/call", given, **asked)
        found = answer["result"]["content"][0]["text"]
        assert {name for name in EVERY if re.search(rf"^{name}\(", found, re.M)} == case.on
        _, answer = posted(served, "resources/list", given)
        uris = [each["uri"] for each in answer["result"]["resources"]]
        assert ("library://shelves" in uris) == ("listShelves" in case.on)


def test_addresses_and_headers_intersect(served):
    books, desk = ({*GROUPS[slug]} for slug in ("books", "lending-desk"))
    reading = {*READING}
    for path, given, on in (
        ("/readonly", {}, reading),
        ("/x/all", {}, {*EVERY}),
        ("/x/books", {}, books),
        ("/x/books/readonly", {}, books & reading),
        ("/readonly", {"X-MCP-Readonly": "0"}, reading),
        ("/x/all", {"X-MCP-Readonly": "yes"}, reading),
        ("", {"X-MCP-Toolsets": "books", "X-MCP-Tools": "getBook,add"}, books | desk),
        ("/x/books", {"X-MCP-Toolsets": "lending-desk"}, set()),
        ("/x/books", {"X-MCP-Tools": "!dropBook"}, books - {"dropBook"}),
    ):
        assert listed_at(f"{served}/tools{path}", given) == on, path
    for no in ("false", "F", "no", "n", "0", "off", ""):
        assert listed_at(f"{served}/tools", {"X-MCP-Readonly": no, "X-MCP-Tools": "*"}) == {*EVERY}
    for empty in ({"X-MCP-Toolsets": ""}, {"X-MCP-Tools": ","}):
        status, answer = posted(f"{served}/tools", "tools/list", empty)
        assert (status, answer["result"]["cacheScope"]) == (200, "public")
        assert {tool["name"] for tool in answer["result"]["tools"]} == {*EVERY}
    found = listed_at(f"{served}/search/x/books/readonly", {})
    assert found == {"find_tools", "describe_tools", "call_read_tool"}


@table(
    "path, given, told",
    ("/x/boks", {}, "called `boks`: did you mean `books`?"),
    ("/x/boks/readonly", {}, "`boks`"),
    ("", {"X-MCP-Toolsets": "books,nope"}, "no tool or group is called `nope`"),
    ("", {"X-MCP-Tools": "!dropBok"}, "did you mean `dropBook`?"),
    ("", {"X-MCP-Tools": "a b"}, "x-mcp-tools must be groups, names of tools or globs"),
    ("", {"X-MCP-Tools": ",".join(["books"] * 300)}, "has more than 100 entries"),
)
def test_what_a_client_names_in_vain_is_refused(served, path, given, told):
    status, answer = posted(f"{served}{path}", "tools/list", given)
    assert status == 400
    assert told in answer["error"]["message"]


def test_what_the_operator_switched_off_is_unknown_to_clients(library):
    only = ("books", "lending-desk", "!dropBook")
    with library.serving(http_anonymous=True, only_tools=only) as base:
        url = f"{base}/mcp/tools"
        on = {*GROUPS["books"], *GROUPS["lending-desk"]} - {"dropBook"}
        assert {each["name"] for each in posted(url, "tools/list", {})[1]["result"]["tools"]} == on
        assert listed_at(url, {"X-MCP-Toolsets": "books"}) == {*GROUPS["books"]} - {"dropBook"}
        for name in ("dropBook", "shelf-marks", "no-such"):
            status, answer = posted(url, "tools/list", {"X-MCP-Toolsets": name})
            assert (status, answer["error"]["message"].split(":")[0]) == (
                400,
                f"no tool or group is called `{name}`",
            )
            assert "dropBook" not in answer["error"]["message"].replace(f"`{name}`", "")


def test_addresses_behind_sign_in(library):
    """Each has its metadata and takes each one's tokens; what is off there asks for no scope."""
    issuer = Issuer({"one": []})
    with library.behind(issuer) as base:
        _ask_signed_in(issuer, base)


def _ask_signed_in(issuer: Issuer, base: str) -> None:
    for path in ("/x/books", "/readonly", "/tools/x/lending-desk/readonly"):
        status, _ = posted(f"{base}/mcp{path}", "tools/list", {})
        assert status == 401
        place = f"/.well-known/oauth-protected-resource/mcp{path}"
        challenge = httpx2.post(f"{base}/mcp{path}").headers["www-authenticate"]
        assert f'resource_metadata="https://mcp.example{place}"' in challenge
        assert httpx2.get(f"{base}{place}").json()["resource"] == f"{RESOURCE}{path}"
    for aud, at, status in (
        (f"{RESOURCE}/x/books", "", 200),
        (RESOURCE, "/x/books/readonly", 200),
        ([f"{RESOURCE}/tools/readonly"], "/x/books", 200),
        (f"{RESOURCE}/x/books/more", "", 401),
        (f"{RESOURCE}/y/books", "/x/books", 401),
        ("https://other.example/mcp/readonly", "/readonly", 401),
        (f"{RESOURCE}/x/nope", "/x/nope", 400),
    ):
        token = {"Authorization": f"Bearer {issuer.token('one', aud=aud)}"}
        assert posted(f"{base}/mcp{at}", "tools/list", token)[0] == status, aud
    token = {"Authorization": f"Bearer {issuer.token('one')}"}
    call = {"name": "addBook", "arguments": {}}
    assert posted(f"{base}/mcp/tools", "tools/call", token, **call)[0] == 403
    for path, given in (("/readonly", {}), ("", {"X-MCP-Tools": "getBook"})):
        _, answer = posted(f"{base}/mcp/tools{path}", "tools/call", token | given, **call)
        assert answer["error"]["message"].startswith("Unknown tool: addBook. Switched off here")
