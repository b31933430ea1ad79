"""The keys of an `mcpgen.toml` for people to read, as `mcpgen settings` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass

from ..bundled.parts import about
from ..runtime import PARTS
from .rows import Setting, settings_of
from .settings import Settings, Source
from .values import literal


def reference() -> str:
    """Every key with its default, meaning and flag, table by table; then the runtime's parts."""
    return "\n".join((*entries(Settings), *_tables(Settings, ""), *_parts())) + "\n"


def _parts() -> Iterator[str]:
    """Lines that list the parts of the runtime that `server.py` can name."""
    yield from ("", "# What `parts` of server.py names, as the document and the settings need it:")
    for name in PARTS:
        yield f"# {name}: {about(name).rstrip('.')}"


def _tables(table: type, around: str) -> Iterator[str]:
    """The lines about the tables inside a table, at any depth."""
    for key, each in settings_of(table).items():
        inner = each.row.table
        if inner is None or table is Source:
            continue
        name = f"{around}{key}"
        if each.row.named:
            name += (
                f".<{each.row.named}>" if inner.__name__ == "Scheme" else f'."<{each.row.named}>"'
            )
        title = f"[[{name}]]" if inner is Source else f"[{name}]"
        yield from ("", f"{title}{_flag(each)}", *entries(inner))
        yield from _tables(inner, f"{name}.")


def entries(table: type) -> Iterator[str]:
    """Lines that describe the keys of a table; for the server's settings, without their tables."""
    for key, each in settings_of(table).items():
        if table is Settings and each.row.table is not None:
            continue
        yield f"{key} = {literal(each.default)}" if is_dataclass(table) else key
        if each.meaning:
            yield f"    {each.meaning}{_flag(each)}"


def _flag(each: Setting) -> str:
    return f" ({each.row.flag.split()[0]})" if each.row.flag else ""
