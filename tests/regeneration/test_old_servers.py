"""Old servers, as people edited them: updated, tested, and called by their old clients."""

import itertools
import json
import tarfile
from pathlib import Path
from typing import Any

import generated_tests
import pytest
from command_line import run
from end_to_end.servers import imported
from end_to_end.upstream import listening
from mcp import Client

from . import workshop

NAMES = sorted(path.name.partition(".")[0] for path in workshop.FOLDER.iterdir())
VARIABLES = (
    "note: .env.example: variables of the server have changed:",
    "`WORKSHOP_OAUTH2_PASSWORD_BEARER` is `WORKSHOP_OAUTH2_TOKEN` now",
    "`WORKSHOP_OAUTH2_PASSWORD_BEARER_REFRESH_TOKEN` is `WORKSHOP_OAUTH2_REFRESH_TOKEN` now",
    "`WORKSHOP_OAUTH2_PASSWORD_BEARER_CLIENT_ID` is `WORKSHOP_OAUTH2_CLIENT_ID` now",
    "`WORKSHOP_OAUTH2_PASSWORD_BEARER_CLIENT_SECRET` is `WORKSHOP_OAUTH2_CLIENT_SECRET` now",
)
OF_ALL = ("no longer have a session", "more than 10,000 tokens is cut")
OF_SEARCH = ("clients now list `call_delete_tool` too", "a list of similar objects is a")
RENAMED = "breaking: list_jobs_jobs_get: argument-renamed `$top`: now top"
TOLD = {
    **dict.fromkeys(("650188d1", "9907d11a", "b4b45078"), (*OF_ALL, RENAMED)),
    "96b874cd": (*OF_ALL, *OF_SEARCH),
    "65fb3709": (*OF_ALL, *OF_SEARCH, "nobody is served until callers can sign in"),
}
"""What an update tells of each, beside the variables."""


REFUSED = {"$top": "did you mean `top`?", "delete_job": "call it with call_delete_tool"}
"""What is refused of what old clients call, by the name that a call has."""


def unpacked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with tarfile.open(workshop.FOLDER / f"{name}.tar.xz") as archive:
        archive.extractall(tmp_path)
    monkeypatch.chdir(tmp_path)
    return Path("server")


@pytest.mark.parametrize("name", NAMES)
def test_an_old_server_lives_on(name, tmp_path, monkeypatch):
    server = unpacked(name, tmp_path, monkeypatch)
    done = run("update", "server")
    assert (done.exit_code, "conflict" in done.output) == (0, False), done.output
    for text in (*VARIABLES, *TOLD[name], "argument-optional `unit`"):
        assert text in done.output
    others = {*itertools.chain(*TOLD.values())} - {*TOLD[name]}
    assert [text for text in others if text in done.output] == []
    assert run("check", "server").exit_code == 0
    assert run("update", "server").output == "server: nothing changed\n"
    for path, edits in workshop.EDITS.items():
        text = (server / path).read_text()
        assert all(new.strip().splitlines()[0] in text for _, new in edits), path
    assert (server / "README.md").read_text().endswith(workshop.README)
    assert workshop.IMAGE[1] in (server / "Dockerfile").read_text()
    tested = generated_tests.run(server)
    assert tested.returncode == 0, tested.stdout
    monkeypatch.setenv(*workshop.SECRET)
    calls = replayed(server)
    assert sum("refused" in got for _, got in calls) == 1
    for call, got in calls:
        if "refused" in got:
            (text,) = (why for what, why in REFUSED.items() if f'"{what}' in json.dumps(call))
            assert text in got["refused"]
        else:
            assert {**call, **got} == call


def test_a_server_whose_people_use_sessions_keeps_them(tmp_path, monkeypatch):
    server = unpacked("b4b45078", tmp_path, monkeypatch)
    with (server / "workshop_mcp/texts.py").open("a") as file:
        file.write("\n\ndef who(ctx):\n    return ctx.session_id\n")
    told = run("check", "server")
    assert (told.exit_code, "new-behaviour" in told.output) == (3, True)
    assert OF_ALL[0] not in told.output


def replayed(server: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What old clients call, with what it was then, and is now."""
    calls = json.loads(Path("calls.json").read_text())
    surface = "search" if (server / "workshop_mcp/search.json").exists() else "tools"

    async def use(client: Client) -> list[Any]:
        return [(call, await workshop.request(client, api, call)) for call in calls]

    with listening() as api:
        done: list[Any] = imported(server, api).use(use, surface=surface)
        return done
