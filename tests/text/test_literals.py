"""Document text as literals: whatever the text, the literal reads back as it and nothing more."""

import ast
import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mcpgen.text import literals

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
def test_python_literal_reads_back(value):
    assert ast.literal_eval(literals.py(value)) == value


@given(TEXT)
def test_python_literal_holds_no_invisible_character(text):
    assert literals.py(text).isprintable()


@given(TEXT)
def test_docstring_is_one_literal(text):
    tree = ast.parse(f"def f():\n    {literals.docstring(text)}\n".encode("utf-8", "surrogatepass"))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert len(function.body) == 1
    assert ast.get_docstring(function, clean=False) == text


@given(TEXT)
def test_toml_string_reads_back(text):
    read = tomllib.loads(f"x = {literals.toml(text)}")["x"]
    assert read == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


@given(JSON)
def test_readable_json_reads_back_and_hides_nothing(value):
    text = literals.json_text(value)
    assert json.loads(text) == value
    assert all(line.isprintable() for line in text.splitlines())


@given(TEXT)
def test_markdown_is_one_line_without_structure(text):
    line = literals.markdown(text)
    assert "\n" not in line
    assert "<" not in line.replace("\\<", "")
    assert "|" not in line.replace("\\\\", "").replace("\\|", "")


@table(
    "text, literal",
    ("plain", "'plain'"),
    ("line\n\n", "'line\\n\\n'"),
    ("a\n ", "('a\\n' ' ')"),
    ("\na\n", "('\\n' 'a\\n')"),
    ("a\nb\r\nc", "('a\\n' 'b\\r\\n' 'c')"),
    (["a\nb"], "['a\\nb']"),
    (None, "None"),
)
def test_a_text_of_several_lines_is_a_literal_a_line(text, literal):
    assert literals.py_lines(text) == literal
    assert ast.literal_eval(literal) == text


ESCAPES = [
    ("\x07", "\\x07", "\\u0007"),
    ("\x9f", "\\x9f", "\\u009f"),
    ("\u0378", "\\u0378", "\\u0378"),
    ("\u202e", "\\u202e", "\\u202e"),
    ("\uffff", "\\uffff", "\\uffff"),
    ("\U0001000c", "\\U0001000c", "\\U0001000c"),
    ("é漢", "é漢", "é漢"),
    ("\\", "\\\\", "\\\\"),
]


@pytest.mark.parametrize(("text", "in_docstring", "in_toml"), ESCAPES)
def test_what_does_not_print_is_escaped_as_short_as_can_be(text, in_docstring, in_toml):
    assert literals.docstring(f"a{text}\nb") == f'"""a{in_docstring}\nb"""'
    assert literals.toml(f"a{text}b") == f'"a{in_toml}b"'


@table(
    "char, literal",
    *zip("\ud7fb\ud800\udfff\ue000", ["\ud7fb", *["\\ufffd"] * 2, "\\ue000"], strict=True),
)
def test_a_lone_surrogate_is_no_toml(char, literal):
    assert literals.toml(char) == f'"{literal}"'


@pytest.mark.parametrize("surrogate", ["", "\ud800"])
def test_readable_json_is_indented_and_shows_what_prints(surrogate):
    value = {"a": ["é\u202e\n", {"b": 1.5}], "c" + surrogate: []}
    escaped = surrogate and "\\ud800"
    assert literals.json_text(value) == (
        '{\n  "a": [\n    "é\\u202e\\n",\n    {\n      "b": 1.5\n    }\n  ],\n'
        f'  "c{escaped}": []\n}}\n'
    )


@pytest.mark.parametrize("text", ['{"a": ["\\ud800"]}', '{"a": ["é"]}', '{"a": [1e400, 1]}'])
def test_what_json_can_hold_is_read(text):
    assert literals.parsed(text) == literals.parsed(text.encode()) == json.loads(text)


@pytest.mark.parametrize("text", ["plain", "é", "\x7f", "\u202e", "\ud800", 'a"\n\b\x01'])
def test_text_of_a_lock_is_printable_ascii(text):
    value = {"a": {text: [text, {}]}}
    assert literals.ascii_text(value) == json.dumps(value, indent=2)


@table(
    "text, line",
    ("- a", "\\- a"),
    ("1. a", "1\\. a"),
    ("12) a", "12\\) a"),
    ("= a", "\\= a"),
    ("a - 1. b", "a - 1. b"),
    ("12", "12"),
    ("# *a* <b>", "\\# \\*a\\* \\<b\\>"),
    ("http://a www.b", "http:\\//a www\\.b"),
    ("a\n\n\u202eb\tc ", "a b c"),
)
def test_markdown_shows_a_text_as_it_is(text, line):
    assert literals.markdown(text) == line


def test_a_code_span_outlasts_its_backticks():
    assert literals.code_span("a`b``c") == "```a`b``c```"
    assert literals.code_span("`a") == "`` `a ``"
    assert literals.code_span("a`") == "`` a` ``"
    assert literals.code_span("a") == "`a`"


def test_a_pipe_is_no_code():
    assert literals.code_span("a\\|b") == "a\\\\\\|b"


@table(
    "text, sentence",
    ("Reads [pets](https://x.test) of `one` owner. More.", "Reads pets of one owner."),
    ("# Pets API\n\n## About\nWhat is\nthere. More.", "What is there."),
    ("# Pets API\n", "Pets API"),
    ("Send `Key your-key`<br>See https://x.test", "Send Key your-key"),
    ("The pets\n\nAnd more", "The pets"),
)
def test_a_sentence_has_no_markup(text, sentence):
    assert literals.sentence(text) == sentence


def test_the_first_sentence_is_cut_at_a_word():
    assert literals.sentence("Lists pets. And more.") == "Lists pets."
    assert literals.sentence("word " * 50, 20) == "word word word word…"
    assert literals.sentence("查询用户。第二句。") == "查询用户。"
    assert literals.sentence("本当ですか\uff1fはい。") == "本当ですか\uff1f"
    assert literals.sentence("「はい。」と言う。次。") == "「はい。」と言う。"
    assert literals.sentence(f"API {'说明文字' * 30}", 20) == f"API {'说明文字' * 3}说明文…"
    assert literals.statement("**New here?** 本当\uff1f We [do](x). More.") == "We do."
    assert literals.statement("Is it up?") == "Is it up?"
    assert literals.statement("本当\uff1f") == "本当\uff1f"
    assert literals.sentence("word, X word", 9) == "word, X…"
    assert literals.sentence("Xword, word", 9) == "Xword…"
    assert literals.sentence("x" * 20, 10) == "x" * 9 + "…"
    assert literals.sentence("x" * 10, 10) == "x" * 10
    assert literals.sentence("x" * 160) == "x" * 160
    assert literals.sentence("x" * 161) == "x" * 159 + "…"
