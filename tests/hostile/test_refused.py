"""What leaves no choice is refused: exit code 1, a located message, nothing written or fetched."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import run

from .documents import OK
from .documents import openapi as document

SECRET = "canary-secret-5f1e"
HEAD = '{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, '
YAML_HEAD = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\n"

_PLACE = re.compile(r"--> (\S+):(\d+):(\d+)")

_watching: list[tuple[str, str]] | None = None


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching is None:
        return
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        _watching.append((event, str(arguments[0])))
    elif event in ("socket.connect", "socket.getaddrinfo", "os.system"):
        _watching.append((event, str(arguments)))


sys.addaudithook(_watch)


@pytest.fixture
def touched() -> Iterator[list[tuple[str, str]]]:
    """What the process opens and connects to."""
    global _watching
    _watching = []
    yield _watching
    _watching = None


def around(folder: Path) -> list[Path]:
    """What there is in a folder, and beside it."""
    return sorted([*folder.parent.iterdir(), *folder.rglob("*")])


def refuse(folder: Path, name: str, content: str | bytes) -> str:
    """Generate from a document that is refused; the messages."""
    source = folder / name
    source.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = around(folder)
    result = run("from-openapi", str(source), "-o", str(folder / "out"))
    assert result.exit_code == 1, result.output
    assert around(folder) == before
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    return result.stderr


def located(messages: str, name: str) -> tuple[int, int]:
    """Where the first message points to, in the document itself."""
    match = _PLACE.search(messages)
    assert match, messages
    assert match[1].endswith(name)
    return int(match[2]), int(match[3])


Case = tuple[str | bytes, str | None, tuple[int, int] | None]
"""A text, the code of its error and its place, where they are known."""

UNREADABLE: dict[str, Case] = {
    "not-a-number": ('{"tools": [],\n"x": NaN}', "number-not-finite", (2, 6)),
    "same-key-twice": (f'{HEAD}\n"paths": {{}},\n"paths": {{}}}}', "duplicate-key", (3, 1)),
    "half-a-surrogate": (f'{HEAD}\n"x-a": "\\ud800"}}', "lone-surrogate", (2, 8)),
    "deep-json": (f'{HEAD}"x-a": {"[" * 100_000}', "too-deep", None),
    "not-utf-8": (b'{"openapi": "3.1.0",\n"info": "\xff"}', "encoding", (2, 10)),
    "python-call": (f"{YAML_HEAD}x-a: !!python/object/apply:os.system ['x']\n", "yaml-tag", (3, 6)),
    "own-tag": (f"{YAML_HEAD}x-a: !include /etc/passwd\n", "yaml-tag", (3, 6)),
    "contains-itself": (f"{YAML_HEAD}x-a: &a [*a]\n", None, (3, 10)),
    "doubling-aliases": (
        f"{YAML_HEAD}x-0: &a0 [lol]\n"
        + "".join(f"x-{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 20)),
        "too-many-values",
        None,
    ),
    "doubling-merges": (
        f"{YAML_HEAD}x-0: &a0 {{k: v}}\n"
        + "".join(f"x-{i}: &a{i} {{a: *a{i - 1}, b: *a{i - 1}}}\n" for i in range(1, 40)),
        "too-many-values",
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read(tmp_path: Path, case: str) -> None:
    content, code, place = UNREADABLE[case]
    name = "api.yaml" if isinstance(content, str) and YAML_HEAD in content else "api.json"
    messages = refuse(tmp_path, name, content)
    assert code is None or f"error[{code}]" in messages, messages
    assert place in (None, located(messages, name))


def test_a_document_over_the_limit(tmp_path: Path) -> None:
    source = tmp_path / "api.json"
    source.write_text(HEAD + f'"x-a": "{"a" * 100_000}"}}')
    arguments = ["from-openapi", str(source), "-o", str(tmp_path / "out")]
    result = run(*arguments, "--max-source-bytes", "50000")
    assert result.exit_code == 1
    assert "error[too-large]" in result.stderr
    assert "--max-source-bytes" in result.stderr


def _body(schema: Any) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": OK}


REFERENCES = [
    "http://169.254.169.254/latest/meta-data/",
    "\thttp://127.0.0.1/a.json",
    "//127.0.0.1/a.json",
    "http:/\\127.0.0.1/a.json",
    "\\\\127.0.0.1\\share\\a.json",
    "file:{outside}",
    "file://{outside}",
    "data:application/json,{{}}",
    "javascript:alert(1)",
    "{outside}",
    "../../secret.json",
    "..%2f..%2fsecret.json",
    "%2e%2e/%2e%2e/secret.json",
    "a/..\\..\\..\\secret.json",
    "link.json",
    "folder/secret.json",
    "/proc/self/environ",
    "~/secret.json/../../../secret.json",
]


@pytest.mark.parametrize("reference", REFERENCES)
def test_references_that_lead_out(
    tmp_path: Path, reference: str, touched: list[tuple[str, str]]
) -> None:
    """No spelling of a reference opens what is outside, or connects anywhere."""
    outside = tmp_path / "secret.json"
    outside.write_text(json.dumps({"type": "string", "title": SECRET}))
    folder = tmp_path / "project" / "api"
    folder.mkdir(parents=True)
    (folder / "link.json").symlink_to(outside)
    (folder / "folder").symlink_to(tmp_path)
    target = reference.format(outside=outside)
    paths = {"/a": {"post": _body({"type": "object", "properties": {"a": {"$ref": target}}})}}
    touched.clear()
    messages = refuse(folder, "api.json", json.dumps(document(paths), indent=1))
    assert re.search(r"error\[(remote|escaping|external)-reference\]", messages), messages
    assert "/properties/a/$ref" in messages
    located(messages, "api.json")
    assert SECRET not in messages
    assert [what for what, _ in touched if what != "open"] == []
    opened = [path for what, path in touched if what == "open"]
    assert not [path for path in opened if path.endswith(("secret.json", "environ", "link.json"))]


OUT = "http://127.0.0.1:9/a.json"
ODD_PLACES: dict[str, Any] = {
    "/item": {"$ref": OUT},
    "/parameter": {"get": {"parameters": [{"$ref": OUT}], "responses": OK}},
    "/body": {"put": {"requestBody": {"$ref": OUT}, "responses": OK}},
    "/response": {"get": {"responses": {"200": {"$ref": OUT}}}},
    "/header": {"get": {"responses": {"200": {"headers": {"H": {"$ref": OUT}}}}}},
    "/link": {"get": {"responses": {"200": {"links": {"l": {"$ref": OUT}}}}}},
    "/callback": {"get": {"callbacks": {"c": {"$ref": OUT}}, "responses": OK}},
    "/discriminator": {
        "put": _body({"discriminator": {"propertyName": "a", "mapping": {"x": OUT}}})
    },
    "/dynamic": {"put": _body({"$dynamicRef": OUT})},
    "/more": {"additionalOperations": {"COPY": _body({"$ref": OUT})}},
}
UNUSED = {"schemas": {"A": {"items": {"$ref": OUT}}}, "securitySchemes": {"s": {"$ref": OUT}}}


def test_references_in_odd_places(tmp_path: Path, touched: list[tuple[str, str]]) -> None:
    """Those of paths, and three that nothing leads to."""
    webhooks = {"w": {"$ref": OUT}}
    found = document(ODD_PLACES, openapi="3.2.0", components=UNUSED, webhooks=webhooks)
    start, *others = json.dumps(found, indent=1).split(OUT)
    text = start + "".join(f"{OUT}{number}{other}" for number, other in enumerate(others))
    messages = refuse(tmp_path, "api.json", text)
    assert len(others) == len(ODD_PLACES) + 3
    for number in range(len(others)):
        assert f"error[remote-reference]: the reference '{OUT}{number}' " in messages
    located(messages, "api.json")
    assert [what for what, _ in touched if what != "open"] == []


LOOPS: dict[str, dict[str, Any]] = {
    "three": {
        "A": {"$ref": "#/components/schemas/B"},
        "B": {"$ref": "#/components/schemas/C"},
        "C": {"$ref": "#/components/schemas/A"},
    },
    "by allOf": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}},
}


@pytest.mark.parametrize("loop", LOOPS)
def test_references_that_lead_only_to_each_other(tmp_path: Path, loop: str) -> None:
    paths = {"/a": {"put": _body({"$ref": "#/components/schemas/A"})}}
    found = document(paths, components={"schemas": LOOPS[loop]})
    messages = refuse(tmp_path, "api.json", json.dumps(found, indent=1))
    assert "warning[reference-loop]" in messages
    assert "error[no-operations]" in messages
    assert all(name in messages for name in LOOPS[loop])


SHAPES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown version": (document({}, openapi="4.0.0"), "version"),
    "no version": ({"info": {}, "paths": {}}, "not-openapi"),
    "no operations": (document({}), "no-operations"),
    "paths as a list": (document([]), "paths"),
    "path item as a list": (document({"/a": []}), "path-item"),
    "operation as a text": (document({"/a": {"get": "x"}}), "operation"),
    "absolute path": (document({"https://evil.test/a": {"get": {}}}), "path-key"),
    "path of another host": (document({"//evil.test/a": {"get": {}}}), "path-key"),
    "path of a share": (document({"/\\evil.test/a": {"get": {}}}), "path-key"),
    "path out of the base": (document({"/a/%2e%2e/b": {"get": {}}}), "path-key"),
    "path of two lines": (document({"/a\r\nX: y": {"get": {}}}), "path-key"),
    "only what is never called": (document({"/a": {"trace": {"responses": OK}}}), "no-operations"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_structure_without_operations(tmp_path: Path, shape: str) -> None:
    found, code = SHAPES[shape]
    messages = refuse(tmp_path, "api.json", json.dumps(found, indent=1))
    assert f"error[{code}]" in messages
    located(messages, "api.json")


def test_every_problem_is_reported(tmp_path: Path) -> None:
    found = document({"/a": [], "/b": {"get": 1}, "c": {}, "//d": {}})
    messages = refuse(tmp_path, "api.json", json.dumps(found, indent=1))
    assert len(_PLACE.findall(messages)) == 4


def test_messages_hold_no_control_characters(tmp_path: Path) -> None:
    """A terminal shows what a message quotes, and obeys none of it."""
    found = document({"\x1b[2J\u202e\x07a": {}})
    messages = refuse(tmp_path, "api.json", json.dumps(found, ensure_ascii=False, indent=1))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", messages)
