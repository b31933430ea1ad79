"""Three-way merge of modules: what follows the generator, what stays, what is told."""

from __future__ import annotations

import ast
import sys
import time
from pathlib import Path

import libcst as cst
import pytest

from mcpgen.merge import imports as merge_imports
from mcpgen.merge import parts as merge_parts
from mcpgen.merge.modules import Merged, MergeError, merge
from mcpgen.merge.snapshot import snapshot
from mcpgen.merge.tokens import fingerprint

HEAD = '''"""Tools tagged `pets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Pet


'''
GET = '''@tool("getPet")
async def get_pet(ctx: Context, *, pet_id: int) -> Response[Pet]:
    """Look a pet up: GET /pets/{petId}."""
    return await ctx.api.send("GET", "/pets/{petId}", path={"petId": pet_id})
'''
LIST = '''@tool("listPets")
async def list_pets(ctx: Context, *, limit: int | Unset = UNSET) -> Response[Pet]:
    """List pets: GET /pets."""
    return await ctx.api.send("GET", "/pets", query={"limit": limit})
'''
CALL = '    return await ctx.api.send("GET", "/pets",'
OLD = f"{HEAD}{GET}\n\n{LIST}"


def merged(there: str, new: str, conflicts: str = "keep") -> Merged:
    return merge(snapshot(OLD), there, new, conflicts=conflicts)


@pytest.mark.parametrize(
    "after",
    [
        "",
        "\n\n# Above.\nX = 1\n# Above too.\n\nY = 1\n",
        "    # Below.\n\n    # Below, too.\n\n# Above.\n\n# Above, too.\nX = 1\n",
        "  # Below.\n# Above.\n  # Above, too.\nX = 1\n  # Above.\nY = 1\n# Nobody's.\n",
        "\n\ndef one() -> None: ...\n    # Above.\n@one\nclass Two:\n    x = 1\n    # Below.\n",
    ],
)
def test_the_two_ways_to_hash_agree(after: str) -> None:
    text = f"{OLD}{after}"
    module = cst.parse_module(text)
    fast, slow = snapshot(text), {d.key: d.hashes for d in merge_parts.definitions(module)}
    assert fast.keys() == {"imports", *slow}
    for key, parts in slow.items():
        for part in ("name", "whole", "comments"):
            assert fast[key].get(part) == parts.get(part), key


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        f"{HEAD}{LIST}\n\n{GET}",
        OLD.replace("limit", "size"),
        OLD.replace("\n\n\n@tool", "\n\n\n# Above.\n@tool"),
        OLD.replace('"/pets"', '"/pets", json={}'),
        f"{OLD}\n\n{LIST}",
        f"{HEAD}{GET}    # Below.\n\n\n{LIST}",
    ],
)
def test_what_is_taken_over_is_what_hashing_gives(new: str) -> None:
    assert snapshot(new, (OLD, snapshot(OLD))) == snapshot(new)
    assert snapshot(OLD, (new, snapshot(new))) == snapshot(OLD)


@pytest.mark.parametrize("folder", ["bookshop", "wire", "bodies"])
def test_they_agree_on_what_is_generated(folder: str) -> None:
    examples = Path(__file__).parent.parent / "generated_examples" / folder
    for path in [*examples.glob("*_mcp/handlers/*.py"), *examples.glob("tests/*.py")]:
        text = path.read_text()
        module = cst.parse_module(text)
        slow = {each.key: each.hashes for each in merge_parts.definitions(module)}
        imported = {each.name: each.source for each in merge_imports.imports(module).values()}
        assert snapshot(text) == {"imports": imported, **slow}, path


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
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
    ],
)
def test_layout_is_no_edit(one: str, other: str, same: bool) -> None:
    assert (fingerprint(one) == fingerprint(other)) is same


def test_nesting_is_an_edit() -> None:
    inside, outside = "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"
    assert fingerprint(inside, block=True) != fingerprint(outside, block=True)
    assert fingerprint(inside, block=True) == fingerprint(inside.replace("    ", "  "), block=True)


def test_a_docstring_is_indented_as_its_function() -> None:
    code = 'async def f():\n    """A.\n\n    B.\n    """\n    return f("""A.\n    B.""")\n'
    head, text = code.split("    return")
    for indent in ("\t", "  "):
        other = f"{head.replace('    ', indent)}{indent}return{text}"
        assert fingerprint(code, block=True) == fingerprint(other, block=True)


def test_nobody_edited() -> None:
    new = OLD.replace("pet_id: int", "pet_id: str")
    done = merged(OLD, new)
    assert (done.text, done.conflicts, done.kept, done.notes) == (new, [], [], [])


def test_a_docstring_comes_before_the_imports() -> None:
    """Also that of a module which we write again, and of which only an edited part was left."""
    docstring, _, rest = OLD.partition("\n\n")
    there = f"# Ours.\n{rest}".replace(CALL, f"    log()\n{CALL}")
    done = merge({}, there, OLD)
    assert done.text.startswith(f"# Ours.\n{docstring}\nfrom __future__")


