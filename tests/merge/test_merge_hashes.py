"""What of a module is an edit: its hashes, which two ways to read it give alike."""

import time
from pathlib import Path

import libcst as cst
import pytest
from merging import OLD
from tables import table

from mcpgen.merge import imports as merge_imports
from mcpgen.merge import parts as merge_parts
from mcpgen.merge.snapshot import snapshot
from mcpgen.merge.tokens import fingerprint
from mcpgen.text.words import Numbering


@table(
    "after",
    "",
    "\n\n# Above.\nX = 1\n# Above too.\n\nY = 1\n",
    "    # Below.\n\n    # Below, too.\n\n# Above.\n\n# Above, too.\nX = 1\n",
    "  # Below.\n# Above.\n  # Above, too.\nX = 1\n  # Above.\nY = 1\n# Nobody's.\n",
    "\n\ndef one() -> None: ...\n    # Above.\n@one\nclass Two:\n    x = 1\n    # Below.\n",
)
def test_the_two_ways_to_hash_agree(after):
    text = f"{OLD}{after}"
    module = cst.parse_module(text)
    fast, slow = snapshot(text), {d.key: d.hashes for d in merge_parts.definitions(module)}
    assert fast.keys() == {"imports", *slow}
    for key, parts in slow.items():
        for part in ("name", "whole", "comments"):
            assert fast[key].get(part) == parts.get(part), key


@pytest.mark.parametrize("folder", ["bookshop", "wire", "bodies"])
def test_they_agree_on_what_is_generated(folder):
    examples = Path(__file__).parents[2] / "generated_examples" / folder
    tests = examples.glob("tests/*.py") if folder == "bookshop" else ()  # the same in each
    for path in [*examples.glob("*_mcp/handlers/*.py"), *tests]:
        text = path.read_text()
        module = cst.parse_module(text)
        slow = {each.key: each.hashes for each in merge_parts.definitions(module)}
        imported = {each.name: each.source for each in merge_imports.imports(module).values()}
        assert snapshot(text) == {"imports": imported, **slow}, path


@table(
    "one, other, same",
    ("f(a, b)", "f(\n    a,\n    b,\n)", True),
    ("x = 'a'", 'x = "a"', True),
    ("f(a, b)", "f(b, a)", False),
    ("f(a)  # why", "f(a)", False),
    ('"a b"', '"ab"', False),
    ('"""A.\n\n    B.\n      C.\n    """', '"""A.\n\n\tB.\n\t  C.\n\t"""', True),
    ('"""A.\n\n    B.\n      C.\n    """', '"""A.\n\n\tB.\n\tC.\n\t"""', False),
    ("a: b | c = 1", "a: (\n    b\n    | c\n) = 1", True),
    ("f(a: b[c, d], e: f = 1)", "f(a: (b[c, d]), e: (f) = 1)", True),
    ("a: (b, c) = 1", "a: b, c = 1", False),
    ("a: (b,) = 1", "a: b = 1", False),
    ('"a": (b)', '"a": b', False),
    ('f("""A.\n    B.""")', 'f("""A.\n  B.""")', False),
)
def test_layout_is_no_edit(one, other, same):
    assert (fingerprint(one) == fingerprint(other)) is same


def test_nesting_is_an_edit():
    inside, outside = "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"
    assert fingerprint(inside, block=True) != fingerprint(outside, block=True)
    assert fingerprint(inside, block=True) == fingerprint(inside.replace("    ", "  "), block=True)


def test_a_docstring_is_indented_as_its_function():
    code = 'async def f():\n    """A.\n\n    B.\n    """\n    return f("""A.\n    B.""")\n'
    head, text = code.split("    return")
    for indent in ("\t", "  "):
        other = f"{head.replace('    ', indent)}{indent}return{text}"
        assert fingerprint(code, block=True) == fingerprint(other, block=True)


def test_both_ways_to_read_imports_agree():
    text = "from a import b as c, d\nfrom . import e as f\nimport g.h\nimport i.j as k\n"
    slow = merge_imports.imports(cst.parse_module(text))
    assert snapshot(text)["imports"] == {name: each.source for name, each in slow.items()}


def test_however_often_a_name_is_defined_it_is_told_apart_in_bounded_time():
    text = "def f(): pass\n" * 20 + "def f_2(): pass\n"
    there = [each.key for each in merge_parts.definitions(cst.parse_module(text))]
    assert list(snapshot(text))[1:] == there
    assert len(set(there)) == 21
    start, unique = time.process_time(), Numbering(merge_parts.AGAIN)
    assert len({unique("f") for _ in range(20_000)}) == 20_000
    assert time.process_time() - start < 5
