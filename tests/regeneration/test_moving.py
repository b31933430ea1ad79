"""A package that gets another name: what people have in its folder moves along."""

import shutil
from pathlib import Path

import pytest

from .garden import BEDS, MINE, PACKAGE, operation, run, write

TOML = Path("server/mcpgen.toml")
NEW = Path("server/plot_mcp")

pytestmark = pytest.mark.usefixtures("garden")


def rename(old: str = "# Such as:", new: str = 'package = "plot_mcp"') -> None:
    text = TOML.read_text()
    assert old in text
    TOML.write_text(text.replace(old, new))


@pytest.mark.parametrize("by_hand", [False, True], ids=["by update", "by hand"])
def test_edits_hooks_and_files_of_people_move_along(by_hand):
    BEDS.write_text(BEDS.read_text().replace("    return await", MINE))
    hooks = PACKAGE / "hooks.py"
    hooks.write_text(hooks.read_text() + "\n\nTOKEN = 1\n")
    (PACKAGE / "soil.py").write_text("PH = 7\n")
    (PACKAGE / "soil.py").chmod(0o755)
    BEDS.chmod(0o640)
    modes = [(PACKAGE / each).stat().st_mode for each in ("soil.py", "handlers/beds.py")]
    shared = Path("server/tests/conftest.py")
    shared.write_text(shared.read_text().replace("= ()", '= ("listBeds",)'))
    (PACKAGE / "__pycache__").mkdir()
    (PACKAGE / "__pycache__" / "hooks.pyc").write_bytes(b"\0")
    rename()
    if by_hand:
        PACKAGE.rename(NEW)
    assert run("check", "server").exit_code == 3
    done = run("update", "server")
    assert done.exit_code == 0, done.output
    assert "garden_mcp: is now plot_mcp, and its files moved there" in done.output
    assert "README.md and DEPLOY.md list them" in done.output
    assert "variables of the server" not in done.output
    assert not PACKAGE.exists()
    assert MINE in (NEW / "handlers/beds.py").read_text()
    assert '= ("listBeds",)' in shared.read_text()
    assert "garden_mcp" not in shared.read_text()
    assert "TOKEN = 1" in (NEW / "hooks.py").read_text()
    assert (NEW / "soil.py").read_text() == "PH = 7\n"
    assert [(NEW / each).stat().st_mode for each in ("soil.py", "handlers/beds.py")] == modes
    assert run("check", "server", "--full").exit_code == 0
    if by_hand:
        return
    rename('package = "plot_mcp"', 'package = "garden_mcp"')
    assert run("update", "server").exit_code == 0
    assert MINE in BEDS.read_text()
    assert not list(NEW.rglob("*.py"))


def test_a_handler_that_is_kept_is_told_at_its_new_place():
    BEDS.write_text(BEDS.read_text().replace('{"size": size}', '{"size": 2 * size}'))
    write(beds=None)
    rename()
    done = run("update", "server")
    assert (done.exit_code, "kept: plot_mcp/handlers/beds.py" in done.output) == (0, True)
    assert "2 * size" in (NEW / "handlers/beds.py").read_text()


def test_what_both_folders_have_is_lost_in_neither():
    BEDS.write_text(BEDS.read_text().replace("    return await", MINE))
    shutil.copytree(PACKAGE, NEW)
    BEDS.write_text(BEDS.read_text() + "\n\nDEPTH = 30\n")
    write(beds=operation("listBeds", "beds", "size", "rows"))
    rename()
    done = run("update", "server")
    assert done.exit_code == 0, done.output
    assert "garden_mcp/handlers/beds.py: stays here and was not read" in done.output
    assert [p.name for p in PACKAGE.rglob("*") if p.is_file()] == ["beds.py"]
    assert BEDS.read_text().endswith("DEPTH = 30\n")
    assert MINE in (NEW / "handlers/beds.py").read_text()
