"""Run clients that nobody here wrote against generated servers.

    python tests/conformance/clients.py NODE_MODULES

The Inspector lists the tools of every server in `generated_examples/` and may call no schema an
error. The TypeScript clients, version 1 and version 2 in each of its modes, list and call the tools
of the conformance suite's server over stdio and HTTP, with sessions and without. NODE_MODULES is as
for `run.py`. Exit code 1 where one of them sees something else than is there.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hosting import ROOT, Served, installed, served

MODES = (("v1.mjs", ""), ("v2.mjs", "auto"), ("v2.mjs", "pin"), ("v2.mjs", "legacy"))
CALLS = [
    ["test_simple_text", {}],
    ["test_region", {"region": "eu\u2028✓"}],
    ["test_tool_with_progress", {}],
    ["test_error_handling", {}],
    ["no_such_tool", {}],
    ["test_image_content", {}],
    ["test_audio_content", {}],
]
TIMEOUT = 60
"""Seconds for one client."""


def inspected(example: Path, modules: Path, home: str) -> list[str]:
    """What the Inspector calls an error in an example's tools."""
    node, script = installed(modules, ".bin/mcp-inspector")
    (package,) = [path.parent.name for path in example.glob("*/tools.json")]
    command = [node, script, "--cli", sys.executable, "-m", package, "--cwd", str(example)]
    command += ["--transport", "stdio", "--protocol-era", "modern"]
    command += ["--method", "tools/list", "--strict", "--format", "json"]
    done = run(command, HOME=home)
    expected = [tool["name"] for tool in tools_of(example)]
    if (example / package / "search.json").is_file():
        lock = json.loads((example / "mcpgen.lock").read_text(encoding="utf-8"))
        expected = lock["own_tools"]
    if done.returncode:
        return [f"{example.name}: exit code {done.returncode}: {done.stderr[-1500:]}"]
    listed = [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    return [] if listed == expected else [f"{example.name}: {listed} is listed, not {expected}"]


def tools_of(folder: Path) -> list[dict[str, Any]]:
    """The tools of a generated server."""
    (path,) = folder.glob("*/tools.json")
    tools: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["tools"]
    return tools


def run(command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    """Run a client to its end."""
    environment = {**os.environ, **more}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=TIMEOUT, env=environment
    )


def used(server: Served, client: str, mode: str, kind: str, modules: Path) -> list[str]:
    """What a TypeScript client sees that is not there, or does not see."""
    node = installed(modules, client)[0]
    script = str(modules.parent / "clients" / client)
    target = list(server.command) if kind == "stdio" else [server.url]
    command = [node, script, json.dumps(CALLS), kind, *target]
    done = run(command, ERA=mode, PYTHONPATH=str(server.folder))
    name = " ".join(filter(None, (client, mode, kind)))
    if done.returncode:
        return [f"{name}: exit code {done.returncode}: {done.stderr[-1500:]}"]
    seen = json.loads(done.stdout.rstrip("\n").split("\n")[-1])
    era = "modern" if mode in ("auto", "pin") else "legacy"
    return [f"{name}: {problem}" for problem in problems(seen, era, server)]


def problems(seen: dict[str, Any], era: str, server: Served) -> Iterator[str]:
    """Where a client's report differs from what the server offers."""
    expected = [tool["name"] for tool in tools_of(server.folder)]
    listed = [tool["name"] for tool in seen["tools"]]
    if (seen["era"], listed) != (era, expected):
        yield f"{seen['era']}: {listed}, not {era}: {expected}"
    results = (call["result"] for call in seen["calls"])
    text, region, progress, error, unknown, picture, sound = results
    if "simple text" not in text.get("content", [{}])[0].get("text", ""):
        yield f"a text: {text}"
    if region.get("structuredContent") != {"region": "eu\u2028✓"}:
        yield f"structured content: {region}"
    if progress.get("content", [{}])[0].get("text") != "done":
        yield f"a Python handler: {progress}"
    if seen["calls"][2]["progress"] != [0, 50, 100]:
        yield f"progress: {seen['calls'][2]['progress']}"
    if error.get("isError") is not True:
        yield f"an error: {error}"
    if unknown.get("threw") != -32602:
        yield f"an unknown tool: {unknown}"
    for kind, result in (("image", picture), ("audio", sound)):
        block = result.get("content", [{}])[0]
        if (block.get("type"), block.get("mimeType", "")[:5]) != (kind, kind):
            yield f"a block of {kind}: {result}"
    contents = [result.get("contents", [{}])[0].get("uri") for result in seen["read"]]
    if contents != [resource["uri"] for resource in seen["resources"]]:
        yield f"resources: {seen['read']}"
    if seen["missing"].get("threw") not in (-32602, -32002):
        yield f"an unknown resource: {seen['missing']}"
    if not seen["prompts"]:
        yield "no prompts"


def main(modules: Path) -> int:
    """Run every client; the exit code."""
    examples = sorted(path.parent.parent for path in ROOT.glob("generated_examples/*/*/tools.json"))
    pairs = [(client, mode, kind) for client, mode in MODES for kind in ("stdio", "http")]
    bare = [(client, mode, "http") for client, mode in MODES]
    with (
        tempfile.TemporaryDirectory() as scratch,
        served(Path(scratch, "kept")) as server,
        served(Path(scratch, "none"), stateless=True) as stateless,
        ThreadPoolExecutor(2) as pool,
    ):
        home = Path(scratch, "home")
        home.mkdir()
        strict = list(pool.map(lambda path: inspected(path, modules, str(home)), examples))
        clients = list(pool.map(lambda pair: used(server, *pair, modules), pairs))
        clients += pool.map(lambda pair: used(stateless, *pair, modules), bare)
    found = [problem for group in (*strict, *clients) for problem in group]
    passed = (sum(not group for group in strict), sum(not group for group in clients))
    print(*found, sep="\n")
    print(f"Inspector: {passed[0]} of {len(examples)} servers without an error")
    print(f"TypeScript clients: {passed[1]} of {len(clients)} ways")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
