"""Files of documents that tests write."""

import json
from pathlib import Path
from typing import Any

import documents


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def referring(path: Path, *references: str) -> Path:
    return write(path, documents.referring(*references))