def test_an_edited_body_stays_and_the_rest_follows() -> None:
    there = OLD.replace(
        '    return await ctx.api.send("GET", "/pets/', "    log()\n" + GET[-76:-69]
    )
    there = OLD.replace(
        '    return await ctx.api.send("GET", "/pets/{petId}", path={"petId": pet_id})',
        '    log()\n    return await ctx.api.send("GET", "/pets/{petId}", path={"petId": pet_id})',
    )
    new = (
        OLD.replace("pet_id: int)", "pet_id: str, owner: Owner | Unset = UNSET)")
        .replace('path={"petId": pet_id})', 'path={"petId": pet_id}, query={"owner": owner})')
        .replace("import Pet", "import Owner, Pet")
        .replace("Look a pet up", "Find a pet")
        .replace('@tool("getPet")', '@tool("getPet", pet_id="petId")')
    )
    done = merged(there, new)
    assert done.text == new.replace(
        '    return await ctx.api.send("GET", "/pets/{petId}"',
        '    log()\n    return await ctx.api.send("GET", "/pets/{petId}"',
    )
    assert not done.conflicts


def test_an_edited_value_stays_beside_a_new_one() -> None:
    there = OLD.replace('{"limit": limit}', '{"limit": min(limit, 9)}')
    new = OLD.replace('{"limit": limit}', '{"limit": limit, "page": page}')
    new = new.replace("limit: int | Unset = UNSET)", "limit: int | Unset = UNSET, page: int)")
    assert '{"limit": min(limit, 9), "page": page}' in merged(there, new).text


@pytest.mark.parametrize(
    ("query", "result"),
    [
        (
            '{\n"limit": limit,  # Mine.\n# Below.\n}',
            '{\n"limit": limit,  # Mine.\n"page": page\n# Below.\n}',
        ),
        ('{\n"limit": limit  # Mine.\n}', '{\n"limit": limit,  # Mine.\n"page": page\n}'),
        (
            '{\n"mine": 1,\n"limit": limit  # Mine.\n}',
            '{\n"mine": 1,\n"limit": limit,  # Mine.\n"page": page\n}',
        ),
        ('{\n"limit": limit,\n# Mine.\n}', '{\n"limit": limit, "page": page\n# Mine.\n}'),
        ("{}", '{"page": page}'),
    ],
)
def test_a_comment_behind_the_last_entry_stays_behind_it(query: str, result: str) -> None:
    new = OLD.replace("UNSET)", "UNSET, page: int)").replace("limit})", 'limit, "page": page})')
    assert result in merged(OLD.replace('{"limit": limit}', query), new).text


def test_an_edited_member_of_a_body_that_may_be_left_out_stays_beside_a_new_one() -> None:
    old = OLD.replace('query={"limit": limit}', 'json=if_given({"limit": limit})')
    there = old.replace('"limit": limit}', '"limit": min(limit, 9)}')
    new = old.replace("UNSET)", "UNSET, page: int)").replace("limit})", 'limit, "page": page})')
    done = merge(snapshot(old), there, new)
    assert 'json=if_given({"limit": min(limit, 9), "page": page})' in done.text
    assert not done.conflicts


def test_an_edited_body_that_may_now_be_left_out_is_a_conflict() -> None:
    old = OLD.replace('query={"limit": limit}', 'json={"limit": limit}')
    there = old.replace('"limit": limit}', '"limit": min(limit, 9)}')
    new = old.replace('json={"limit": limit}', 'json=if_given({"limit": limit})')
    done = merge(snapshot(old), there, new)
    assert [c.part for c in done.conflicts] == ["call json"]
    assert 'json={"limit": min(limit, 9)}' in done.text


def test_the_call_that_we_wrote_follows_beside_another_of_the_api() -> None:
    there = OLD.replace(CALL, f'    await ctx.api.send("POST", "/log")\n{CALL}')
    done = merged(there, OLD.replace('"/pets",', '"/v2/pets",'))
    assert (done.text, done.conflicts) == (there.replace('"/pets",', '"/v2/pets",'), [])


@pytest.mark.parametrize(
    ("old", "own"),
    [
        ('{"limit": limit}', '{"limit": limit, KEY: 1, 2: 3}'),
        ('GET /pets."""', 'GET /pets."""; log()'),
    ],
)
def test_what_no_handler_of_ours_has_stays(old: str, own: str) -> None:
    there = OLD.replace(old, own)
    done = merged(there, OLD.replace("limit: int", "limit: str"))
    assert (done.text, done.conflicts) == (there.replace("limit: int", "limit: str"), [])
    new = OLD.replace("List pets", "Show pets").replace("limit}", 'limit, "page": 1}')
    done = merged(there, new, "theirs")
    assert own.removeprefix(old[:-1]).strip('"') in done.text


@pytest.mark.parametrize("conflicts", ["keep", "theirs"])
def test_a_docstring_stays_beside_a_body_that_both_changed(conflicts: str) -> None:
    there = OLD.replace("List pets:", "Mine:").replace('ctx.api.send("GET", "/pets",', "other(")
    new = OLD.replace('"/pets",', '"/v2/pets",')
    done = merged(there, new, conflicts)
    assert [each.part for each in done.conflicts] == ["body"]
    assert done.text == (there if conflicts == "keep" else new.replace("List pets:", "Mine:"))


def test_an_edited_call_does_not_go_with_the_request() -> None:
    there = OLD.replace('{"limit": limit}', '{"limit": min(limit, 9)}')
    new = f"{OLD.partition(CALL)[0]}    raise ToolError('Not written yet.')\n"
    done = merged(there, new)
    assert [(c.definition, c.part) for c in done.conflicts] == [("tool listPets", "body")]
    assert done.text == there
    assert merged(there, new, "theirs").text == new
    assert merged(OLD, new).text == new


