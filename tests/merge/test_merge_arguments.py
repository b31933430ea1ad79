"""Three-way merge of signatures: arguments that come and go, and the keywords people gave them."""

import ast

import pytest
from merging import CALL, OLD, merged
from tables import table

from mcpgen.merge.modules import merge
from mcpgen.merge.snapshot import snapshot


@table(
    "old, own, notes",
    ("ctx", "context", []),
    ("*, limit: int | Unset = UNSET", "**given", []),
    ("*, limit", "*, own=1, limit", []),
    ("*, limit", "*, own, limit", ["it requires `own`, which the tool does not have"]),
    (", *, limit: int | Unset = UNSET", "", ["it has no parameter for the argument `limit`"]),
)
def test_what_does_not_fit_the_tool_is_told(old, own, notes):
    there = OLD.replace(old, own)
    done = merged(there, OLD.replace("List pets", "List all pets"))
    assert done.text == there.replace("List pets", "List all pets")
    assert (done.notes, done.conflicts) == ([f"tool listPets: {note}" for note in notes], [])


@table(
    "own, result",
    ("ctx: Context", "ctx: Context, *, size: str"),
    ("ctx: Context, /", "ctx: Context, /, *, size: str"),
    ("ctx: Context, *more: int", "ctx: Context, *more: int, size: str"),
    ("ctx: Context, **more: int", "ctx: Context, *, size: str, **more: int"),
    ("ctx: Context, limit=1, /", "ctx: Context, limit=1, /, *, size: str"),
)
def test_a_new_argument_fits_into_an_edited_signature(own, result):
    whole = "ctx: Context, *, limit: int | Unset = UNSET"
    done = merged(OLD.replace(whole, own), OLD.replace(whole, f"{whole}, size: str"))
    assert f"list_pets({result})" in done.text


@table(
    "own, result",
    ("mine: int = 3, limit: int | Unset = UNSET", "mine: int = 3, *, limit: int"),
    ("mine: int = 3, /, limit: int | Unset = UNSET", "mine: int = 3, /, *, limit: int"),
    ("mine=3, limit: int | Unset = UNSET, *more", "mine=3, *more, limit: int"),
)
def test_an_argument_that_is_required_now_stands_behind_no_default(own, result):
    there = OLD.replace("*, limit: int | Unset = UNSET", own)
    done = merged(there, OLD.replace("limit: int | Unset = UNSET", "limit: int"))
    assert f"list_pets(ctx: Context, {result})" in done.text
    assert done.conflicts == []


@pytest.mark.parametrize("conflicts", ["keep", "theirs"])
def test_an_argument_is_the_same_in_letters_that_python_reads_as_one(conflicts):
    there = OLD.replace("limit: int", "\N{FULLWIDTH LATIN SMALL LETTER L}imit: int")
    new = OLD.replace("limit: int | Unset = UNSET", "limit: int")
    assert new != OLD != there
    ast.parse(merged(there, new, conflicts).text)


@pytest.mark.parametrize("line", ["check(limit)", 'print(f"up to {limit} pets")'])
def test_an_argument_that_an_edited_body_uses_does_not_go(line):
    there = OLD.replace(CALL, f"    {line}\n{CALL}")
    new = OLD.replace(", limit: int | Unset = UNSET", "").replace(', query={"limit": limit}', "")
    new = new.replace("ctx: Context, *)", "ctx: Context)")
    done = merged(there, new)
    assert [c.part for c in done.conflicts] == ["argument limit"]
    assert "limit: int | Unset = UNSET" in done.text


@pytest.mark.parametrize("line", ["size = 5", "check(size.of(1))", "[size for size in range(2)]"])
def test_a_new_argument_that_an_edited_body_hides_is_a_conflict(line):
    there = OLD.replace(CALL, f"    {line}\n{CALL}")
    new = OLD.replace("limit: int | Unset = UNSET", "limit: int | Unset = UNSET, size: str")
    done = merged(there, new.replace('"limit": limit', '"limit": limit, "size": size'))
    assert [(c.definition, c.part) for c in done.conflicts] == [("tool listPets", "argument size")]
    assert done.notes == ["tool listPets: its body already uses `size` for something else"]
    assert f"    {line}\n" in done.text
    assert '"size": size' in done.text


