"""Document text as literals: whatever the text, the literal reads back as it and nothing more."""

from __future__ import annotations

import ast
import json
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from mcpgen import literals

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
NASTY = st.sampled_from(
    ['"""', "'''", "\\", "\n", '"', "\x00", "\u202e", "\U000e0041", "{{ x }}", "`|"]
)
TEXT = st.one_of(ANY_TEXT, st.lists(st.one_of(NASTY, ANY_TEXT), max_size=5).map("".join))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
)


@given(JSON)
def test_python_literal_reads_back(value: object) -> None:
    assert ast.literal_eval(literals.py(value)) == value


@given(TEXT)
def test_python_literal_holds_no_invisible_character(text: str) -> None:
    assert literals.py(text).isprintable()


@given(TEXT)
def test_docstring_is_one_literal(text: str) -> None:
    tree = ast.parse(f"def f():\n    {literals.docstring(text)}\n".encode("utf-8", "surrogatepass"))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert len(function.body) == 1
    assert ast.get_docstring(function, clean=False) == text


@given(TEXT)
def test_toml_string_reads_back(text: str) -> None:
    read = tomllib.loads(f"x = {literals.toml(text)}")["x"]
    assert read == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


@given(JSON)
def test_readable_json_reads_back_and_hides_nothing(value: object) -> None:
    text = literals.json_text(value)
    assert json.loads(text) == value
    assert all(line.isprintable() for line in text.splitlines())


@given(TEXT)
def test_markdown_is_one_line_without_structure(text: str) -> None:
    line = literals.markdown(text)
    assert "\n" not in line
    assert "<" not in line.replace("\\<", "")
    assert "|" not in line.replace("\\\\", "").replace("\\|", "")


def test_a_code_span_outlasts_its_backticks() -> None:
    assert literals.code_span("a`b``c") == "```a`b``c```"
    assert literals.code_span("`a") == "`` `a ``"


def test_a_pipe_is_no_code() -> None:
    assert literals.code_span("a\\|b") == "a\\\\\\|b"


def test_the_first_sentence_is_cut_at_a_word() -> None:
    assert literals.sentence("Lists pets. And more.") == "Lists pets."
    assert literals.sentence("word " * 50, 20) == "word word word word…"
