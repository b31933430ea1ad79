"""The tests that a table names as proofs."""

import ast
import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def named_tests(path: str) -> frozenset[str]:
    """The test functions of a module that do something; none where there is no such module."""
    if not (ROOT / path).is_file():
        return frozenset()
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [node for node in tree.body if isinstance(node, kinds)]
    found = (node.name for node in functions if any(map(_checks, ast.walk(node))))
    return frozenset(name for name in found if name.startswith("test_"))


def is_test(name: str) -> bool:
    """Whether a test has that name: `path::function`, a case's folder, or a rule of a table."""
    path, _, function = name.partition("::")
    if path.endswith(".json"):
        return function in json.loads((ROOT / path).read_text("utf-8"))
    is_case = path.startswith("tests/readers/cases/") and (ROOT / path).is_dir()
    return is_case or function in named_tests(path)


def _checks(node: ast.AST) -> bool:
    """Whether a node may make a test fail: an assertion, or a call of what asserts."""
    return isinstance(node, ast.Assert | ast.Call)
