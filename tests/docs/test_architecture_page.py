"""`docs/architecture.md` names folders and files that are there, and each folder there is."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GENERATOR = ROOT / "mcpgen"
RUNTIME = GENERATOR / "runtime"


def folders(parent: Path) -> set[str]:
    return {path.parent.relative_to(parent).as_posix() for path in parent.glob("**/__init__.py")}


def test_each_file_that_it_names_is_there():
    recipes = re.findall(r"`((?:mcpgen|templates|tests)/[\w./-]*)`", PAGE)
    names = re.findall(r"\b((?:\w+/)+\w+\.py)\b(?!\.)", PAGE)
    assert len(recipes) > 20
    places = (ROOT, GENERATOR, RUNTIME)
    missing = [
        name
        for name in (*recipes, *names)
        if not any((place / name).exists() for place in places) and "handlers/" not in name
    ]
    assert missing == []


def test_each_folder_has_its_line():
    rows = set(re.findall(r"`([\w/]+)/`", PAGE))
    ours = folders(GENERATOR) - {".", "runtime", "readers"} | {"readers"}
    ours = {name for name in ours if not name.startswith(("runtime/", "bundled"))}
    assert ours - rows == set()
    assert folders(RUNTIME) - {"."} - rows == set()
