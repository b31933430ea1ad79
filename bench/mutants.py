"""Do the tests of generated servers assert something? Seeds faults and counts those they catch.

    python -m bench.mutants SERVER...          generated servers; default: generated_examples/*
    python -m bench.mutants --specs specs/     generates a server for each document first

Each fault is put into a copy of the server, and the server's own tests are run: those of one tool
where only that tool can be affected, all otherwise. Exit code 1: fewer than `--target` were caught.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import multiprocessing
import os
import py_compile
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import pytest
from _pytest.config import default_plugins

from bench.faults import Fault, Server, vendored
from bench.handler_faults import of_handlers
from bench.server_faults import of_server

ROOT = Path(__file__).parent.parent
_TIMEOUT = 180.0
_OPTIONS = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "anyio", "tests"]
_OPENAPI = re.compile(r"""^[\s{]*["']?(?:openapi|swagger)["']?\s*:""", re.M)


class OnlyTool:
    """A pytest plugin that keeps the tests of one tool."""

    def __init__(self, tool: str | None) -> None:
        self._tool = tool

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Drop what is not parametrised with the tool."""
        if self._tool is not None:
            items[:] = [item for item in items if self._is_of_tool(item)]

    def _is_of_tool(self, item: Any) -> bool:
        given = getattr(item, "callspec", None)
        if given is None:
            return False
        names = [given.params.get("case", {}).get("tool"), given.params.get("tool", {}).get("name")]
        return self._tool in names


def run_tests(root: Path, tool: str | None) -> int:
    """Run a server's tests in a forked process; the exit code is pytest's, 1 on a timeout."""
    process = os.fork()
    if process == 0:
        with contextlib.suppress(BaseException):
            sink = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sink, 1)
            os.dup2(sink, 2)
            os.chdir(root)
            sys.path.insert(0, str(root))
            sys.dont_write_bytecode = True
            os._exit(int(pytest.main(_OPTIONS, plugins=[OnlyTool(tool)])))
        os._exit(1)
    deadline = time.monotonic() + _TIMEOUT
    while time.monotonic() < deadline:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(process, 9)
    os.waitpid(process, 0)
    return 1


@contextlib.contextmanager
def seeded(root: Path, fault: Fault) -> Iterator[None]:
    """The fault in its file, for as long as the context lasts."""
    path = root / fault.path
    before = path.read_text(encoding="utf-8")
    compiled = Path(cache_from_source(str(path)))
    compiled.unlink(missing_ok=True)
    path.write_text(fault.text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")
        if path.suffix == ".py":
            py_compile.compile(str(path), doraise=True)


def survives(fault: Fault) -> bool:
    """Whether the tests pass although the fault is there."""
    root = _copy()
    with seeded(root, fault):
        code = run_tests(root, fault.tool)
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise RuntimeError(f"{fault.tool} has no tests")
    return code == pytest.ExitCode.OK


_SERVER: dict[str, Path] = {}


def _copy() -> Path:
    """This process's own copy of the server."""
    mine = f"copy-{os.getpid()}"
    if mine not in _SERVER:
        root = _SERVER["scratch"] / mine
        shutil.copytree(_SERVER["root"], root, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        for path in root.rglob("*.py"):
            py_compile.compile(str(path))
        _SERVER[mine] = root
    return _SERVER[mine]


def chosen(server: Server, limit: int, seed: int, kinds: Sequence[str] = ()) -> list[Fault]:
    """At most `limit` faults of each kind, or of some kinds; the same ones for the same seed."""
    by_kind: dict[str, list[Fault]] = defaultdict(list)
    for fault in (*of_handlers(server), *of_server(server)):
        if not kinds or fault.kind in kinds:
            by_kind[fault.kind].append(fault)
    shuffled = random.Random(seed)
    return [
        fault
        for kind in sorted(by_kind)
        for fault in shuffled.sample(by_kind[kind], min(limit, len(by_kind[kind])))
    ]


def measure(
    root: Path, limit: int, seed: int, jobs: int, kinds: Sequence[str]
) -> tuple[list[Fault], list[Fault]]:
    """The faults that were seeded into a server, and those that its tests did not catch."""
    with tempfile.TemporaryDirectory() as scratch:
        root = vendored(root, Path(scratch) / "vendored")
        server = Server.read(root)
        _SERVER.clear()
        _SERVER.update(root=root.resolve(), scratch=Path(scratch))
        if run_tests(_copy(), None) != pytest.ExitCode.OK:
            raise SystemExit(f"the tests of {root} fail without any fault")
        faults = chosen(server, limit, seed, kinds)
        context = multiprocessing.get_context("fork")
        with context.Pool(jobs) as pool:
            outcomes = pool.map(survives, faults, chunksize=1)
    return faults, [fault for fault, alive in zip(faults, outcomes, strict=True) if alive]


def generated(documents: Path, into: Path) -> list[Path]:
    """A server for each document of a folder."""
    servers = []
    for path in sorted(documents.iterdir()):
        inside = sorted(path.glob("*api.*")) if path.is_dir() else [path]
        if inside and inside[0].suffix in (".yaml", ".yml", ".json"):
            target = into / path.stem
            is_openapi = _OPENAPI.search(inside[0].read_text(encoding="utf-8"))
            reader = "from-openapi" if is_openapi else "from-schema"
            command = [sys.executable, "-m", "mcpgen", reader, str(inside[0])]
            subprocess.run([*command, "-o", str(target)], check=True, capture_output=True, cwd=ROOT)
            servers.append(target)
    return servers


def _warm_up() -> None:
    """Import what every run needs, so that a fork has it."""
    for module in (
        *(f"_pytest.{name}" for name in default_plugins),
        "pdb",
        "anyio.pytest_plugin",
        "httpx2",
        "jsonschema",
        "mcp.client",
        "mcp.server.lowlevel",
    ):
        import_module(module)
    gc.freeze()


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the servers that are named, and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("servers", nargs="*", type=Path)
    parser.add_argument("--specs", type=Path, help="generate servers from the documents in here")
    parser.add_argument("--limit", type=int, default=8, help="faults of each kind and server")
    parser.add_argument("--kind", action="append", default=[], help="only faults of this kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--target", type=float, default=0.95)
    asked = parser.parse_args(argv)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    _warm_up()
    seeds: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        servers = list(asked.servers)
        if asked.specs:
            servers += generated(asked.specs, Path(folder))
        if not servers:
            servers = sorted(
                p.parent.parent for p in (ROOT / "generated_examples").glob("*/*/tools.json")
            )
        for root in servers:
            if not list(root.glob("*/tools.json")):
                parser.error(f"{root} is no generated server")
            start = time.monotonic()
            faults, alive = measure(root, asked.limit, asked.seed, asked.jobs, asked.kind)
            seeds.update(fault.kind for fault in faults)
            missed.update(fault.kind for fault in alive)
            seconds = time.monotonic() - start
            print(f"{root.name}: {len(faults) - len(alive)}/{len(faults)} caught, {seconds:.0f} s")
            for fault in alive:
                print(f"  survived: {fault.kind}: {fault.where}", flush=True)
    return _report(seeds, missed, asked.target)


def _report(seeds: Counter[str], missed: Counter[str], target: float) -> int:
    print()
    for kind in sorted(seeds):
        print(f"{seeds[kind] - missed[kind]:5}/{seeds[kind]:<5} {kind}")
    total, caught = seeds.total(), seeds.total() - missed.total()
    share = caught / total if total else 0.0
    print(f"{caught:5}/{total:<5} in all, {share:.1%} caught; the target is {target:.0%}")
    return 0 if share >= target else 1


if __name__ == "__main__":
    sys.exit(main())
