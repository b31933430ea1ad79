"""Which regular expressions of a document are advertised."""

import random

import pytest
from faults.promises import NODE, uncompiled
from schema_documents import accepts
from tables import table

from mcpgen.patterns.advertised import read
from mcpgen.patterns.ecmascript import foreign
from mcpgen.readers.dialect import Dialect
from mcpgen.runtime.schemas.patterns import matches


@pytest.mark.parametrize("pattern", ["^[a-z]+$", r"^\p{L}+$", "^.{0,1000}$", r"^\d{4}-\d\d$"])
def test_what_is_enforced_is_advertised(pattern):
    assert read(pattern) == ({"pattern": pattern}, "")


@table(
    "pattern, advertised",
    (r"\A[a-z]+\z", "^[a-z]+$"),
    (r"\A\d{4}\Z", r"^\d{4}$"),
    (r"^\-\@\_\:\ \/\.\{$", r"^-@_: \/\.\{$"),
    (r"^[\@\-\]\^\:]$", r"^[@\-\]\^:]$"),
    (r"[\w-.]+[a-\d][\d-z][.-]", r"[\w\-.]+[a\-\d][\d\-z][.-]"),
    (r"^x\d{1-5}y{z]{2,}$", r"^x\d\{1-5\}y\{z\]{2,}$"),
    ("[[:xdigit:]-_[:alpha:]]", r"[0-9A-Fa-f\-_A-Za-z]"),
)
def test_what_only_lenient_engines_read_is_written_as_all_do(pattern, advertised):
    """The right column compiles in ECMA-262 with the `u` flag, where the left one does not."""
    assert read(pattern).keywords == {"pattern": advertised}


@table("pattern", r"\\A[\]\\A]\\z", r"\u{1F600}|\p{L}{2}", r"^[^]a[b-]{3,}$", r"\x41[\d\-_]")
def test_what_every_engine_reads_is_advertised_as_it_is(pattern):
    assert read(pattern).keywords == {"pattern": pattern}


@table(
    "pattern, why",
    ("^(?=.*a)b", "look-around"),
    ("(?<!a)b", "look-around"),
    (r"(a)\1", "back-references"),
    ("(?P<a>x)(?P=a)", "back-references"),
    ("^(?!x).{0,90000}$", "look-around"),
    ("(?i)^abc$", "begins a group with `(?i`"),
    ("a(?i:b)", "begins a group with `(?i`"),
    ("(?>a)", "begins a group with `(?`"),
    ("(?#a)b", "begins a group with `(?#a`"),
    ("^a++$", "possessive"),
    ("^(?:a)*+$", "possessive"),
    ("^[a-z&&[^aeiou]]$", "`&&` in a class"),
    (r"\h+", r"has `\h`"),
    (r"\p{IsLatin}", r"has `\p`"),
    (r"a\Qb\E", r"has `\Q`"),
)
def test_what_is_not_enforced_or_not_of_ecmascript_is_not_advertised(pattern, why):
    keywords, problem = read(pattern)
    assert keywords == {}
    assert why in problem
    assert problem.endswith("; its text is in the description")


@table(
    "pattern, advertised",
    (r"^(?P<y>\d{4})-x$", r"^(?<y>\d{4})-x$"),
    (r"^\pL[\pN_]$", r"^\p{L}[\p{N}_]$"),
)
def test_what_other_engines_spell_otherwise_is_translated(pattern, advertised):
    assert read(pattern).keywords == {"pattern": advertised}


ATOMS = [
    *("a", "z", "0", "é", "^", "$", ".", "|", "/", "-", "&", "&&", "]", "{", "}", "(", ")", "["),
    *("*", "+", "?", "{2}", "{2,}", "{1,2}", "{2,1}", "(?:", "(?=", "(?<!", "(?<n>", "(?<m>"),
    *("(?P<q>", "(?i)", "(?>", "[^", "[a-z]", "[z-a]", r"[\w-.]", r"[a-\d]", r"[\b]"),
    *("[]", "[--a]"),
    *(r"\d", r"\W", r"\b", r"\B", r"\0", r"\1", r"\2", r"\k<n>", r"\p{L}", r"\P{Lu}", r"\pL"),
    *(r"\p{sc=Latin}", r"\p{Is}", r"\u0041", r"\u{1F600}", r"\u{110000}", r"\x41", r"\x4", r"\cA"),
    *(r"\-", r"\/", r"\.", r"\_", r"\h", r"\Z", r"\A"),
]


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_what_compiles_in_node_is_known():
    chosen = random.Random(1)
    sizes = (chosen.randint(1, 7) for _ in range(1000))
    texts = sorted({"".join(chosen.choices(ATOMS, k=size)) for size in sizes})
    broken = set(uncompiled(texts))
    assert broken
    for text in texts:
        assert bool(foreign(text)) is (text in broken) or "&&" in text, text
    advertised = [read(text).keywords.get("pattern", "") for text in texts]
    assert uncompiled(filter(None, advertised)) == []


@table(
    "pattern, advertised",
    (r"/^[\w ]+$/", r"^[\w ]+$"),
    (r"/^a\/b/gu", r"^a\/b"),
    ("/^[@:]$/v", "^[@:]$"),
)
def test_a_literal_of_javascript_is_advertised_without_its_slashes(pattern, advertised):
    keywords, problem = read(pattern)
    assert keywords == {"pattern": advertised}
    assert "without its slashes" in problem