def test_a_body_on_the_line_of_its_function_is_merged() -> None:
    there = OLD.replace('\n    """Look a pet up: GET /pets/{petId}."""\n    return', " return")
    done = merged(there, OLD.replace("pet_id: int", "pet_id: str"))
    assert (done.text, done.conflicts) == (there.replace("pet_id: int", "pet_id: str"), [])
    new = OLD.replace("Look a pet up", "Find a pet")
    done = merged(there, new)
    assert ([each.part for each in done.conflicts], done.text) == (["docstring"], there)
    assert merged(there, new, "theirs").text == new


@pytest.mark.parametrize(
    ("old", "own", "notes"),
    [
        ("ctx", "context", []),
        ("*, limit: int | Unset = UNSET", "**given", []),
        ("*, limit", "*, own=1, limit", []),
        ("*, limit", "*, own, limit", ["the tool gives no `own`, which it requires"]),
        (
            ", *, limit: int | Unset = UNSET",
            "",
            ["it does not take the tool's argument `limit`"],
        ),
    ],
)
def test_what_does_not_fit_the_tool_is_told(old: str, own: str, notes: list[str]) -> None:
    there = OLD.replace(old, own)
    done = merged(there, OLD.replace("List pets", "List all pets"))
    assert done.text == there.replace("List pets", "List all pets")
    assert (done.notes, done.conflicts) == ([f"tool listPets: {note}" for note in notes], [])


@pytest.mark.parametrize(
    ("own", "result"),
    [
        ("ctx: Context", "ctx: Context, *, size: str"),
        ("ctx: Context, /", "ctx: Context, /, *, size: str"),
        ("ctx: Context, *more: int", "ctx: Context, *more: int, size: str"),
        ("ctx: Context, **more: int", "ctx: Context, *, size: str, **more: int"),
        ("ctx: Context, limit=1, /", "ctx: Context, limit=1, /, *, size: str"),
    ],
)
def test_a_new_argument_fits_into_an_edited_signature(own: str, result: str) -> None:
    whole = "ctx: Context, *, limit: int | Unset = UNSET"
    done = merged(OLD.replace(whole, own), OLD.replace(whole, f"{whole}, size: str"))
    assert f"list_pets({result})" in done.text


@pytest.mark.parametrize(
    ("own", "result"),
    [
        ("mine: int = 3, limit: int | Unset = UNSET", "mine: int = 3, *, limit: int"),
        ("mine: int = 3, /, limit: int | Unset = UNSET", "mine: int = 3, /, *, limit: int"),
        ("mine=3, limit: int | Unset = UNSET, *more", "mine=3, *more, limit: int"),
    ],
)
def test_an_argument_that_is_required_now_stands_behind_no_default(own: str, result: str) -> None:
    there = OLD.replace("*, limit: int | Unset = UNSET", own)
    done = merged(there, OLD.replace("limit: int | Unset = UNSET", "limit: int"))
    assert f"list_pets(ctx: Context, {result})" in done.text
    assert done.conflicts == []


@pytest.mark.parametrize("conflicts", ["keep", "theirs"])
def test_an_argument_is_the_same_in_letters_that_python_reads_as_one(conflicts: str) -> None:
    there = OLD.replace("limit: int", "\N{FULLWIDTH LATIN SMALL LETTER L}imit: int")
    new = OLD.replace("limit: int | Unset = UNSET", "limit: int")
    assert new != OLD != there
    ast.parse(merged(there, new, conflicts).text)


def test_what_both_changed_is_a_conflict() -> None:
    there = OLD.replace("List pets:", "List my pets:")
    new = OLD.replace("List pets:", "List all pets:")
    done = merged(there, new)
    (conflict,) = done.conflicts
    assert done.text == there
    assert (conflict.definition, conflict.part) == ("tool listPets", "docstring")
    assert there.splitlines()[conflict.line - 1].startswith(("async def list_pets", "@tool"))
    assert "my pets" in conflict.diff
    assert "all pets" in conflict.diff
    assert merged(there, new, "theirs").text == new
    marked = merged(there, new, "markers").text
    assert marked.index("<<<<<<< yours") < marked.index("my pets") < marked.index("=======")
    assert marked.index("=======") < marked.index("all pets") < marked.index(">>>>>>> generated")


@pytest.mark.parametrize("indent", ["    ", "  ", "\t"])
@pytest.mark.parametrize("top", ["", "# Mine.\n", "\n# Mine.\n\n"])
def test_marks_leave_the_rest_as_it_is(indent: str, top: str) -> None:
    there = f"{top}{OLD}\n\n# The end.\n".replace("    ", indent).replace("List pets:", "Mine:")
    marked = merged(there, OLD.replace("List pets:", "List all pets:"), "markers").text
    mine, _, rest = marked.partition("=======\n")
    generated, _, below = rest.partition(">>>>>>> generated\n")
    assert mine.replace("<<<<<<< yours\n", "") + below == there
    assert generated == LIST.replace("    ", indent).replace("List pets:", "List all pets:")


@pytest.mark.parametrize("line", ["check(limit)", 'print(f"up to {limit} pets")'])
def test_an_argument_that_an_edited_body_uses_does_not_go(line: str) -> None:
    there = OLD.replace(CALL, f"    {line}\n{CALL}")
    new = OLD.replace(", limit: int | Unset = UNSET", "").replace(', query={"limit": limit}', "")
    new = new.replace("ctx: Context, *)", "ctx: Context)")
    done = merged(there, new)
    assert [c.part for c in done.conflicts] == ["argument limit"]
    assert "limit: int | Unset = UNSET" in done.text


