"""What `_runtime` exports, held for as long as servers of one series may run with it."""

import inspect
from pathlib import Path

from mcpgen import runtime
from mcpgen.bundled import runtime_wheel

MADE = ("Caller", "Context", "Response")
"""Classes whose instances the runtime makes, so that their parameters are its own."""
SURFACE = Path(__file__).parents[1].joinpath("public_surface.txt")


def shape(name: str) -> str:
    """A name with the parameters that it is called with."""
    value = getattr(runtime, name)
    if not callable(value) or name in MADE:
        return name
    try:
        parameters = inspect.signature(value).parameters.values()
    except ValueError:
        return name
    taken = (each.name for each in parameters if not each.name.startswith("_"))
    return f"{name}({', '.join(taken)})"


def test_no_exported_name_or_parameter_goes_within_a_series():
    """Removing one breaks handlers, hooks and tests: it needs a new series, and CHANGELOG.md.

    What is new is written into the file beside this test.
    """
    series, *lines = SURFACE.read_text().splitlines()
    assert series == runtime_wheel.series()
    assert lines == [shape(name) for name in sorted(runtime.__all__)]
