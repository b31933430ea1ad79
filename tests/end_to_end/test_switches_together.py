"""Each switch, and each pair of them, on both surfaces of a gateway of three sources over HTTP."""

import json
import re
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

import httpx2
import pytest
from runtime.serving import current, in_thread

from .servers import Server
from .test_switches import ALONE, EVERY, GROUPS, READING, SETTINGS, gateway, started
from .upstream import Answer

MORE = """http_tokens = true
list_changed = true
"""
PATTERNS = """[tools."crm_add*"]
enabled = false
[tools."group:books"]
scopes = ["lib"]
[tools."POST /shelves/*"]
annotations.readOnlyHint = true
"""
WRITES = ("addBook", "dropBook", "tidy", "crm_addPerson", "add")
SCOPED = {"addBook": "books:write", "crm_getPerson": "crm"}
SURFACES = ("tools", "search")


@dataclass(frozen=True)
class Switch:
    """One switch: how it is set, and what it takes away."""

    off: frozenset[str] = frozenset()
    out_of_scope: frozenset[str] = frozenset()
    """Tools that are on, and whose scope the caller lacks."""
    settings: dict[str, Any] = field(default_factory=dict, hash=False)
    headers: dict[str, str] = field(default_factory=dict, hash=False)
    address: str = ""
    groups: frozenset[str] | None = None
    """The groups that it leaves on; None: all."""


def without(*left: str) -> frozenset[str]:
    return frozenset(EVERY) - frozenset(left)


SWITCHES = {
    "read only": Switch(without(*READING), settings={"read_only": True}),
    "only tools": Switch(
        frozenset({"getBook", "listShelves", "tidy"}),
        settings={"only_tools": ("all", "!getBook", "!shelf-marks")},
    ),
    "headers": Switch(
        without(*GROUPS["books"], *GROUPS["lending-desk"], "crm_getPerson"),
        headers={"X-MCP-Toolsets": "books,lending-desk", "X-MCP-Tools": "crm_get*"},
        groups=frozenset({"books", "lending-desk"}),
    ),
    "address": Switch(
        without(*GROUPS["books"]) | {"addBook", "dropBook"},
        address="/x/books/readonly",
        groups=frozenset({"books"}),
    ),
    "dry run": Switch(settings={"dry_run": "writes"}),
    "scopes": Switch(out_of_scope=frozenset(SCOPED)),
    "may use": Switch(frozenset({"listShelves", "getBook"})),
    "patterns": Switch(frozenset({"crm_addPerson"})),
}
PAIRS = [*combinations(SWITCHES, 2)]
for name, case in ALONE.items():
    wanted = {each for each in case.settings.get("only_tools", ()) if not each.startswith("!")}
    groups = frozenset(wanted & {*GROUPS}) if wanted and "all" not in wanted else None
    SWITCHES[name] = Switch(without(*case.on), settings=case.settings, groups=groups)


