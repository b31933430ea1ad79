"""Random histories of a server: edits and changes in turn, and what must hold after each update.

MCPGEN_CASES says how many histories a test tries, MCPGEN_FIRST_CASE which is the first.
"""

import ast
import os
import random
from pathlib import Path

from mcpgen import servers
from mcpgen.regeneration.outcome import Policy

from .world import Document, Person

START = int(os.environ.get("MCPGEN_FIRST_CASE", "0"))
CASES = range(START, START + int(os.environ.get("MCPGEN_CASES", "4")))


def check_history(rng: random.Random, document: Document, people: type[Person]) -> None:
    """Nothing that these people wrote is lost, and all fits after each update."""
    document.write(Path("api.json"))
    folder = Path("server")
    given = {"source": "api.json"}
    first = servers.generate_into(folder, given, Policy(), servers.silent)
    assert not first.failed
    package = folder / "garden_mcp"
    person = people(rng, folder, package.name)
    told: list[str] = []
    for _ in range(rng.randint(1, 3)):
        told += [person.edit() for _ in range(rng.randint(1, 4))]
        told += [document.change() for _ in range(rng.randint(1, 4))]
        document.write(Path("api.json"))
        before = aliases(package)
        result = servers.update(folder, Policy(), servers.silent)
        assert not result.failed, (told, result.errors, result.diagnostics)
        files = [p for p in folder.rglob("*") if p.is_file() and p.name != "mcpgen.lock"]
        text = "\n".join(p.read_text() for p in files)
        lost = {mark for mark in person.marks if mark not in text}
        assert not lost, (told, lost)
        assert not before - aliases(package), told
        check_targets(package)
        again = servers.check(folder, servers.silent, whole=True)
        assert again.report.clean, (told, again.report)
        assert servers.check(folder, servers.silent).generated is None, "the hashes say the same"


def aliases(package: Path) -> set[str]:
    """The names that people gave to functions beside them."""
    found: set[str] = set()
    for path in package.glob("handlers/*.py"):
        statements = ast.parse(path.read_bytes()).body
        defined = {getattr(statement, "name", "") for statement in statements}
        for statement in statements:
            match statement:
                case ast.Assign([ast.Name(name)], ast.Name(target)) if target in defined:
                    found.add(name)
    return found


def check_targets(package: Path) -> None:
    """Every tool has its function, and every module parses."""
    table = ast.parse((package / "handlers" / "__init__.py").read_text())
    (handlers,) = [node for node in table.body if isinstance(node, ast.Assign)]
    for target in ast.literal_eval(handlers.value).values():
        module, _, function = target.partition(":")
        tree = ast.parse((package / "handlers" / f"{module}.py").read_bytes())
        names = [n.name for n in tree.body if isinstance(n, ast.AsyncFunctionDef)]
        assert names.count(function) == 1, target