@pytest.mark.parametrize("pattern", ["/^[a-z]+$/i", "/^[a-z]+$/gim"])
def test_a_literal_whose_flags_change_its_meaning_is_left_out(pattern):
    keywords, problem = read(pattern)
    assert keywords == {}
    assert "with flags" in problem


@pytest.mark.parametrize("pattern", ["/a/", "/users/[0-9]+/", "^/a$/", "/(a|^b)/", r"/\^a/"])
def test_slashes_of_a_path_stay(pattern):
    assert read(pattern) == ({"pattern": pattern}, "")


@pytest.mark.parametrize("pattern", ["[", "a{2,1}", "(", "*"])
def test_what_no_engine_compiles_is_left_out(pattern):
    keywords, problem = read(pattern)
    assert keywords == {}
    assert "is not a regular expression" in problem


@table(
    "pattern, keywords",
    ("^.{0,262144}$", {"maxLength": 262144}),
    ("^.{20000}$", {"minLength": 20000, "maxLength": 20000}),
    ("^.{20000,}$", {"minLength": 20000}),
    (r"^[\s\S]{1,90000}$", {"minLength": 1, "maxLength": 90000}),
    ("^[^/]{0,262144}$", {}),
)
def test_what_is_too_large_for_engines_is_a_length_or_left_out(pattern, keywords):
    found = read(pattern)
    assert found.keywords == keywords
    assert "too large" in found.problem


@table(
    "pattern, advertised, told",
    (r"\A[a-z]+\Z", "^[a-z]+$", r"has `\A`, `\Z`, which"),
    (r"^(?P<y>\d{4})-x$", r"^(?<y>\d{4})-x$", "has `(?P<...>`, which"),
    ("^[[:alpha:]_]+$", "^[A-Za-z_]+$", "has `[:alpha:]`, which"),
    (r"^[\uD83D\uDE00]+$", r"^[\u{1F600}]+$", ""),
    (r"^\uD83D\uDE00{2}$", r"^\u{1F600}{2}$", ""),
    (r"^\\uD83D$", r"^\\uD83D$", ""),
    (r"^\uD83D+$", None, "half of a surrogate pair"),
    (r"^[\uDE00-\uDE0F]$", None, "half of a surrogate pair"),
    (r"^(?P<a>x)(?=y)", None, "look-around"),
)
def test_the_reason_is_the_true_one(pattern, advertised, told):
    found = read(pattern)
    assert found.keywords.get("pattern") == advertised
    assert told in found.problem
    assert bool(told) is bool(found.problem)


@pytest.mark.parametrize(("text", "fits"), [("\U0001f600", True), ("\U0001f601", False)])
def test_a_surrogate_pair_is_one_character(text, fits):
    assert matches(read(r"^[\uD83D\uDE00]$").keywords["pattern"], text) is fits


def test_the_text_of_a_pattern_is_in_the_description(convert):
    look = r"^(?!\.)<b>`x`$"
    schema = {
        "properties": {
            "a": {"type": "string", "pattern": "^(?!a)", "description": "An address."},
            "b": {"type": "string", "pattern": look},
            "c": {"type": "string", "pattern": "^(?!" + "c" * 300 + ")"},
        }
    }
    converted = convert({"It": schema}, Dialect.OAS31)
    assert converted.add() == {
        "properties": {
            "a": {"type": "string", "description": "An address.\n\nPattern: `^(?!a)`"},
            "b": {"type": "string", "description": f"Pattern: {look}"},
            "c": {"type": "string"},
        }
    }
    assert [pointer[-9:] for pointer, _ in converted.warnings] == [f"{n}/pattern" for n in "abc"]


def test_names_by_a_pattern_that_is_not_enforced_are_let_in(convert):
    own = {"propertyNames": {"pattern": "^(?!_)[a-z]+$"}, "additionalProperties": {"type": "null"}}
    named = convert({"It": own}).add()
    assert accepts(named, {"_": None, "A": None})
    assert not accepts(named, {"a": 1})
    names = {"(?P<a>^x)": {"type": "string"}, "^(?!y)": {"type": "integer"}}
    converted = convert({"It": {"patternProperties": names, "additionalProperties": False}})
    assert converted.add() == {"patternProperties": {"(?<a>^x)": {"type": "string"}}}
    [(named, translated), (pointer, message)] = sorted(converted.warnings)
    assert named.endswith("/patternProperties/(?P<a>^x)")
    assert "`(?P<...>`" in translated
    assert pointer.endswith("/patternProperties/^(?!y)")
    assert "look-around" in message


@pytest.mark.parametrize("dialect", list(Dialect))
def test_an_array_without_items_says_that_they_are_any(convert, dialect):
    array = {"type": "array"}
    schema = {"properties": {"a": array, "b": {"type": ["array", "null"], "items": array}}}
    converted = convert({"It": schema}, dialect)
    any_items = {"type": "array", "items": {}}
    assert converted.add() == {
        "properties": {"a": any_items, "b": {"type": ["array", "null"], "items": any_items}}
    }
    assert len(converted.warnings) == 1
    assert "without `items`" in converted.warnings[0][1]
