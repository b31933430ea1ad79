"""Which of some mutants, drawn by a seed, do the tests that cover them kill?

    python -m bench.drawn_mutants map STATE            runs the tests, notes which cover which line
    python -m bench.drawn_mutants draw STATE PATH...   draws mutants of functions in these modules
    python -m bench.drawn_mutants run STATE            runs the tests of each; again, it goes on
    python -m bench.drawn_mutants compare STATE OLDER  what survives now and was killed before

STATE is a folder. Work in a worktree of its own: mutants are written into the sources, one at a
time. `--tests FOLDER` are tests other than those here, such as those of a later commit. A mutant is
run with at most `--most` tests, those that cover least first. Needs coverage.
Exit code of compare: 1 if any was killed before and survives.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path.cwd()
_CHOSEN = "DRAWN_MUTANTS_TESTS"
"""The variable that names the file with the ids of the tests to run."""
_TIMEOUT = 900.0
_SWAPPED: dict[type, type] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}


def mutations(node: ast.AST) -> Iterator[ast.AST]:
    """What a node may become."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _SWAPPED:
            changed = deepcopy(node)
            changed.ops = [_SWAPPED[type(op)]()]
            yield changed
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _SWAPPED:
            changed = deepcopy(node)
            changed.op = _SWAPPED[type(op)]()
            yield changed
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Break() | ast.Continue():
            yield _SWAPPED[type(node)]()
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value:
            yield ast.Constant(f"XX{value}")
        case ast.Return(value=ast.expr()):
            yield ast.Return(ast.Constant(None))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)


def of_module(path: Path) -> Iterator[dict[str, Any]]:
    """The mutants of the functions of a module."""
    text = path.read_text("utf-8")
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _inside(ast.parse(text)):
        for changed in mutations(node):
            first, last = starts[node.lineno - 1], starts[node.end_lineno - 1]
            is_expression = isinstance(node, ast.expr)
            new = ast.unparse(ast.fix_missing_locations(changed))
            yield {
                "path": path.relative_to(ROOT).as_posix(),
                "lines": [node.lineno, node.end_lineno],
                "start": first + node.col_offset,
                "end": last + node.end_col_offset,
                "old": ast.unparse(node),
                "new": f"({new})" if is_expression else new,
            }


def _inside(tree: ast.AST) -> Iterator[Any]:
    """The nodes in functions that run when these are called: no docstring, no annotation."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        if inside and hasattr(node, "lineno"):
            yield node
        if isinstance(node, ast.JoinedStr):
            continue
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "args", "decorator_list") and not inside:
                continue
            if name in ("annotation", "returns"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_text(child):
                    waiting.append((child, inside or function))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def make_map(state: Path, tests: Path, paths: Sequence[str]) -> None:
    """Run the tests under coverage, with a context for each."""
    include = "\n".join(f"    {(ROOT / path).as_posix()}/**" for path in paths)
    config = state / "coverage.ini"
    config.write_text(f"[run]\ndata_file = {state / 'coverage'}\ninclude =\n{include}\n")
    _pytest(tests, str(tests), run=("coverage", "run", f"--rcfile={config}", "-m", "pytest"))


def draw(state: Path, paths: Sequence[str], count: int, seed: int) -> list[dict[str, Any]]:
    """Mutants of the modules in these places; the same ones for the same seed and sources."""
    files = {f for p in map(ROOT.joinpath, paths) for f in (p, *p.rglob("*.py")) if f.is_file()}
    every = sorted(
        (mutant for file in sorted(files) for mutant in of_module(file)),
        key=lambda each: (each["path"], each["start"], each["end"], each["new"]),
    )
    return random.Random(seed).sample(every, min(count, len(every)))


class Cover:
    """The tests that cover lines."""

    def __init__(self, state: Path) -> None:
        from coverage import CoverageData

        data = CoverageData(str(state / "coverage"))
        data.read()
        self._lines: dict[str, dict[int, set[str]]] = {}
        self._weight: Counter[str] = Counter()
        for measured in data.measured_files():
            lines = {
                line: {name for name in names if name}
                for line, names in data.contexts_by_lineno(measured).items()
            }
            self._lines[Path(measured).relative_to(ROOT).as_posix()] = lines
            for tests in lines.values():
                self._weight.update(tests)

    def tests(self, mutant: dict[str, Any], most: int) -> list[str]:
        """The ids of the tests that cover a mutant, those that cover least first."""
        lines = self._lines.get(mutant["path"], {})
        first, last = mutant["lines"]
        # A line of a statement of several lines may have no number of its own.
        above = max((n for n in lines if n <= first), default=0)
        found = set().union(*(lines.get(n, ()) for n in (above, *range(first, last + 1))))
        return sorted(found, key=lambda each: (self._weight[each], each))[:most]


def outcome(mutant: dict[str, Any], tests: Sequence[str], state: Path, folder: Path) -> str:
    """killed, survived, or uncovered."""
    if not tests:
        return "uncovered"
    path = ROOT / mutant["path"]
    before = path.read_bytes()
    start, end = mutant["start"], mutant["end"]
    (state / "tests.json").write_text(json.dumps(tests))
    path.write_bytes(before[:start] + mutant["new"].encode() + before[end:])
    files = dict.fromkeys(folder.parent / each.partition("::")[0] for each in tests)
    try:
        code = _pytest(folder, "-x", *map(str, filter(Path.exists, files)), tests=state)
    finally:
        path.write_bytes(before)
    return "survived" if code in (0, 5) else "killed"


def _pytest(
    folder: Path, *options: str, tests: Path | None = None, run: Sequence[str] = ("pytest",)
) -> int:
    environ = {**os.environ, "CI": "1", "PYTHONPATH": str(ROOT)}
    own = ["-q", "-p", "no:cacheprovider", "-p", "bench.drawn_mutants"]
    if tests is not None:
        environ[_CHOSEN] = str(tests / "tests.json")
    command = [sys.executable, "-m", *run, *own, *options]
    limit = None if tests is None else _TIMEOUT
    with Path(os.devnull).open("wb") as sink:
        try:
            return subprocess.run(
                command, cwd=folder.parent, env=environ, stdout=sink, stderr=sink, timeout=limit
            ).returncode
        except subprocess.TimeoutExpired:
            return 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note which test runs, where lines are counted."""
    if (counting := _counting()) is not None:
        counting.switch_context(item.nodeid)
    return (yield)


