"""The servers in `generated_examples/` and their sources. Run this file to make them again."""

import os
from pathlib import Path
from typing import Any

from mcpgen import servers
from mcpgen.regeneration.outcome import Policy
from mcpgen.servers import reports as server_reports

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "generated_examples"
SOURCES = {
    "access": "access.yaml",
    "answers": "answers.yaml",
    "bodies": "bodies.yaml",
    "bookshop": "bookshop.yaml",
    "chandler": "tools-python.yaml",
    "clinic": "clinic-v2.yaml",
    "library": "library/openapi.yaml",
    "lighthouse": "lighthouse.yaml",
    "marina": "tools-http.yaml",
    "next": "next.yaml",
    "nightbus": "nightbus.json",
    "quayside": "quayside.yaml",
    "townhall": "townhall.yaml",
    "wire": "wire.yaml",
}
TOOL_FILES = ("chandler", "lighthouse", "marina", "quayside")
WITH = {"quayside": ["bookshop.yaml"]}
"""Sources that are added to the first."""
VENDORED = "bookshop"
"""The example that holds the runtime; the others depend on it as a package."""
SETTINGS = {"lighthouse": {"resources": ["GET /ships/*"], "result_links": True}}
"""What else is asked for."""


def path_of(source: str) -> str:
    """A source of `specs/` as seen from here."""
    return os.path.relpath(ROOT / "specs" / source)


def main() -> None:
    """Bring every example up to date, or make it; what people edited in one stays.

    Handlers of `nightbus` are edited, those of `chandler` and `lighthouse` and one of `quayside`
    are written by hand, and `answers` has a template of its own.
    """
    for name, source in SOURCES.items():
        given: dict[str, Any] = {"source": path_of(source)}
        given |= {"reader": "tools"} if name in TOOL_FILES else {}
        given |= {"with": [path_of(other) for other in WITH[name]]} if name in WITH else {}
        given |= SETTINGS.get(name, {})
        given["runtime"] = "vendored" if name == VENDORED else "package"
        result = servers.generate_into(FOLDER / name, given, Policy(), servers.silent)
        print("\n".join(server_reports.updated(result).lines), *result.errors)


if __name__ == "__main__":
    main()
