"""Settings that say nothing or cannot be kept are told, and nothing of them is written."""

import pytest
from command_line import run

from .servers import PACKAGE, read, write


@pytest.mark.parametrize("case", read("refused-settings"), ids=lambda case: case["told"])
def test_what_cannot_be_is_told(case, tmp_path):
    document = read(case["of"]) if isinstance(case["of"], str) else case["of"]
    source = write(tmp_path / "document.json", document)
    toml = write(tmp_path / "server/mcpgen.toml", case["settings"])
    command = "from-schema" if "tools" in document else "from-openapi"
    done = run(command, str(source), "-o", str(tmp_path / "server"), *PACKAGE)
    assert done.exit_code == case.get("code", 1), done.output
    assert case["told"].lower() in " ".join(done.output.lower().split())
    assert f"{toml}:{case.get('line', '')}" in done.output or not case["told"]
    assert (tmp_path / "server/pyproject.toml").exists() is not bool(done.exit_code)
