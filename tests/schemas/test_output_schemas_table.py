"""What is advertised of answers, by their schemas: `output_schemas.json`, by rule.

python tests/schemas/test_output_schemas_table.py       writes anew what is expected
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcpgen.schemas import output_schema

FILE = Path(__file__).with_name("output_schemas.json")
RULES: dict[str, list[list[Any]]] = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("rule", RULES)
def test_what_is_advertised(rule: str) -> None:
    for schema, pool, options, advertised in RULES[rule]:
        assert output_schema(schema, pool, **options) == advertised, schema


def main() -> None:
    """Write what is expected of every schema, a schema a line."""
    rules = []
    for rule, rows in RULES.items():
        lines = (
            json.dumps([schema, pool, options, output_schema(schema, pool, **options)])
            for schema, pool, options, _ in rows
        )
        rules.append(f"{json.dumps(rule)}: [\n  " + ",\n  ".join(lines) + "\n ]")
    FILE.write_bytes(("{\n " + ",\n ".join(rules) + "\n}\n").encode())


if __name__ == "__main__":
    main()