@pytest.mark.parametrize("line", ["size = 5", "check(size.of(1))", "[size for size in range(2)]"])
def test_a_new_argument_that_an_edited_body_hides_is_a_conflict(line: str) -> None:
    there = OLD.replace(CALL, f"    {line}\n{CALL}")
    new = OLD.replace("limit: int | Unset = UNSET", "limit: int | Unset = UNSET, size: str")
    done = merged(there, new.replace('"limit": limit', '"limit": limit, "size": size'))
    assert [(c.definition, c.part) for c in done.conflicts] == [("tool listPets", "argument size")]
    assert done.notes == ["tool listPets: its body already uses `size` for something else"]
    assert f"    {line}\n" in done.text
    assert '"size": size' in done.text


@pytest.mark.parametrize("policy", ["keep", "theirs"])
@pytest.mark.parametrize("where", ["query", "header"])
def test_a_new_argument_of_the_name_that_a_person_gave_another_has_a_keyword_of_its_own(
    policy: str, where: str
) -> None:
    new = OLD.replace("limit: int | Unset = UNSET", "limit: int | Unset = UNSET, size: str")
    if where == "query":
        new = new.replace('"limit": limit', '"limit": limit, "size": size')
    else:
        new = new.replace('{"limit": limit}', '{"limit": limit}, header={"size": size}')
    done = merged(RENAMED, new, policy)
    assert not done.conflicts
    assert not done.notes
    assert '@tool("listPets", size="limit", size_="size")' in done.text
    assert '"limit": size' in done.text
    assert '"size": size_' in done.text
    later = merge(snapshot(new), done.text, new.replace("size: str", "size: bytes"))
    assert not later.conflicts
    assert "size_: bytes" in later.text


RENAMED = OLD.replace('@tool("listPets")', '@tool("listPets", size="limit")')
RENAMED = RENAMED.replace("limit: int", "size: int").replace('"limit": limit', '"limit": size')


def test_keywords_that_a_person_and_the_document_name_stand_in_one_mark() -> None:
    paged = OLD.replace('@tool("listPets")', '@tool("listPets", per_page="per-page")')
    paged = paged.replace("limit: int", "per_page: int, limit: int")
    done = merged(RENAMED, paged)
    assert not done.conflicts
    assert '@tool("listPets", size="limit", per_page="per-page")' in done.text
    other = merge(snapshot(paged), done.text, paged.replace('"per-page"', '"per.page"'))
    assert not other.conflicts
    assert '@tool("listPets", size="limit", per_page="per.page")' in other.text
    back = merge(snapshot(paged), done.text, OLD)
    assert not back.conflicts
    assert '@tool("listPets", size="limit")\n' in back.text
    assert "per_page" not in back.text


def test_a_new_argument_goes_to_the_keyword_that_takes_the_rest() -> None:
    there = OLD.replace('@tool("listPets")', '@tool("listPets", rest="*")')
    there = there.replace("limit: int | Unset = UNSET", "rest: dict[str, int]")
    there = there.replace('{"limit": limit}', "rest")
    new = OLD.replace('@tool("listPets")', '@tool("listPets", per_page="per-page")')
    new = new.replace("limit: int", "per_page: int, limit: int")
    done = merged(there, new)
    assert not done.conflicts
    assert not done.notes
    assert done.text == there


def test_a_new_argument_that_the_call_names_is_beside_the_keyword_that_takes_the_rest() -> None:
    there = OLD.replace('@tool("listPets")', '@tool("listPets", rest="*")')
    there = there.replace("limit: int | Unset = UNSET", "rest: dict[str, int]")
    there = there.replace('"limit": limit', '"limit": rest.get("limit", 9)')
    new = OLD.replace('@tool("listPets")', '@tool("listPets", per_page="per-page")')
    new = new.replace("limit: int", "per_page: int, limit: int")
    done = merged(there, new.replace(": limit}", ': limit, "per-page": per_page}'))
    assert not done.conflicts
    assert '@tool("listPets", rest="*", per_page="per-page")\n' in done.text
    assert "*, per_page: int, rest: dict[str, int])" in done.text
    assert '"limit": rest.get("limit", 9), "per-page": per_page}' in done.text


def test_a_keyword_that_a_person_removed_is_a_conflict_where_the_mark_changes() -> None:
    paged = OLD.replace('@tool("listPets")', '@tool("listPets", limit="per-page")')
    there = paged.replace('"listPets", limit="per-page"', '"listPets", size="sizes"')
    done = merge(snapshot(paged), there, paged.replace('"per-page"', '"per.page"'))
    assert [(c.definition, c.part) for c in done.conflicts] == [("tool listPets", "decorator tool")]


def test_what_people_added_stays_where_it_is() -> None:
    own = (
        "# Ours.\nCACHE: dict[int, Pet] = {}\n\n\ndef helper() -> int:\n    return 1\n\n\n@cached\n"
    )
    there = f"{OLD.replace(GET, own + GET)}\n\n# The end.\n"
    new = OLD.replace("pet_id: int", "pet_id: str")
    assert merged(there, new).text == there.replace("pet_id: int", "pet_id: str")


