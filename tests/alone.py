"""mcpgen as most tests run it: one process does all, and no text or schema twice.

The documents of tests are small: to start a process beside theirs takes longer than what it does.
Programs that tests start are as they are; so is mcpgen in tests that use the fixture `processes`.
"""

import json
from collections.abc import Generator, Mapping
from functools import lru_cache
from typing import Any

import pytest

from mcpgen import format as formatting
from mcpgen.merge import modules
from mcpgen.merge.snapshot import snapshot
from mcpgen.models import worker
from mcpgen.processes import background, parallel
from mcpgen.regeneration import broken_edits, edits, snapshots

_TOGETHER: tuple[tuple[Any, str], ...] = (
    (background, "pays"),
    (parallel, "each"),
    (formatting, "_in_batches"),
    (modules, "_parse"),
    (modules, "_definitions"),
    *((module, "snapshot") for module in (broken_edits, edits, snapshots)),
    (worker, "_run"),
)
_BEFORE = [getattr(module, name) for module, name in _TOGETHER]
_in_batches = formatting._in_batches
_run = worker._run
_formatted: dict[str, str] = {}
_written: dict[str, Any] = {}


def _each_text_once(files: Mapping[str, str]) -> Generator[dict[str, str]]:
    """`_in_batches`, with what is known; all is one batch."""
    new = {path: text for path, text in files.items() if text not in _formatted}
    batches = _in_batches(new)
    yield next(batches)
    for batch in batches:
        _formatted.update((new[path], text) for path, text in batch.items())
    yield {path: _formatted[text] for path, text in files.items()}


def _each_set_once(schemas: Mapping[str, Any]) -> Any:
    """`_run`, but not for schemas whose types were written before."""
    try:
        key = json.dumps(schemas)
    except RecursionError:
        return _run(schemas)
    if key not in _written:
        _written[key] = _run(schemas)
    return _written[key]


def begin() -> None:
    """From here on."""
    once = [lru_cache(64)(each) for each in (modules._parse, modules._definitions)]
    hashes = lru_cache(1024)(snapshot)
    changed = (lambda: False, map, _each_text_once, *once, *[hashes] * 3, _each_set_once)
    for (module, name), new in zip(_TOGETHER, changed, strict=True):
        setattr(module, name, new)


def end(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the rest of a test, all is as it is for people."""
    for (module, name), before in zip(_TOGETHER, _BEFORE, strict=True):
        monkeypatch.setattr(module, name, before)
