"""Bases and what extends them: discriminators, lists of alternatives, and where they loop."""

from typing import Any

from mcpgen.schemas import types_of

REF = "#/components/schemas/{}".format


def test_long_chains_take_little_time(convert):
    count = 150
    chain: dict[str, Any] = {
        f"S{i}": {"allOf": [{"$ref": REF(f"S{i + 1}")}, {"$ref": REF(f"S{i + 1}")}]}
        for i in range(count)
    }
    converted = convert({"It": {"$ref": REF("S0")}, **chain, f"S{count}": {"type": "string"}})
    schema = converted.add()
    assert types_of(schema, converted.pool.schemas) == {"string"}
    assert len(converted.pool.schemas) == count + 1
