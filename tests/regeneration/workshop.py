"""The server of a workshop, as people edited it: servers of older versions in `old_servers/`.

In `tests`, `python -m regeneration.workshop NAME` adds that of the mcpgen which is installed, with
what its API got when clients called it. `PYTHONPATH` may lead to another mcpgen.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from end_to_end.upstream import Answer, Upstream, listening
from mcp import Client, StdioServerParameters

FOLDER = Path(__file__).parent / "old_servers"
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
JOB = {
    "type": "object",
    "required": ["id", "title"],
    "properties": {"id": NUMBER, "title": TEXT, "owner": TEXT},
}
JOBS = [{"id": n, "title": f"Job {n}", "owner": "Ada"} for n in range(3)]
UNIT = {"enum": ["hours", "days"], "default": "hours"}


def document() -> dict[str, Any]:
    """A document as FastAPI writes them, and with what later versions take otherwise.

    It has an argument that is required and has a default, one whose name models' APIs refuse, a
    body that is a list, a name that two operations share, a deletion, and a login.
    """
    job = {"$ref": "#/components/schemas/Job"}
    new = {"type": "object", "required": ["title"], "properties": {"title": TEXT, "owner": TEXT}}
    numbers = {"type": "array", "items": NUMBER}
    things = {"type": "array", "items": {"type": "object", "properties": {"name": TEXT}}}
    jobs = {"type": "array", "items": job}
    query = [_parameter("unit", UNIT, required=True), _parameter("$top", NUMBER)]
    job_id = _parameter("job_id", NUMBER, place="path", required=True)
    customer_id = _parameter("customer_id", NUMBER, place="path", required=True)
    login = {"type": "oauth2", "flows": {"password": {"tokenUrl": "token", "scopes": {}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Workshop", "version": "1.0", "description": "Jobs of a workshop."},
        "servers": [{"url": "https://workshop.example"}],
        "security": [{"OAuth2PasswordBearer": []}],
        "paths": {
            "/jobs": {
                "get": _operation("list_jobs_jobs_get", "List Jobs", "jobs", jobs, *query),
                "post": _operation("create_job_jobs_post", "Create Job", "jobs", job, body=new),
            },
            "/jobs/{job_id}": {
                "get": _operation("get_job_jobs__job_id__get", "Get Job", "jobs", job, job_id),
                "delete": _operation(
                    "delete_job_jobs__job_id__delete", "Delete Job", "jobs", None, job_id
                ),
            },
            "/jobs/order": {
                "put": _operation(
                    "order_jobs_jobs_order_put", "Order Jobs", "jobs", numbers, body=numbers
                )
            },
            "/tools": {"get": _operation("Get-Tools", "List the tools.", "tools", things)},
            "/customers/{customer_id}/jobs": {
                "get": _operation(
                    *("list_jobs_customers__customer_id__jobs_get", "List Jobs", "customers"),
                    *(jobs, customer_id),
                )
            },
            "/health": {"get": _operation("health_health_get", "Health", "", {"type": "object"})},
        },
        "components": {
            "schemas": {"Job": JOB},
            "securitySchemes": {"OAuth2PasswordBearer": login},
        },
    }


def _parameter(name: str, schema: Any, place: str = "query", required: bool = False) -> Any:
    return {"name": name, "in": place, "required": required, "schema": schema}


def _operation(
    name: str, summary: str, tag: str, answer: Any, *parameters: Any, body: Any = None
) -> dict[str, Any]:
    content = {"application/json": {"schema": answer}}
    answers = {"200": {"description": "ok", "content": content}} if answer else {}
    sent = {"required": True, "content": {"application/json": {"schema": body}}}
    return {
        "operationId": name,
        "summary": summary,
        **({"tags": [tag]} if tag else {}),
        "parameters": [*parameters],
        **({"requestBody": sent} if body else {}),
        "responses": answers or {"204": {"description": "done"}},
    }


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("GET /jobs", {"unit": "days", "$top": 2}),
    ("POST /jobs", {"title": "Mend a chair ", "owner": "Ada"}),
    ("GET /jobs/{job_id}", {"job_id": 10_007}),
    ("DELETE /jobs/{job_id}", {"job_id": 7}),
    ("PUT /jobs/order", {"body": [3, 1, 2]}),
    ("GET /tools", {}),
    ("GET /customers/{customer_id}/jobs", {"customer_id": 5}),
    ("GET /health", {}),
)
"""What old clients call, by operation."""
EDITS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "workshop_mcp/handlers/jobs.py": (
        (
            '    return await ctx.api.send("GET", "/jobs/{job_id}"',
            "    job_id %= 10_000  # The first digit is that of the shop.\n"
            '    return await ctx.api.send("GET", "/jobs/{job_id}"',
        ),
        ('json={"title": title,', 'json={"title": tidy(title),'),
        ("\nif TYPE_CHECKING:", "\nfrom ..texts import tidy\n\nif TYPE_CHECKING:"),
    ),
    "workshop_mcp/handlers/tools.py": (("List the tools", "List what hangs on the wall"),),
    "workshop_mcp/hooks.py": (
        (
            '    """See or change a request before it is sent."""',
            '    """Say who asks."""\n    request.headers["X-Channel"] = "agent"',
        ),
    ),
    "tests/conftest.py": (('"user-agent")', '"user-agent", "x-channel")'),),
}
OWN = {
    "workshop_mcp/texts.py": "def tidy(text: str) -> str:\n    return text.strip()\n",
    "tests/test_texts.py": (
        "from workshop_mcp.texts import tidy\n\n\n"
        'def test_titles_are_tidy() -> None:\n    assert tidy(" a ") == "a"\n'
    ),
}
"""Modules of people's own."""
README = "\n## On call\n\nAsk at the bench.\n"
TABLE = 'title = "One job"\ndescription = "A job, by its number."'
SEARCH = ("--surface", "search")
SERVERS: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = {
    "650188d1": ((), {"GET /jobs/{job_id}": TABLE}),
    "9907d11a": ((), {"GET /jobs/{job_id}": TABLE}),
    "b4b45078": ((), {"GET /jobs/{job_id}": TABLE}),
    "96b874cd": ((*SEARCH, "--runtime", "package"), {"GET /jobs/{job_id}": TABLE}),
    "65fb3709": (SEARCH, {"DELETE /jobs/{job_id}": 'scopes = ["jobs:write"]'}),
}
"""The flags and the tables of each server's settings, by the commit that generated it."""
SECRET = ("WORKSHOP_OAUTH2_PASSWORD_BEARER", "t")
"""The variable that is set where they run."""
IMAGE = ("python:3.13-slim", "registry.workshop.example/python:3.13")