@pytest.mark.parametrize("policy", ["keep", "theirs"])
def test_a_new_argument_of_the_name_that_a_person_gave_another_is_a_conflict(policy):
    new = OLD.replace("limit: int | Unset = UNSET", "limit: int | Unset = UNSET, size: str")
    done = merged(RENAMED, new, policy)
    assert [(c.definition, c.part) for c in done.conflicts] == [("tool listPets", "argument size")]
    assert done.text == (new if policy == "theirs" else RENAMED)


RENAMED = OLD.replace('@tool("listPets")', '@tool("listPets", size="limit")')
RENAMED = RENAMED.replace("limit: int", "size: int").replace('"limit": limit', '"limit": size')
REST = OLD.replace('@tool("listPets")', '@tool("listPets", rest="*")')
REST = REST.replace("limit: int | Unset = UNSET", "rest: dict[str, int]")
PAGED = OLD.replace('@tool("listPets")', '@tool("listPets", per_page="per-page")')
PAGED = PAGED.replace("limit: int", "per_page: int, limit: int")


def test_keywords_that_a_person_and_the_document_name_stand_in_one_mark():
    done = merged(RENAMED, PAGED)
    assert not done.conflicts
    assert '@tool("listPets", size="limit", per_page="per-page")' in done.text
    other = merge(snapshot(PAGED), done.text, PAGED.replace('"per-page"', '"per.page"'))
    assert not other.conflicts
    assert '@tool("listPets", size="limit", per_page="per.page")' in other.text
    back = merge(snapshot(PAGED), done.text, OLD)
    assert not back.conflicts
    assert '@tool("listPets", size="limit")\n' in back.text
    assert "per_page" not in back.text


def test_a_new_argument_goes_to_the_keyword_that_takes_the_rest():
    there = REST.replace('{"limit": limit}', "rest")
    done = merged(there, PAGED)
    assert (done.conflicts, done.notes, done.text) == ([], [], there)


def test_a_new_argument_that_the_call_names_is_beside_the_keyword_that_takes_the_rest():
    there = REST.replace('"limit": limit', '"limit": rest.get("limit", 9)')
    done = merged(there, PAGED.replace(": limit}", ': limit, "per-page": per_page}'))
    assert not done.conflicts
    assert '@tool("listPets", rest="*", per_page="per-page")\n' in done.text
    assert "*, per_page: int, rest: dict[str, int])" in done.text
    assert '"limit": rest.get("limit", 9), "per-page": per_page}' in done.text


def test_a_keyword_that_a_person_removed_is_a_conflict_where_the_mark_changes():
    paged = OLD.replace('@tool("listPets")', '@tool("listPets", limit="per-page")')
    there = paged.replace('"listPets", limit="per-page"', '"listPets", size="sizes"')
    done = merge(snapshot(paged), there, paged.replace('"per-page"', '"per.page"'))
    assert [(c.definition, c.part) for c in done.conflicts] == [("tool listPets", "decorator tool")]


@pytest.mark.parametrize("where", ["*,  # Mine.\n ", "*,\n    # Mine.\n ", "*  # Mine.\n , "])
def test_a_comment_at_the_star_of_a_signature_stays(where):
    there = OLD.replace("*, limit", f"{where}limit")
    new = OLD.replace(", *, limit: int | Unset = UNSET", "").replace(', query={"limit": limit}', "")
    done = merged(there, new)
    expected = new.replace("async def list_pets", "# Mine.\nasync def list_pets")
    assert done.text.replace("Context, )", "Context)") == expected


@table("body, own", (CALL, "limit: int = 5"), ("    limit = 20 if limit is UNSET else limit", ""))
def test_a_default_comes_to_a_body_that_nobody_edited(body, own):
    unset = "limit: int | Unset = UNSET"
    there = OLD.replace(CALL, f"{body}\n{CALL}" if body != CALL else CALL)
    new = OLD.replace(unset, "limit: int = 5").replace("UNSET, ", "").replace(", Unset", "")
    done = merged(there, new)
    assert f"*, {own or unset})" in done.text
    assert ("UNSET, " in done.text) == (not own)
    assert not done.conflicts


def test_an_argument_that_only_a_body_keeps_ends_the_list_as_one():
    limit, sort = "limit: int | Unset = UNSET", "sort: str | Unset = UNSET"
    old = OLD.replace(limit, f"{limit}, {sort}")
    there = old.replace(CALL, f"    print(limit)\n{CALL}")
    new = old.replace(limit, limit.replace("limit", "most")).replace(
        '"limit": limit', '"most": most'
    )
    text = merge(snapshot(old), there, new).text
    assert f"{limit.replace('limit', 'most')}, {sort}, {limit}) ->" in " ".join(text.split())
