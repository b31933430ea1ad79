"""The runtime of a server is what its own files import."""

from importlib import import_module
from pathlib import Path

import pytest
from examples import FOLDER, SOURCES
from tables import table

from mcpgen.bundled.closure import closure, exports
from mcpgen.bundled.contents import runtime_sources
from mcpgen.bundled.parts import about, needs, switches, used, with_needs
from mcpgen.bundled.settings import OF_PARTS
from mcpgen.runtime import HOMES, PARTS
from mcpgen.runtime.values.seams import SETTINGS
from mcpgen.settings.settings import KEYS


def of_example(example: str) -> frozenset[str]:
    paths = (path for path in (FOLDER / example).rglob("*.py") if "_runtime" not in path.parts)
    return closure(path.read_text("utf-8") for path in paths)


def test_the_vendored_example_has_what_its_files_import_and_nothing_else():
    folder = FOLDER / "bookshop" / "bookshop_mcp" / "_runtime"
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert there == of_example("bookshop")
    assert (folder / "__init__.py").read_text("utf-8") == exports(there)


def test_each_module_is_needed_by_some_server():
    """One that no import reaches would be in no server."""
    every = closure([f"from ._runtime import {', '.join(HOMES)}\n"])
    assert every == runtime_sources().keys() - {"py.typed"}


@pytest.mark.parametrize("example", SOURCES)
def test_what_is_imported_is_whole(example):
    """Each package of a module that is there is there too, and no part lacks one that it needs."""
    there = of_example(example)
    for path in there:
        for folder in Path(path).parents:
            assert (folder / "__init__.py").as_posix() in there, path
    parts = [each for each in PARTS if {f"parts/{each}.py", f"parts/{each}/__init__.py"} & there]
    assert set(with_needs(parts)) == set(parts)


@table(
    "text, module",
    ("from ._runtime import Poll\n", "parts/polling.py"),
    ("from .._runtime import (\n    Context,\n    Shape,  # of answers\n)\n", "parts/shaping.py"),
    ("from shop_mcp._runtime import prompt as mark\n", "parts/prompts.py"),
    ("    from .._runtime.parts.accounts.digest import Digest\n", "parts/accounts/digest.py"),
    ("from .._runtime.parts import http\n", "parts/http/asgi.py"),
)
def test_an_import_brings_its_module(text, module):
    assert module in closure([text])
    assert module not in closure(["from ._runtime import Context\n"])


@table(
    "text, parts",
    ("return await ctx.api.send('POST', '/a', form=body)", {"forms"}),
    ("return await ctx.apis['x'].send('GET', '/a', cookie={'a': b})", {"forms"}),
    ("work = partial(ctx.api.send, 'POST', '/a', multipart=body)", {"forms"}),
    ("form = style.part('text/plain')", {"forms"}),
    ("reply = await ctx.ask('Sure?', {})", {"asking"}),
    ("return await ctx.api.send('GET', '/a', accept='multipart/mixed')", {"multipart_answers"}),
    ("return await ctx.api.send('POST', '/a', json=body)", set()),
    ("return Media(data, text='x', form=1)", set()),
    ("def broken(:", set()),
)
def test_what_a_handler_uses_without_an_import(text, parts):
    indented = f"async def handle(ctx, body, b):\n    {text}\n" if "broken" not in text else text
    assert used(indented) == parts


@pytest.mark.parametrize("part", PARTS)
def test_each_part_says_what_it_is(part):
    assert about(part).endswith((".", ":", ")")) or about(part)[-1].isalpha()
    assert set(needs(part)) <= {*PARTS}


def test_what_is_told_of_parts_tells_of_all():
    modules = {part: import_module(f"mcpgen.runtime.parts.{part}") for part in PARTS}
    own = {(part, m.SETTINGS) for part, m in modules.items() if hasattr(m, "SETTINGS")}
    assert own <= {*OF_PARTS}
    assert len(own) >= 5
    assert switches().keys() <= {*PARTS}
    assert {key for key, _ in switches().values()} <= KEYS.keys()
    assert set(SETTINGS.values()) <= switches().keys()
