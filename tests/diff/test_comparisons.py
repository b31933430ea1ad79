"""Two versions of tools, and what is told of them: `comparisons.json`, by rule.

python tests/diff/test_comparisons.py       writes anew what is expected
"""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpgen.diff.tool_changes import ToolList, compare

FILE = Path(__file__).with_name("comparisons.json")
RULES: dict[str, list[list[Any]]] = json.loads(FILE.read_text("utf-8"))


def told(old: list[Any], new: list[Any]) -> list[str]:
    """The changes of tools, each with its risk."""
    changes = compare(ToolList("", old), ToolList("", new)).changes
    return [f"{each.risk.name} {each.code} {each.where}: {each.detail}" for each in changes]


@pytest.mark.parametrize("rule", RULES)
def test_what_is_told(rule):
    for old, new, changes in RULES[rule]:
        assert told(old, new) == changes, (old, new)


def main() -> None:
    """Write what is expected of every pair, a pair a line."""
    rules = []
    for rule, pairs in RULES.items():
        lines = (json.dumps([old, new, told(old, new)]) for old, new, _ in pairs)
        rules.append(f"{json.dumps(rule)}: [\n  " + ",\n  ".join(lines) + "\n ]")
    FILE.write_bytes(("{\n " + ",\n ".join(rules) + "\n}\n").encode())


if __name__ == "__main__":
    main()