def test_tools_go_and_come() -> None:
    edited = OLD.replace('{petId}"', '{petId}/"')
    assert merged(OLD, HEAD + LIST).text == HEAD + LIST
    done = merged(edited, HEAD + LIST)
    assert done.text == edited
    assert done.kept == ["tool getPet"]
    more = f"{OLD}\n\n{LIST.replace('listPets', 'x').replace('list_pets', 'x')}"
    assert merged(OLD, more).text == more


def test_a_handler_that_somebody_deleted_is_put_back() -> None:
    done = merged(HEAD + LIST, OLD)
    assert done.text == OLD
    assert "put back" in done.notes[0]


def test_a_handler_of_another_tool_and_name_is_told_from_one_without_request() -> None:
    stub = GET.replace(GET.splitlines()[3], "    raise ToolError('Write it.')")
    old = OLD.replace(GET, stub)
    there = old.replace('"getPet"', '"mine"').replace("get_pet", "mine").replace("Look", "Mine")
    done = merge(snapshot(old), there, old)
    assert "async def mine" in done.text
    assert "async def get_pet" in done.text
    assert done.notes == ["tool getPet had no handler any more; it was put back"]


@pytest.mark.parametrize(
    "head", ["if FAST:", "try:\n    1 / 0\nexcept ArithmeticError:", "with mine():"]
)
def test_a_handler_in_a_branch_is_not_hidden_by_one_that_is_put_back(head: str) -> None:
    own = "".join(f"    {line}" for line in GET.splitlines(keepends=True))
    there = OLD.replace(GET, f"{head}\n{own}")
    done = merged(there, OLD)
    assert (done.text, done.notes, done.conflicts) == (there, [], [])
    done = merged(there, OLD.replace("pet_id: int", "pet_id: str"))
    assert done.text == there
    assert [(each.definition, each.part) for each in done.conflicts] == [("tool getPet", "name")]
    assert "pet_id: str" in done.conflicts[0].diff
    assert there.splitlines()[done.conflicts[0].line - 1] == head.partition("\n")[0]


@pytest.mark.parametrize(
    ("gone", "changed", "part"),
    [
        ("limit: int | Unset = UNSET, ", "limit: str | Unset = UNSET, ", "argument limit"),
        ('"limit": limit, ', '"limit": str(limit), ', "call query.limit"),
        (', header={"A": "1"}', ', header={"A": "2"}', "call header"),
        ('@tool("listPets")\n', '@tool("listPets", size="big")\n', "decorator tool"),
    ],
)
def test_what_a_person_removed_comes_back_only_where_the_generator_insists(
    gone: str, changed: str, part: str
) -> None:
    old = OLD.replace("UNSET)", "UNSET, size: str)").replace(": limit}", ': limit, "size": size}')
    old = old.replace("size})", 'size}, header={"A": "1"})')
    assert gone in old
    there, new = old.replace(gone, ""), old.replace(gone, changed)
    done = merge(snapshot(old), there, new)
    assert [each.part for each in done.conflicts] == [part]
    assert done.text == there
    assert merge(snapshot(old), there, new, conflicts="theirs").text == new


def test_imports_come_and_go_with_their_use() -> None:
    new = OLD.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    there = OLD.replace('"GET", "/pets/{petId}"', '"GET", "/pets/{petId}/"')
    assert "import Dog\n" in merged(there, new).text
    uses = there + "\n\nx: Pet\n"
    assert "import Dog, Pet\n" in merged(uses, new).text
    none = new.replace("Dog", "None").replace(
        "\nif TYPE_CHECKING:\n    from ..models import None\n", ""
    )
    none = none.replace("from typing import TYPE_CHECKING\n\n", "")
    assert "TYPE_CHECKING" not in merged(there, none).text
    own = there.replace("import Pet\n", "import Pet\n    from mine import Own\n")
    assert "import TYPE_CHECKING\n" in merged(own, none).text


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("from rich import style", "imports"),
        ("import mine.style as style", "imports"),
        ("class style: ...", "class style"),
        ("style = 1", "style ="),
        ("other, style = 1, 2", "other, style ="),
        ("if FAST: from rich import style", "statement "),
    ],
)
def test_an_import_whose_name_a_person_has_for_something_else_is_a_conflict(
    line: str, what: str
) -> None:
    there = OLD.replace("from typing import", f"{line}\nfrom typing import")
    new = OLD.replace("Unset, tool", "Unset, style, tool").replace(
        ": limit}", ": style.pipe(limit)}"
    )
    done = merged(there, new)
    assert [each.part for each in done.conflicts] == ["style"]
    assert done.conflicts[0].definition.startswith(what)
    assert done.text.splitlines()[done.conflicts[0].line - 1] == line
    diff = done.conflicts[0].diff.splitlines()
    assert diff[1:] == [f"-{line}", "+from .._runtime import style"]
    told = merge(snapshot(new), done.text, new)
    assert (told.text, told.conflicts) == (done.text, [])


def test_an_import_that_the_generator_insists_on_takes_the_place_of_another() -> None:
    there = OLD.replace("from typing import", "from rich import print, style\nfrom typing import")
    there = there.replace(CALL, f"    print()\n{CALL}")
    new = OLD.replace("Unset, tool", "Unset, style, tool").replace(
        ": limit}", ": style.pipe(limit)}"
    )
    done = merged(there, new, "theirs")
    assert len(done.conflicts) == 1
    assert "from rich import print\n" in done.text
    assert "import UNSET, Context, Response, Unset, style, tool\n" in done.text