class Case:
    """Some switches, and what is left of the server with them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        chosen = [SWITCHES[name] for name in names]
        off = frozenset(chain.from_iterable(each.off for each in chosen))
        if {"patterns", "read only"} <= {*names}:
            off -= {"tidy"}
        if {"patterns", "address"} <= {*names}:
            off |= {"tidy"}
        self.out_of_scope = frozenset(chain.from_iterable(each.out_of_scope for each in chosen))
        if {"patterns", "scopes"} <= {*names}:
            self.out_of_scope |= {"listBooks", "dropBook"}
        self.on = frozenset(EVERY) - off
        self.out_of_scope &= self.on
        self.seen = self.on - self.out_of_scope
        self.address = "".join(each.address for each in chosen)
        self.headers = {k: v for each in chosen for k, v in each.headers.items()}
        self.settings = {k: v for each in chosen for k, v in each.settings.items()}
        self.groups = [each.groups for each in chosen if each.groups is not None]
        self.is_dry = "dry run" in names
        self.is_told = bool({"read_only", "only_tools"} & {*self.settings})

    def writes(self, tool: str) -> bool:
        return tool in WRITES and not (tool == "tidy" and "patterns" in self.names)


@dataclass
class Gateways:
    """The two servers, without and with tables for several tools; those that run, by settings."""

    plain: Server
    patterned: Server
    tokens: dict[tuple[str, bool], str]
    """By the package, and whether the caller lacks scopes."""
    running: dict[str, str]
    stack: ExitStack

    def url(self, case: Case) -> str:
        server = self.patterned if "patterns" in case.names else self.plain
        may_use = "may use" in case.names
        key = json.dumps([server.package, may_use, "patterns" in case.names, case.settings])
        if key not in self.running:
            hooks, app = server.module("hooks"), server.module("server").APP
            with pytest.MonkeyPatch.context() as patch:
                if may_use:
                    off = SWITCHES["may use"].off
                    patch.setattr(hooks, "may_use", lambda t, _: t not in off, raising=False)
                made = app.parts.kind(
                    base_url=server.upstream.url,
                    http_tokens_file=str(server.folder / "tokens"),
                    **case.settings,
                )
                served = server.module("server").create_app(made)
            self.running[key] = self.stack.enter_context(in_thread(served))
        return f"{self.running[key]}/mcp"


@pytest.fixture(scope="module")
def gateways(upstream, tmp_path_factory):
    upstream.answer = Answer(body=b"{}")
    made = []
    head, _, rest = SETTINGS.partition("[tools.addBook]")
    for name, more in (("plain", ""), ("several", PATTERNS)):
        own = f'name = "{name}"\npackage = "{name}_library"\n{MORE}{head}'
        scopes = f'[tools.crm_getPerson]\nscopes = ["crm"]\n{more}[tools.addBook]{rest}'
        made.append(gateway(tmp_path_factory.mktemp(name), upstream, own + scopes))
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        tokens = {}
        for server in made:
            path = str(server.folder / "tokens")
            prefix = server.api.env_prefix
            for api in server.module("server").APP.apis.values():
                patch.setenv(f"{api.env_prefix}_BASE_URL", upstream.url)
            variables = {f"{prefix}_HTTP_TOKENS_FILE": path}
            for who, flags in ((False, ()), (True, ("--scopes", "none"))):
                code, said, told = started(
                    server, "--new-token", f"a{int(who)}", *flags, **variables
                )
                assert code == 0, told
                tokens[server.package, who] = said.strip()
        first, second = made
        yield Gateways(first, second, tokens, {}, stack)


class Caller:
    """One client, which narrows the server by all that a case says."""

    def __init__(self, gateways: Gateways, case: Case, surface: str, http: httpx2.Client) -> None:
        server = gateways.patterned if "patterns" in case.names else gateways.plain
        token = gateways.tokens[server.package, "scopes" in case.names]
        self._headers = {**case.headers, "Authorization": f"Bearer {token}"}
        self._url = f"{gateways.url(case)}/{surface}{case.address}"
        self._http = http
        self._upstream = server.upstream
        self.case = case

    def ask(self, method: str, **params: Any) -> tuple[int, dict[str, Any]]:
        message, headers = current("", {})
        body = {**message, "method": method}
        body["params"] = {**params, "_meta": message["params"]["_meta"]}
        names = {"Mcp-Method": method, "Mcp-Name": params.get("uri") or params.get("name", "")}
        sent = {**headers, **names, **self._headers}
        self._upstream.seen = []
        answer = self._http.post(self._url, json=body, headers=sent)
        return answer.status_code, answer.json()

    def result(self, method: str, **params: Any) -> dict[str, Any]:
        status, answer = self.ask(method, **params)
        assert status == 200, answer
        result: dict[str, Any] = answer["result"]
        return result

    def text(self, tool: str, **arguments: Any) -> str:
        result = self.result("tools/call", name=tool, arguments=arguments)
        return "\n".join(block["text"] for block in result["content"])

    @property
    def requests(self) -> list[str]:
        """The methods of what the APIs saw of the last request."""
        return [each.method for each in self._upstream.seen]


def arguments_of(name: str) -> dict[str, Any]:
    return {"id": 2} if name in ("getBook", "dropBook", "crm_getPerson") else {}


@pytest.mark.parametrize("names", [*zip(SWITCHES), *PAIRS], ids=", ".join)
@pytest.mark.parametrize("surface", SURFACES)
def test_nothing_that_is_off_is_reachable(gateways, names, surface):
    case = Case(names)
    with httpx2.Client() as http:
        caller = Caller(gateways, case, surface, http)
        instructions = caller.result("server/discover").get("instructions", "")
        assert ("Dry run" in instructions) == case.is_dry
        assert not _leaks(instructions, case)
        if surface == "tools":
            _tools(caller)
        else:
            _search(caller)
        _resources(caller)
        _prompts(caller)


def _leaks(text: str, case: Case, *asked: str) -> list[str]:
    """Names in a text of what is not there for the caller, but for those that it asked for."""
    words = {"add", "count", "tidy"}
    names = frozenset(EVERY) - case.seen - words - {*asked}
    return [name for name in names if re.search(rf"\b{name}\b", text)]


def _tools(caller: Caller) -> None:
    case = caller.case
    listed = caller.result("tools/list")
    assert {tool["name"] for tool in listed["tools"]} == case.seen
    assert listed["cacheScope"] == "private"
    for name in EVERY:
        status, answer = caller.ask("tools/call", name=name, arguments=arguments_of(name))
        if name in case.out_of_scope:
            assert (status, answer["error"]) == (403, "insufficient_scope")
            assert not caller.requests
        elif name not in case.on:
            told = answer["error"]["message"]
            assert told.startswith(f"Unknown tool: {name}")
            assert ("Switched off here: " in told) >= case.is_told
            _, unknown = caller.ask("tools/call", name="nothing", arguments={})
            assert told.replace(name, "nothing") == unknown["error"]["message"]
            assert not _leaks(told, case, name)
            assert not caller.requests
        else:
            _is_right(caller, name, answer["result"])


def _is_right(caller: Caller, name: str, result: dict[str, Any]) -> None:
    """The answer of a tool that is there, and what the APIs saw of it."""
    case, text = caller.case, json.dumps(result)
    if name == "listShelves" and "getBook" not in case.seen:
        assert "This needs the tool `getBook`" in text
        assert not caller.requests
    elif case.is_dry and case.writes(name):
        assert "Dry run: nothing was sent" in text
        assert not caller.requests
    else:
        assert not result.get("isError"), text
        assert len(caller.requests) == 1


def _search(caller: Caller) -> None:
    case = caller.case
    listed = {tool["name"]: tool for tool in caller.result("tools/list")["tools"]}
    told = listed["find_tools"]["description"]
    assert f"{len(case.seen)} tool" in told
    found = caller.text("find_tools", query="library them", limit=50)
    assert {name for name in EVERY if re.search(rf"^{name}\(", found, re.MULTILINE)} == case.seen
    areas = caller.text("find_tools")
    found_in = re.findall(r"^(\S.*?) \((\d+)", areas, re.MULTILINE)
    counts = {re.sub(r"[^a-z]+", "-", name.lower()): int(count) for name, count in found_in}
    sizes = {slug: len(case.seen & {*names}) for slug, names in GROUPS.items()}
    assert counts == {slug: size for slug, size in sizes.items() if size}
    effects = {f"call_{_effect(case, name)}_tool" for name in case.seen}
    assert {*listed} == {"find_tools", "describe_tools", "call_read_tool", *effects}
    assert not _leaks(found + areas + told, case)
    near = caller.text("describe_tools", names=["getBok", "dropBok", "crm_getPersn"])
    assert not _leaks(near, case)
    for name in EVERY:
        described = caller.text("describe_tools", names=[name])
        assert ("there is no such tool" in described) == (name not in case.seen)
        effect = _effect(case, name)
        for more in ({}, {"each": [{}]}):
            given = {"name": name, "arguments": arguments_of(name), **more}
            if name in case.seen:
                if not more:
                    asked = {"name": f"call_{effect}_tool", "arguments": given}
                    _is_right(caller, name, caller.result("tools/call", **asked))
                continue
            result = caller.result("tools/call", name=f"call_{effect}_tool", arguments=given)
            text = json.dumps(result)
            assert result["isError"]
            assert not caller.requests
            assert not _leaks(text, case, name)
            if name in case.out_of_scope:
                scope = "lib" if name in ("listBooks", "dropBook") else SCOPED[name]
                assert f"`{name}` needs scopes that your token lacks: `{scope}`." in text
            else:
                assert f"There is no tool `{name}`" in text
                assert ("Switched off here" in text) >= case.is_told


def _effect(case: Case, name: str) -> str:
    return "delete" if name == "dropBook" else "write" if case.writes(name) else "read"


def _resources(caller: Caller) -> None:
    case = caller.case
    listed = [each["uri"] for each in caller.result("resources/list")["resources"]]
    templates = caller.result("resources/templates/list")["resourceTemplates"]
    there = {uri for uri in listed if not uri.startswith("skill:")}
    assert len(there) == ("listShelves" in case.seen)
    assert len(templates) == ("getBook" in case.seen)
    scheme = f"{'several' if 'patterns' in case.names else 'plain'}-library"
    _, answer = caller.ask("resources/read", uri=f"{scheme}://books/1")
    assert ("error" in answer) == ("getBook" not in case.seen)
    ref = {"type": "ref/resource", "uri": f"{scheme}://books/{{id}}"}
    argument = {"name": "id", "value": ""}
    _, answer = caller.ask("completion/complete", ref=ref, argument=argument)
    assert ("error" in answer) == ("getBook" not in case.seen)
    is_on = all("lending-desk" in groups for groups in case.groups)
    assert ("skill://lending/SKILL.md" in listed) == is_on


def _prompts(caller: Caller) -> None:
    is_on = all("lending-desk" in groups for groups in caller.case.groups)
    prompts = [each["name"] for each in caller.result("prompts/list")["prompts"]]
    assert prompts == [*["audit"] * is_on, "stocktake"]
    _, answer = caller.ask("prompts/get", name="audit", arguments={"of": "x"})
    assert ("error" in answer) != is_on
