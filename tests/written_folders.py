"""A lock for tests that write folders, and what such a folder holds."""

from pathlib import Path

from mcpgen import lock as locks
from mcpgen.lock import Lock

LOCK = Lock(mcpgen="1", source="api.yaml", source_sha256="0")


def read_all(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): p.read_text()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != locks.FILE_NAME
    }
