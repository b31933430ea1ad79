"""What a document says of the single values of an enum reaches the agent."""

from steps import steps

from mcpgen.readers.enum_values import with_value_lines


def described(count: int) -> str:
    entries = [{"value": number, "name": f"No{number}"} for number in range(count)]
    return with_value_lines({"enum": list(range(count)), "x-ms-enum": {"values": entries}}, "")


def test_each_value_takes_as_much_work_as_another():
    assert described(2_000).endswith("- 1999: No1999")
    assert steps(lambda: described(400)) < 4.5 * steps(lambda: described(100))