def test_an_import_before_the_others_of_its_section_stands_right_above_them() -> None:
    first = "from collections.abc import Mapping\n"
    new = OLD.replace("from typing", f"{first}from typing").replace(
        "pet_id: int", "pet_id: Mapping"
    )
    there = OLD.replace('"GET", "/pets/{petId}"', '"GET", "/pets/{petId}/"')
    assert f"annotations\n\n{first}from typing import" in merged(there, new).text


@pytest.mark.parametrize(
    ("there", "new", "result"),
    [
        ("from .one import A, B", "from .two import A, B", "from .two import A, B"),
        ("from old.one import A", "from new.one import A", "from new.one import A"),
        (
            "from .one import A, B",
            "from .one import B\nfrom .two import A",
            "from .one import B\nfrom .two import A",
        ),
        (
            "from .one import A, B, MINE",
            "from .two import A, B",
            "from .one import MINE\nfrom .two import A, B",
        ),
        ("from .mine import A", "from .two import A", "from .mine import A"),
    ],
)
def test_an_import_of_ours_follows_its_name_to_another_module(
    there: str, new: str, result: str
) -> None:
    base = there.replace("mine", "one").replace(", MINE", "")
    edited = f"{there}\n\nx = A, B, MINE\n"
    assert merge(snapshot(base), edited, f"{new}\n").text == edited.replace(there, result)


@pytest.mark.parametrize(
    "line",
    [
        'print(f"got {limit is UNSET} now")',
        "print(f'got {limit:{str(UNSET)}}')",
        'kept: "dict[str, UNSET]" = {}',
        """kept: "list['UNSET']" = []""",
        'def kept() -> "UNSET": ...',
    ],
)
def test_an_import_that_edited_code_uses_stays(line: str) -> None:
    there = OLD.replace(CALL, f"    {line}\n{CALL}")
    new = OLD.replace(" | Unset = UNSET", "").replace("UNSET, Context", "Context")
    new = new.replace("Response, Unset, tool", "Response, tool")
    assert "import UNSET, Context, Response, tool\n" in merged(there, new).text


@pytest.mark.parametrize("head", [HEAD, HEAD.partition("\n\n")[2], "", '"""Mine."""\n'])
@pytest.mark.parametrize(
    ("before", "added"),
    [
        ("tool\n", "style as s, "),
        ("if TYPE", "from .._runtime.fitting import fitting as s\n\n"),
        ("from typing", "import sys as s\n"),
        ("from .._runtime", "import s.one\n\n"),
        ("from ..models", "from ..hooks import State as s\n    "),
    ],
)
def test_a_new_import_binds_the_name_that_is_used(before: str, added: str, head: str) -> None:
    there = f"{head}{GET}\n\n{LIST}".replace(CALL, f"    log()\n{CALL}")
    new = OLD.replace(before, f"{added}{before}", 1).replace(
        '"limit": limit', '"limit": s.of(limit)'
    )
    done = merged(there, new)
    known, wanted = (merge_imports.imports(cst.parse_module(x)) for x in (done.text, new))
    assert known == wanted
    assert done.text.startswith('"""' if '"""' in head else "from __future__")
    compile(done.text, "pets.py", "exec")


@pytest.mark.parametrize(
    ("own", "result"),
    [
        ("from ..models import Pet\n", "from ..models import Dog\n"),
        ("from ..models import Pet  # Mine.\n", "from ..models import Dog, Pet  # Mine.\n"),
        (
            "from ..models import (\n        Pet,  # Mine.\n    )\n",
            "{}    from ..models import Dog\n",
        ),
        ("from ..models import Pet; import mine\n", "{}    from ..models import Dog\n"),
        ("from mine import Pet as Own\n", "{}    from ..models import Dog\n"),
        ("class Mine: ...\n", "from ..models import Dog\n    {}"),
        (
            "import mine\n    class Mine: ...\n",
            "import mine\n    from ..models import Dog\n    class Mine: ...\n",
        ),
    ],
)
def test_an_import_for_types_stands_beside_what_a_person_has_there(own: str, result: str) -> None:
    there = OLD.replace("from ..models import Pet\n", own).replace(CALL, f"    log()\n{CALL}")
    new = OLD.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    expected = there.replace(own, result.format(own)).replace("Response[Pet]", "Response[Dog]")
    assert merged(there, new).text == expected


def test_both_ways_to_read_imports_agree() -> None:
    text = "from a import b as c, d\nfrom . import e as f\nimport g.h\nimport i.j as k\n"
    slow = merge_imports.imports(cst.parse_module(text))
    assert snapshot(text)["imports"] == {name: each.source for name, each in slow.items()}


def test_a_mark_that_names_no_tool_is_no_handler() -> None:
    there = OLD.replace('@tool("listPets")', "@tool()")
    done = merged(there, OLD.replace('"/pets/{petId}"', '"/animals/{petId}"'))
    assert "/animals/" in done.text
    assert "@tool()\nasync def list_pets" in done.text