def _counting() -> Any:
    coverage = sys.modules.get("coverage")
    return coverage and coverage.Coverage.current()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the chosen tests alone, the files of those that cover least first."""
    if chosen := os.environ.get(_CHOSEN):
        ranks = {name: rank for rank, name in enumerate(json.loads(Path(chosen).read_text()))}
        kept = [item for item in items if item.nodeid in ranks]
        files: dict[str, int] = {}
        for item in kept:
            file = item.nodeid.partition("::")[0]
            files[file] = min(files.get(file, len(ranks)), ranks[item.nodeid])
        items[:] = sorted(kept, key=lambda item: files[item.nodeid.partition("::")[0]])


def run(state: Path, tests: Path, most: int, only: Path | None) -> None:
    """Run the tests of each mutant whose outcome is not known yet."""
    file = state / "mutants.json"
    mutants = json.loads(file.read_text())
    killed = {_key(m) for m in _read(only) if m["outcome"] == "killed"} if only else None
    cover = Cover(state)
    for number, mutant in enumerate(mutants):
        if "outcome" in mutant or (killed is not None and _key(mutant) not in killed):
            continue
        began = time.monotonic()
        chosen = cover.tests(mutant, most)
        mutant["outcome"] = outcome(mutant, chosen, state, tests)
        mutant["tests"] = len(chosen)
        file.write_text(json.dumps(mutants, indent=1))
        place = f"{mutant['path']}:{mutant['lines'][0]}"
        seconds = time.monotonic() - began
        print(f"{number:4} {mutant['outcome']:9} {len(chosen):4} tests {seconds:5.0f} s  {place}")
        if mutant["outcome"] != "killed":
            print(f"       {mutant['old']}  ->  {mutant['new']}", flush=True)
    print(dict(Counter(each.get("outcome", "not run") for each in mutants)))


def _key(mutant: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(mutant[name] for name in ("path", "start", "end", "new"))


def _read(state: Path | None) -> list[dict[str, Any]]:
    mutants: list[dict[str, Any]] = json.loads(((state or Path()) / "mutants.json").read_text())
    return [each for each in mutants if "outcome" in each]


def compare(state: Path, older: Path) -> int:
    """Print what survives and was killed before; the exit code."""
    before = {_key(each): each["outcome"] for each in _read(older)}
    lost = [m for m in _read(state) if m["outcome"] != "killed" and before.get(_key(m)) == "killed"]
    for mutant in lost:
        print(f"{mutant['path']}:{mutant['lines'][0]}: {mutant['old']}  ->  {mutant['new']}")
    print(f"{len(lost)} survive that were killed before")
    return 1 if lost else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Do what is asked for; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("map", "draw", "run", "compare"))
    parser.add_argument("state", type=Path)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--tests", type=Path, default=ROOT / "tests")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--only", type=Path, help="a STATE: only what was killed there")
    asked = parser.parse_args(argv)
    asked.state.mkdir(parents=True, exist_ok=True)
    if asked.what == "map":
        make_map(asked.state.resolve(), asked.tests.resolve(), asked.paths)
    elif asked.what == "draw":
        mutants = draw(asked.state, asked.paths, asked.count, asked.seed)
        (asked.state / "mutants.json").write_text(json.dumps(mutants, indent=1))
    elif asked.what == "run":
        run(asked.state.resolve(), asked.tests.resolve(), asked.most, asked.only)
    else:
        return compare(asked.state, Path(asked.paths[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