def edit(folder: Path) -> None:
    """Edit a new server as people do."""
    for path, edits in EDITS.items():
        text = (folder / path).read_text()
        for old, new in edits:
            assert text.count(old) == 1, (path, old)
            text = text.replace(old, new)
        (folder / path).write_text(text)
    for path, text in OWN.items():
        (folder / path).write_text(text)
    with (folder / "README.md").open("a") as file:
        file.write(README)
    template = folder.parent / "templates/Dockerfile.jinja"
    assert IMAGE[0] in template.read_text()
    template.write_text(template.read_text().replace(*IMAGE))


def make(name: str) -> None:
    """Write the archive of a server that the mcpgen of this environment generates."""
    options, settings = SERVERS[name]
    with tempfile.TemporaryDirectory() as place:
        top, folder = Path(place), Path(place, "server")
        (top / "api.json").write_text(json.dumps(document(), indent=1))
        _mcpgen(top, "from-openapi", "api.json", "-o", "server", *options)
        _mcpgen(top, "templates", "eject", "Dockerfile.jinja", "--to", "templates")
        edit(folder)
        tools = json.loads((folder / "mcpgen.lock").read_text())["tools"]
        toml = (folder / "mcpgen.toml").read_text()
        toml = toml.replace('# templates = ""', 'templates = "../templates"')
        for key, table in settings.items():
            toml += f'\n[tools."{tools[key]}"]\n{table}\n'
        (folder / "mcpgen.toml").write_text(toml)
        _mcpgen(top, "update", "server")
        if "package" in options:
            _mcpgen(top, "runtime-wheel", "-o", "wheels")
        (top / "calls.json").write_text(json.dumps(_recorded(folder, tools), indent=1))
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.tar.xz").write_bytes(_packed(top))


def _mcpgen(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-P", "-m", "mcpgen", *arguments]
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)


def _recorded(folder: Path, tools: Mapping[str, str]) -> list[dict[str, Any]]:
    """What old clients call, and what the API got."""
    wheels = ":".join(map(str, folder.parent.glob("wheels/*")))
    environ = {**os.environ, SECRET[0]: SECRET[1], "PYTHONPATH": wheels}
    top = "$top" if '"$top"' in (folder / "workshop_mcp/tools.json").read_text() else "top"

    async def record(api: Upstream) -> list[dict[str, Any]]:
        flags = ["-m", "workshop_mcp", "--base-url", api.url]
        server = StdioServerParameters(
            command=sys.executable, args=flags, cwd=str(folder), env=environ
        )
        async with Client(server) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            calls = []
            for operation, arguments in CALLS:
                tool = tools[operation]
                given = {{"$top": top}.get(name, name): each for name, each in arguments.items()}
                if "call_read_tool" in listed:
                    given = {"name": tool, "arguments": given}
                    tool = f"call_{'read' if operation.startswith('GET') else 'write'}_tool"
                calls.append({"tool": tool, "arguments": given})
            return [{**each, **await request(client, api, each)} for each in calls]

    with listening() as api:
        return anyio.run(record, api)


async def request(client: Client, api: Upstream, call: Mapping[str, Any]) -> dict[str, Any]:
    """What an API gets of a call; the text of a call that is refused."""
    api.answer, api.seen = Answer.of(JOBS), []
    result = await client.call_tool(call["tool"], call["arguments"])
    if not api.seen:
        return {"refused": "".join(getattr(each, "text", "") for each in result.content)}
    (seen,) = api.seen
    sent = json.loads(seen.body) if seen.body else None
    headers = [seen.header(name) for name in ("authorization", "x-channel")]
    return {"request": f"{seen.method} {seen.target}", "body": sent, "headers": headers}


def _packed(top: Path) -> bytes:
    """An archive of what matters for an update: all but the runtime, which it makes again."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:xz", preset=9) as archive:
        for path in sorted(top.rglob("*")):
            parts = path.relative_to(top).parts
            if path.is_file() and not {"_runtime", "__pycache__", "wheels"} & {*parts}:
                entry = tarfile.TarInfo("/".join(parts))
                entry.size = path.stat().st_size
                archive.addfile(entry, io.BytesIO(path.read_bytes()))
    return out.getvalue()


if __name__ == "__main__":
    make(*sys.argv[1:])
