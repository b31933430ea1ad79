"""The servers in `generated_examples/` and their sources. Run this file to make them again."""

from __future__ import annotations

from pathlib import Path

from mcpgen import lock, output
from mcpgen.diagnostics import Diagnostics
from mcpgen.generate import Generated, generate
from mcpgen.settings import Settings

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "generated_examples"
SOURCES = {
    "access": "access.yaml",
    "answers": "answers.yaml",
    "bodies": "bodies.yaml",
    "bookshop": "bookshop.yaml",
    "clinic": "clinic-v2.yaml",
    "library": "library/openapi.yaml",
    "next": "next.yaml",
    "nightbus": "nightbus.json",
    "wire": "wire.yaml",
}


def make(name: str) -> Generated:
    """Generate an example in memory, as a run onto its folder would."""
    folder = FOLDER / name
    asked = Settings(source=str(ROOT / "specs" / SOURCES[name]))
    return generate(asked, folder, Diagnostics(), known=lock.read(folder))


def main() -> None:
    """Write every example; a file that somebody edited is left as it is."""
    for name in SOURCES:
        made = make(name)
        report = output.write(FOLDER / name, made.files, made.lock)
        print(f"{name}: {len(report.written)} written, {len(report.kept)} kept")


if __name__ == "__main__":
    main()