def test_an_import_that_goes_leaves_what_a_person_has_in_its_block() -> None:
    own = "    from ..models import Pet\nelse:\n    Mine = object\n"
    there = OLD.replace("    from ..models import Pet\n", own).replace(CALL, f"    log()\n{CALL}")
    new = OLD.replace("Response[Pet]", "Response[None]").replace(
        "\nif TYPE_CHECKING:\n    from ..models import Pet\n", ""
    )
    expected = there.replace(own, own.replace("from ..models import Pet", "pass"))
    assert merged(there, new).text == expected.replace("Response[Pet]", "Response[None]")


@pytest.mark.parametrize(
    "own",
    [
        "from . import shared\n",
        "if sys.platform == 'win32':\n    from mine import Dog\n",
    ],
)
def test_what_is_new_is_imported_beside_imports_of_ones_own(own: str) -> None:
    there = OLD.replace("if TYPE_CHECKING", f"{own}\nif TYPE_CHECKING")
    new = OLD.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    expected = there.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    assert merged(there, new).text == expected


def test_an_import_of_the_standard_library_stands_before_those_of_other_packages() -> None:
    there = OLD.replace("from .._runtime", "import httpx2\n\nfrom .._runtime")
    there = there.replace("from typing import TYPE_CHECKING\n\n", "")
    there = there.replace("\nif TYPE_CHECKING:\n    from ..models", "from ..models")
    new = OLD.replace("Response[Pet]", "Mapping[str, Pet]").replace(
        "from typing", "from collections.abc import Mapping\nfrom typing"
    )
    assert "import Mapping\n\nimport httpx2\n" in merged(there, new).text


@pytest.mark.parametrize(
    ("ours", "own"),
    [
        ("if TYPE_CHECKING:\n    from ..models import Pet\n", "class Pet(dict): ...\n"),
        ("    from ..models import Pet\n", "    class Pet(dict): ...\n"),
        ("if TYPE_CHECKING:\n    from ..models", "if TYPE_CHECKING: from ..models"),
        (
            "if TYPE_CHECKING:\n    from ..models import Pet\n",
            "try:\n    from mine import Pet\nexcept ImportError:\n    from ..models import Pet\n",
        ),
        ("import UNSET, Context, Response, Unset, tool", "import *"),
    ],
)
def test_an_import_of_ours_does_not_come_back_beside_what_has_its_place(
    ours: str, own: str
) -> None:
    there = OLD.replace(ours, own)
    assert there != OLD
    done = merged(there, OLD)
    assert (done.text, done.conflicts) == (there, [])
    done = merged(there, OLD.replace("limit", "size"))
    assert done.text == there.replace("limit", "size")


@pytest.mark.parametrize(
    ("test", "is_block"),
    [
        ("typing.TYPE_CHECKING:\n   ", True),
        ("TYPE_CHECKING:", False),
        ("t.TYPE_CHECKING:\n   ", False),
    ],
)
def test_an_import_for_types_gets_a_block_where_there_is_none(test: str, is_block: bool) -> None:
    own = f"if {test} from ..models import Pet\n"
    there = OLD.replace("if TYPE_CHECKING:\n    from ..models import Pet\n", own)
    new = OLD.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    done = merged(there, new)
    added = "if TYPE_CHECKING:\n    from ..models import Dog\n"
    assert (own in done.text, added in done.text) == (not is_block, not is_block)
    assert done.text.count("import Dog") == 1
    assert "import TYPE_CHECKING\n" in done.text


def test_an_import_is_not_used_by_what_the_document_calls_so() -> None:
    there = OLD.replace('"getPet"', '"getPet", pet_id="Pet"')
    there = there.replace('path={"petId": pet_id}', 'path={"Pet": pet_id}')
    done = merged(there, OLD.replace("Response[Pet]", "Response[Any]").replace("Pet\n", "Dog\n"))
    assert "import Pet" not in done.text
    there = f'{OLD}\n\ndef named(pet: "list[Pet]") -> None:\n    """Hold a pet."""\n'
    done = merged(there, OLD.replace("Response[Pet]", "Response[Any]").replace("Pet\n", "Dog\n"))
    assert "import Pet" in done.text


@pytest.mark.parametrize(
    ("old", "own", "told"),
    [
        ("return await", "return await await (", "line 16, column 18: invalid syntax"),
        ("pet_id: int", "pet_id: int, pet_id: str", "line 14, "),
        ("if TYPE", "(own): int = 1\nif TYPE", "line 9, column 8: libcst, which merges, cannot"),
    ],
)
def test_a_module_that_does_not_parse(old: str, own: str, told: str) -> None:
    with pytest.raises(MergeError) as caught:
        merged(OLD.replace(old, own, 1), OLD)
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    "line", ["type Kept = Pet", "def kept[T](x: T) -> Pet: ...", 'Kept = f"{Pet["a"]}"']
)
def test_syntax_of_later_versions_is_merged_where_python_knows_it(line: str) -> None:
    there = f"{OLD}\n\n{line}\n"
    new = OLD.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    if sys.version_info < (3, 12):
        with pytest.raises(MergeError) as caught:
            merged(there, new)
        assert caught.value.line == len(there.splitlines())
    else:
        expected = new.replace("import Dog", "import Dog, Pet")
        assert merged(there, new).text == f"{expected}\n\n{line}\n"


