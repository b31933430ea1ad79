"""What a document says of the single values of an enum reaches the agent."""

from __future__ import annotations

import time

from mcpgen.readers.enum_values import with_value_lines


def test_many_values_take_little_time() -> None:
    entries = [{"value": number, "name": f"No{number}"} for number in range(10_000)]
    schema = {"enum": list(range(10_000)), "x-ms-enum": {"values": entries}}
    start = time.process_time()
    assert with_value_lines(schema, "").endswith("- 9999: No9999")
    assert time.process_time() - start < 10
