"""Overlays of one document, and what it is under each or why not: `overlays.json`, by rule.

python tests/overlay/test_overlay_table.py       writes anew what is expected
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from overlaying import SHOP, load

from mcpgen.diagnostics import GenerationError

FILE = Path(__file__).with_name("overlays.json")
RULES: dict[str, list[list[Any]]] = json.loads(FILE.read_text("utf-8"))


def outcome(folder: Path, overlay: dict[str, Any], members: dict[str, Any]) -> list[Any]:
    """What differs in the document under an overlay, and what is told."""
    given = {key: value for key, value in overlay.items() if key != "overlay"}
    before = {**SHOP, **members}
    try:
        document, found = load(folder, version=overlay["overlay"], document=before, **given)
    except GenerationError as error:
        changed, items = None, error.diagnostics
    else:
        value, items = document.root.value, found.items
        keys = [key for key in {**before, **value} if value.get(key) != before.get(key)]
        changed = {key: value.get(key) for key in keys}
    places = [Path(each.location.file).name if each.location else "" for each in items]
    lines = [
        f"{place}{each.pointer}: {each.code}: {each.message}"
        for place, each in zip(places, items, strict=True)
    ]
    return [changed, [line.replace(f"{folder}/", "") for line in lines]]


@pytest.mark.parametrize("rule", RULES)
def test_what_a_document_is_then(tmp_path: Path, rule: str) -> None:
    for overlay, members, *wanted in RULES[rule]:
        assert outcome(tmp_path, overlay, members) == wanted, overlay


def main() -> None:
    """Write what is expected of every overlay, an overlay a line."""
    rules = []
    for rule, rows in RULES.items():
        with TemporaryDirectory() as folder:
            lines = [
                json.dumps([overlay, members, *outcome(Path(folder), overlay, members)])
                for overlay, members, *_ in rows
            ]
        rules.append(f"{json.dumps(rule)}: [\n  " + ",\n  ".join(lines) + "\n ]")
    FILE.write_bytes(("{\n " + ",\n ".join(rules) + "\n}\n").encode())


if __name__ == "__main__":
    main()
