"""No text of a document becomes code, a path, or structure of any file of its server."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mcpgen.generate import Generated
from mcpgen.operations.argument_names import NAME

from . import documents, judge, naive, payloads, running
from .judge import PACKAGE

Payload = Callable[[str], str]
Served = Callable[[Payload], Generated]

every_payload = pytest.mark.parametrize(
    "payload", [pytest.param(p, id=p.__name__) for p in payloads.TEXTS]
)


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The files for the document in plain words."""
    document = documents.planted(documents.harmless)
    return running.texts(running.generated(document, tmp_path_factory.mktemp("harmless")))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """The server of the document with a payload in every place; making it ran nothing of that."""

    @cache
    def get(payload: Payload) -> Generated:
        folder = tmp_path_factory.mktemp(payload.__name__)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CANARY", str(folder / "canary"))
            made = running.generated(documents.planted(payload), folder)
        assert not (folder / "canary").exists()
        return made

    return get


@pytest.fixture
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that a payload writes to when it runs, at generation too."""
    path = tmp_path / "canary"
    monkeypatch.setenv("CANARY", str(path))
    return path


@every_payload
def test_files_keep_their_grammar(
    payload: Payload, harmless: Mapping[str, str], served: Served, canary: Path
) -> None:
    """Every file has the grammar of that of a harmless document, and nothing ran on the way."""
    assert judge.findings(running.texts(served(payload)), harmless) == []
    assert not canary.exists()


def test_importing_runs_nothing(served: Served, tmp_path: Path) -> None:
    """Every module of every such server imports, and executes nothing of its document."""
    folders = [tmp_path / payload.__name__ for payload in payloads.TEXTS]
    for folder, payload in zip(folders, payloads.TEXTS, strict=True):
        files = running.texts(served(payload))
        own = {path: text for path, text in files.items() if "/_runtime/" not in path}
        running.write(files if folder == folders[0] else own, folder)
    imported = running.import_all(folders)
    assert imported.returncode == 0, imported.stderr
    assert [folder.name for folder in folders if (folder / "canary").exists()] == []


@every_payload
def test_names_and_values_reach_the_list_unchanged(payload: Payload, served: Served) -> None:
    """What an agent must send is exactly what the document says, however it looks.

    Its arguments have names that models' APIs take; the API gets those of the document.
    """
    made = served(payload)
    files, sent = made.files, running.wire_names(running.texts(made))
    tools = {tool["name"]: tool for tool in json.loads(files[f"{PACKAGE}/tools.json"])["tools"]}
    choice = tools["search"]["inputSchema"]["properties"]["choice"]
    assert choice["default"] == payload("default")
    assert choice["enum"] == [payload("default"), payload("enum"), payload("enum2")]
    (argument,) = tools["query"]["inputSchema"]["properties"]
    assert NAME.fullmatch(argument)
    assert sent["query"] == {payload("query")}
    (create,) = (t for t in tools.values() if "kind" in t["inputSchema"]["properties"])
    properties = create["inputSchema"]["properties"]
    assert all(map(NAME.fullmatch, properties))
    const = payload("const")
    assert {"const": const, "default": const} in properties.values()
    assert sent[create["name"]] == {"name", payload("property"), "kind", "nested", "other"}
    nested = properties["nested"]
    assert nested["properties"][payload("inner")] == {"enum": [payload("literal"), 1, None]}


@pytest.mark.parametrize(
    "payload",
    [payloads.expression, payloads.braces, payloads.template, payloads.trailing_backslash],
    ids=lambda p: p.__name__,
)
def test_visible_text_reaches_the_list_unchanged(payload: Payload, tmp_path: Path) -> None:
    """Only what a reader cannot see is taken out of a text."""
    document = documents.planted(payload)
    del document["paths"]["/items"]["post"]["x-mcp"]
    files = running.generated(document, tmp_path).files
    tools = json.loads(files[f"{PACKAGE}/tools.json"])["tools"]
    (create,) = (t for t in tools if "kind" in t["inputSchema"]["properties"])
    assert payload("summary").startswith(create["title"].removesuffix("…"))
    for place in ("summary", "description", "body", "response"):
        assert payload(place) in create["description"]
    search = next(t for t in tools if t["name"] == "search")
    described, values = search["inputSchema"]["properties"]["choice"]["description"].split("\n\n")
    assert described == payload("query")
    assert values == f"- {payload('default')}: {payload('varname')}"


def test_hidden_characters_are_taken_out_and_reported(served: Served) -> None:
    made = served(payloads.invisible)
    tools = json.loads(made.files[f"{PACKAGE}/tools.json"])["tools"]
    for tool in tools:
        for text in _texts(tool):
            assert text.isprintable() or "\n" in text, text
            assert not judge.hidden(text)


def _texts(value: Any) -> list[str]:
    """Titles and descriptions at any depth."""
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("title", "description") if isinstance(value.get(key), str)]
    return own + [text for item in value.values() for text in _texts(item)]


@pytest.mark.parametrize(
    "payload", [payloads.triple_double, payloads.template], ids=lambda p: p.__name__
)
def test_generated_tests_run_nothing_else(
    payload: Payload, served: Served, tmp_path: Path, canary: Path
) -> None:
    """The tests of such a server pass, and execute nothing of its document."""
    running.write(running.texts(served(payload)), tmp_path / "out")
    run = running.run_tests(tmp_path / "out", canary)
    assert run.returncode == 0, run.stdout[-3000:]
    assert not canary.exists()


@every_payload
def test_the_judge_sees_a_naive_generator(payload: Payload, canary: Path) -> None:
    """The control: what pastes text into files is found out by the same judge."""
    plain = naive.generate(documents.planted(documents.harmless))
    assert judge.findings(plain, plain) == []
    found = judge.findings(naive.generate(documents.planted(payload)), plain)
    assert found or canary.exists()


def test_the_payloads_run_where_they_are_code(tmp_path: Path) -> None:
    """The control: importing what a naive generator wrote leaves the canary's trace."""
    executing = (
        payloads.single_quote,
        payloads.double_quote,
        payloads.triple_double,
        payloads.backslash_double,
        payloads.line_feed,
        payloads.carriage_return,
        payloads.source_encoding,
    )
    folders = [tmp_path / payload.__name__ for payload in executing]
    for folder, payload in zip(folders, executing, strict=True):
        running.write(naive.generate(documents.planted(payload)), folder)
    running.import_all(folders)
    assert [folder.name for folder in folders if not (folder / "canary").exists()] == []
