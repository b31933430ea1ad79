"""What mcpgen adds to a description comes where no client cuts it off."""

import json

from command_line import run
from openapi_reading import one

from mcpgen.text.prose import with_ours


def test_a_first_paragraph_that_is_long_itself_comes_after():
    text = "word " * 1000
    assert with_ours(text, "Ours.") == f"Ours.\n\n{text}"
    assert with_ours("", "Ours.") == "Ours."
    assert with_ours(text, "") == text


def test_inspect_tells_of_instructions_that_are_cut(tmp_path):
    path = tmp_path / "api.json"
    info = {"title": "Long", "version": "1", "description": "Read this before. " * 150}
    path.write_text(json.dumps({"openapi": "3.1.0", "info": info, **one({})}), encoding="utf-8")
    done = run("inspect", str(path), "--client", "claude", "--json")
    found = json.loads(done.stdout)["problems"]
    assert ("claude-cut", "instructions") in {(each["code"], each["where"]) for each in found}
