"""Temporary files, also where Python or the system has none in memory."""

import errno
import os
import tempfile

import pytest

from mcpgen.models import worker
from mcpgen.processes import temporary_files
from mcpgen.processes.background import Background

pytestmark = pytest.mark.usefixtures("processes")


def forbidden(name: str) -> int:
    raise OSError(errno.EACCES, os.strerror(errno.EACCES), name)


@pytest.fixture(params=["in memory", "no memfd_create", "memfd_create forbidden"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "no memfd_create":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    elif request.param == "memfd_create forbidden":
        monkeypatch.setattr(os, "memfd_create", forbidden, raising=False)


@pytest.mark.usefixtures("system")
def test_types_are_written_and_work_is_done_in_the_background():
    pet = {"type": "object", "properties": {"name": {"type": "string"}}}
    run = worker.Generation({"Pet": pet}, None, worker.Worker.start())
    assert [each.name for each in run.definitions()] == ["Pet"]
    assert not run.failed
    assert Background(lambda: "done").result() == "done"


def test_without_a_place_or_a_process_work_is_done_here(monkeypatch):
    def none() -> int:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    here = os.getpid()
    monkeypatch.setattr(os, "fork", none, raising=False)
    assert Background(os.getpid).result() == here
    monkeypatch.undo()
    monkeypatch.setattr(os, "memfd_create", forbidden, raising=False)
    monkeypatch.setattr(temporary_files, "_MEMORY", "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    assert Background(os.getpid).result() == here
    assert worker.Worker.start() is None
