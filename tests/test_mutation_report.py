"""What the mutation benchmark makes of mutmut's results."""

import pytest

from bench.mutation import by_module, report

RESULTS = """
    mcpgen.text.literals.x_py__mutmut_1: killed
    mcpgen.runtime.backend.signing.xǁMaskǁ__init____mutmut_1: killed
    mcpgen.runtime.backend.signing.xǁMaskǁ__init____mutmut_2: timeout
    mcpgen.runtime.backend.signing.x__value__mutmut_3: survived
    mcpgen.runtime.backend.signing.x__value__mutmut_4: no tests
"""


def test_mutants_are_counted_by_module(capsys: pytest.CaptureFixture[str]) -> None:
    found = by_module(RESULTS)
    assert report(found, 0.6) == 0
    assert report(found, 0.61) == 1
    lines = [line.split() for line in capsys.readouterr().out.splitlines()][:3]
    assert lines == [
        ["2/4", "50.0%", "killed", "runtime.backend.signing", "1", "no", "tests,", "1", "survived"],
        ["1/1", "100.0%", "killed", "text.literals"],
        ["3/5", "60.0%", "killed", "in", "all", "1", "no", "tests,", "1", "survived"],
    ]


def test_no_mutants_are_no_success() -> None:
    assert report({}, 0.9) == 1
