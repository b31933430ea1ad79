"""Overlays 1.0, 1.1 and 1.2: what each action makes of a document."""

from pathlib import Path

from overlaying import load

from mcpgen import overlay
from mcpgen.diagnostics import Diagnostics
from mcpgen.source import SourceOptions


def test_every_value_knows_the_text_that_it_came_from(tmp_path: Path) -> None:
    actions = [
        {"target": "$.servers[0]", "remove": True},
        {"target": "$.servers", "update": {"url": "https://c.example"}},
        {"target": "$.paths['/b']", "copy": "$.paths['/a']"},
        {"target": "$.tags", "copy": "$.servers"},
    ]
    document, _ = load(tmp_path, actions)

    def line(pointer: str) -> str:
        place = document.node(document.root.file, pointer).location
        text = Path(place.file).read_text().splitlines()[place.line - 1]
        return text[place.column - 1 :]

    assert line("/servers/0/url").startswith('"url": "https://b.example"')
    assert line("/servers/1/url").startswith('"url": "https://c.example"')
    assert line("/paths/~1b/get/parameters/0/name").startswith('"name": "p"')
    assert line("/paths/~1b/delete").startswith('"delete": {')
    assert line("/tags/1/url").startswith('"url": "https://b.example"')
    assert line("/tags/2/url").startswith('"url": "https://c.example"')


def test_what_yaml_aliases_share_is_changed_at_one_place(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text("openapi: 3.1.0\nx-a: &a {n: [1]}\nx-b: *a\n")
    (tmp_path / "fix.yaml").write_text(
        "overlay: 1.1.0\ninfo: {title: A, version: '1'}\n"
        "actions: [{target: $.x-b, update: {n: [2]}}]\n".replace("$.x-b", "\"$['x-b']\"")
    )
    files = [str(tmp_path / name) for name in ("api.yaml", "fix.yaml")]
    found = Diagnostics()
    document = overlay.load(files[0], files[1:], options=SourceOptions(), diagnostics=found)
    assert document.root.value["x-a"] == {"n": [1]}
    assert document.root.value["x-b"] == {"n": [1, 2]}
