"""Small documents that differ as wholes, and what is read of each: `documents.json`, by rule.

python tests/readers/test_small_documents.py       writes anew what is expected
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from reading_cases import expected

FILE = Path(__file__).with_name("documents.json")
RULES: dict[str, list[list[Any]]] = json.loads(FILE.read_text("utf-8"))


def read(folder: Path, document: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """What a case has in its files, for a document that is a text of YAML or a value."""
    is_text = isinstance(document, str)
    path = folder / ("api.yaml" if is_text else "api.json")
    path.write_text(document if is_text else json.dumps(document), "utf-8")
    (folder / "settings.json").write_text(json.dumps(settings), "utf-8")
    return {
        name: json.loads(text) if name.endswith(".json") else text.splitlines()
        for name, text in expected(folder).items()
    }


@pytest.mark.parametrize(
    ("rule", "row"), [(rule, row) for rule, rows in RULES.items() for row in range(len(rows))]
)
def test_what_is_read(tmp_path, rule, row):
    document, settings, wanted = RULES[rule][row]
    assert read(tmp_path, document, settings) == wanted


def main() -> None:
    """Write what is expected of every document, a document a line."""
    rules = []
    for rule, rows in RULES.items():
        lines = []
        for document, settings, _ in rows:
            with TemporaryDirectory() as folder:
                wanted = read(Path(folder), document, settings)
            lines.append(json.dumps([document, settings, wanted], ensure_ascii=False))
        rules.append(f"{json.dumps(rule)}: [\n  " + ",\n  ".join(lines) + "\n ]")
    FILE.write_bytes(("{\n " + ",\n ".join(rules) + "\n}\n").encode())


if __name__ == "__main__":
    main()