@pytest.mark.parametrize(
    "before",
    ["from .._runtime", "if TYPE_CHECKING:", "    from ..models", "from typing", "@tool", "async"],
)
@pytest.mark.parametrize(
    "new", ["", f"{HEAD}{LIST}".replace("Pet]", "Dog]").replace("Pet\n", "Dog\n")]
)
def test_a_comment_over_what_goes_stays(before: str, new: str) -> None:
    """Also over the last import of a module, and over several that go together."""
    there = f"{HEAD}{GET}".replace(before, f"# Mine.\n{before}", 1)
    there = there.replace("# Mine.\n    ", "    # Mine.\n    ")
    done = merge(snapshot(f"{HEAD}{GET}"), there, new)
    assert done.text.count("# Mine.") == 1
    assert not done.empty


def test_a_comment_over_an_import_that_goes_stays_over_the_next() -> None:
    added = "from .._runtime.polling import Poll\n"
    old = OLD.replace("from .._runtime", f"{added}from .._runtime")
    there = old.replace(added, f"# Mine.\n{added}").replace(CALL, f"    log()\n{CALL}")
    assert merge(snapshot(old), there, OLD).text == there.replace(added, "")


def test_an_import_that_gets_too_long_has_a_line_for_each_name() -> None:
    names = [f"Answer{number}" for number in range(11)]
    there = OLD.replace(CALL, f"    log()\n{CALL}")
    types = OLD.replace("Response[Pet]", f"Response[{' | '.join(['Pet', *names])}]")
    new = types.replace("import Pet", f"import ({', '.join([*names, 'Pet'])})")
    done = merged(there, new)
    listed = "".join(f"        {name},\n" for name in [*sorted(names, key=len), "Pet"])
    assert f"    from ..models import (\n{listed}    )\n" in done.text
    assert merge(snapshot(new), done.text, OLD).text == there


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("    raise ToolError('Not yet.')\n", []),
        ("    log()\n    raise ToolError('Not yet.')\n", ["body"]),
        ("    if True:\n        raise ToolError('Not yet.')\n", ["body"]),
        ("", ["body"]),
    ],
)
def test_what_a_stub_asked_for_was_written(body: str, result: list[str]) -> None:
    old = OLD.replace(LIST, f"{LIST.partition(CALL)[0]}    raise ToolError('Write it.')\n")
    there = OLD.replace(
        LIST, f"{LIST.partition(CALL)[0]}    return await ctx.api.send('GET', '/')\n"
    )
    new = OLD.replace(LIST, f"{LIST.partition(CALL)[0]}{body}")
    done = merge(snapshot(old), there, new)
    assert ([each.part for each in done.conflicts], done.text) == (result, there)
    assert merge(snapshot(new), new, old).text == old


@pytest.mark.parametrize("where", ["*,  # Mine.\n ", "*,\n    # Mine.\n ", "*  # Mine.\n , "])
def test_a_comment_at_the_star_of_a_signature_stays(where: str) -> None:
    there = OLD.replace("*, limit", f"{where}limit")
    new = OLD.replace(", *, limit: int | Unset = UNSET", "").replace(', query={"limit": limit}', "")
    done = merged(there, new)
    expected = new.replace("async def list_pets", "# Mine.\nasync def list_pets")
    assert done.text.replace("Context, )", "Context)") == expected


@pytest.mark.parametrize(
    ("there", "mine"),
    [
        ("Tools tagged `pets`.", "Mine."),
        ("from .._runtime", "from mine import *\nfrom .._runtime"),
        ("from .._runtime", "from mine import Response\nfrom .._runtime"),
        ("    from ..models", "    from mine import *\n    from ..models"),
        ("    from ..models import Pet\n", "    from ..models import Pet\n\n    Mine = object\n"),
        (
            "    from ..models import Pet\n",
            "    from ..models import Pet\nelse:\n    Mine = Dog = object\n",
        ),
    ],
)
@pytest.mark.parametrize(
    "new", ["", f"{HEAD}{LIST}".replace("Pet]", "Dog]").replace("Pet\n", "Dog\n")]
)
def test_what_is_no_definition_stays_too(there: str, mine: str, new: str) -> None:
    done = merge(snapshot(f"{HEAD}{GET}"), f"{HEAD}{GET}".replace(there, mine), new)
    added = "\n".join(line for line in mine.splitlines() if "ine" in line)
    assert done.text.count(added) == 1
    assert done.text.count("if TYPE_CHECKING:") == (1 if new else there.count("    from"))
    assert ("import Dog\n" in done.text) is bool(new)
    assert not done.empty


def test_a_text_below_a_variable_stays_with_it() -> None:
    old = '"""M."""\n\nA = 1\n\nB = 2\n"""Of B."""\n\nC = 3\n"""Of C."""\n\nD = 4\n'
    mine = 'MINE = 5\n"""Of mine."""\n\nC = 9\n'
    there = old.replace("C = 3\n", mine).replace("D = 4\n", "")
    new = old.replace("A = 1\n", 'A = 1\n"""Of A."""\n').replace("Of B.", "Of B, again.")
    merged = merge(snapshot(old), there, f'{new}"""Of D."""\n')
    assert merged.conflicts == []
    wanted = new.replace("C = 3\n", mine).replace("D = 4\n", "")
    assert merged.text.splitlines() == wanted.splitlines()


def test_however_often_a_name_is_defined_it_is_told_apart_in_bounded_time() -> None:
    text = "def f(): pass\n" * 10_000 + "def f_2(): pass\n"
    start = time.process_time()
    there = [each.key for each in merge_parts.definitions(cst.parse_module(text))]
    assert list(snapshot(text))[1:] == there
    assert len(set(there)) == 10_001
    assert time.process_time() - start < 5
