"""The command `curate`: choose and name a server's tools in an editor."""

from __future__ import annotations

import difflib
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from ..diagnostics import Diagnostics, GenerationError
from .output import print_lines, tell

_NO_EDITOR = (
    "Set EDITOR, such as `EDITOR=nano mcpgen curate DIR`, or give an edited list with --from."
)


def curate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The server's folder.")],
    edited: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="Take the edited list from this file, without an editor."
        ),
    ] = None,
    texts: Annotated[
        bool, typer.Option("--texts", help="Also list titles and descriptions for editing.")
    ] = False,
) -> None:
    """Choose, rename and describe tools in your editor; writes mcpgen.toml."""
    from ..curation import checklist, choosing  # with the readers, of no use for other commands

    diagnostics = Diagnostics()
    draft: Path | None = None
    try:
        server = choosing.load(folder, diagnostics)
        listed = checklist.text(server.items, texts=texts)
        if edited is None:
            draft = _edited(listed, folder)
        text = _read(edited or draft or Path())
        choices = checklist.read(text, server.items, str(edited or draft)) if text.strip() else []
        before = server.file.read_bytes().decode("utf-8")
        after = choosing.changed(server, choices) if choices else before
    except GenerationError as error:
        tell(error.diagnostics)
        if draft is not None:
            remark = f"your list is kept: `mcpgen curate {folder} --from {draft}`"
            print_lines([f"nothing was written; {remark}"])
        raise typer.Exit(1) from None
    if draft is not None:
        draft.unlink()
    if after == before:
        print_lines([f"{folder}: nothing changed"])
        return
    server.file.write_bytes(after.encode("utf-8"))
    name = str(server.file)
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), name, name, "", "", 1, "")
    print_lines([*lines, "", f"now run `mcpgen update {folder}`"])


def _edited(listed: str, folder: Path) -> Path:
    """A file with the list as the user edited it; raises GenerationError if the editor fails."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if not editor.strip():
        raise GenerationError.of("no-editor", "no editor is set", hint=_NO_EDITOR)
    handle, name = tempfile.mkstemp(prefix=f"{folder.resolve().name}-", suffix=".tools")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(listed)
    try:
        done = subprocess.run([*shlex.split(editor), name], check=False)
        failed = f"its exit code is {done.returncode}" if done.returncode else ""
    except (OSError, ValueError) as error:
        failed = str(error)
    if failed:
        Path(name).unlink()
        message = f"the editor `{editor}` failed: {failed}"
        raise GenerationError.of("no-editor", message, hint=_NO_EDITOR)
    return Path(name)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GenerationError.of("checklist", f"{path} cannot be read: {error}") from None
