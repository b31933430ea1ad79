"""Run the official conformance suite against a server generated from `tools.yaml`.

    python tests/conformance/run.py NODE_MODULES [SCENARIO ...]

NODE_MODULES holds `@modelcontextprotocol/conformance` and `node`, 22.19 or later, as after
`npm install @modelcontextprotocol/conformance@0.2.0-alpha.12 node@22`. Exit code 1 on a failure.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TOOLS = (
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
    "dns-rebinding-protection",
)
SCENARIOS = {
    "2025-11-25": (
        *TOOLS,
        "server-initialize",
        "ping",
        "server-sse-multiple-streams",
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
    ),
    "2026-07-28": (
        *TOOLS,
        "server-stateless",
        "http-header-validation",
        "http-custom-header-server-validation",
        "input-required-result-basic-elicitation",
        "input-required-result-basic-sampling",
        "input-required-result-basic-list-roots",
        "input-required-result-request-state",
        "input-required-result-multiple-input-requests",
        "input-required-result-multi-round",
        "input-required-result-missing-input-response",
        "input-required-result-result-type",
        "input-required-result-unsupported-methods",
        "input-required-result-tampered-state",
        "input-required-result-capability-check",
        "input-required-result-ignore-extra-params",
        "input-required-result-validate-input",
    ),
}
"""The scenarios about tools and the transport; those of resources and prompts are not tools'."""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], port: int, **more: str) -> Iterator[None]:
    """A process that listens on a port, until the block ends."""
    process = subprocess.Popen(command, env={**os.environ, **more})
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None:
                raise SystemExit(f"{command} ended with {process.returncode}")
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(20)


def generate(folder: Path) -> Path:
    """Generate the server and fill its handlers in."""
    command = [sys.executable, "-m", "mcpgen", "from-schema", str(HERE / "tools.yaml")]
    subprocess.run([*command, "-o", str(folder)], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    package = next(folder.glob("*/tools.json")).parent
    shutil.copy(HERE / "handlers.py", package / "handlers" / "tools.py")
    return package


def main(arguments: list[str]) -> int:
    """Run every scenario, or those that are named; the number of failures decides the exit code."""
    modules, *chosen = arguments
    suite = Path(modules, "@modelcontextprotocol/conformance/dist/index.js").resolve()
    node = str(Path(modules, ".bin/node").resolve())
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        package = generate(Path(scratch, "server"))
        port, api = free_port(), free_port()
        upstream = [sys.executable, str(HERE / "upstream.py"), str(api)]
        serve = [sys.executable, "-m", package.name, "--http", f"127.0.0.1:{port}"]
        serve += ["--base-url", f"http://127.0.0.1:{api}"]
        with running(upstream, api), running(serve, port, PYTHONPATH=str(package.parent)):
            for revision, scenarios in SCENARIOS.items():
                for scenario in scenarios if not chosen else set(scenarios) & set(chosen):
                    command = [node, str(suite), "server", "--url", f"http://127.0.0.1:{port}/mcp"]
                    command += ["--scenario", scenario, "--spec-version", revision]
                    done = subprocess.run(
                        [*command, "-o", scratch], capture_output=True, text=True, check=False
                    )
                    print(f"{revision} {scenario}: {'ok' if not done.returncode else 'FAILED'}")
                    if done.returncode:
                        failed.append(f"{revision} {scenario}")
                        print(done.stdout[-3000:], done.stderr[-1000:])
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
