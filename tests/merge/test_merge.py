"""Three-way merge of modules: what follows the generator, what stays, what is told."""

import sys

import pytest
from merging import CALL, GET, HEAD, LIST, OLD, marked, merged
from tables import table

from mcpgen.merge.modules import MergeError, merge
from mcpgen.merge.snapshot import snapshot


def test_nobody_edited():
    new = OLD.replace("pet_id: int", "pet_id: str")
    done = merged(OLD, new)
    assert (done.text, done.conflicts, done.kept, done.notes) == (new, [], [], [])


def test_a_docstring_comes_before_the_imports():
    """Also that of a module which we write again, and of which only an edited part was left."""
    docstring, _, rest = OLD.partition("\n\n")
    there = f"# Ours.\n{rest}".replace(CALL, f"    log()\n{CALL}")
    done = merge({}, there, OLD)
    assert done.text.startswith(f"# Ours.\n{docstring}\nfrom __future__")


def test_an_edited_body_stays_and_the_rest_follows():
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


def test_an_edited_value_stays_beside_a_new_one():
    there = OLD.replace('{"limit": limit}', '{"limit": min(limit, 9)}')
    new = OLD.replace('{"limit": limit}', '{"limit": limit, "page": page}')
    new = new.replace("limit: int | Unset = UNSET)", "limit: int | Unset = UNSET, page: int)")
    assert '{"limit": min(limit, 9), "page": page}' in merged(there, new).text


@table(
    "query, result",
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
)
def test_a_comment_behind_the_last_entry_stays_behind_it(query, result):
    new = OLD.replace("UNSET)", "UNSET, page: int)").replace("limit})", 'limit, "page": page})')
    assert result in merged(OLD.replace('{"limit": limit}', query), new).text


def test_an_edited_member_of_a_body_that_may_be_left_out_stays_beside_a_new_one():
    old = OLD.replace('query={"limit": limit}', 'json=if_given({"limit": limit})')
    there = old.replace('"limit": limit}', '"limit": min(limit, 9)}')
    new = old.replace("UNSET)", "UNSET, page: int)").replace("limit})", 'limit, "page": page})')
    done = merge(snapshot(old), there, new)
    assert 'json=if_given({"limit": min(limit, 9), "page": page})' in done.text
    assert not done.conflicts


def test_an_edited_body_that_may_now_be_left_out_is_a_conflict():
    old = OLD.replace('query={"limit": limit}', 'json={"limit": limit}')
    there = old.replace('"limit": limit}', '"limit": min(limit, 9)}')
    new = old.replace('json={"limit": limit}', 'json=if_given({"limit": limit})')
    done = merge(snapshot(old), there, new)
    assert [c.part for c in done.conflicts] == ["call json"]
    assert 'json={"limit": min(limit, 9)}' in done.text


def test_the_call_that_we_wrote_follows_beside_another_of_the_api():
    there = OLD.replace(CALL, f'    await ctx.api.send("POST", "/log")\n{CALL}')
    done = merged(there, OLD.replace('"/pets",', '"/v2/pets",'))
    assert (done.text, done.conflicts) == (there.replace('"/pets",', '"/v2/pets",'), [])


@table(
    "old, own",
    ('{"limit": limit}', '{"limit": limit, KEY: 1, 2: 3}'),
    ('GET /pets."""', 'GET /pets."""; log()'),
)
def test_what_no_handler_of_ours_has_stays(old, own):
    there = OLD.replace(old, own)
    done = merged(there, OLD.replace("limit: int", "limit: str"))
    assert (done.text, done.conflicts) == (there.replace("limit: int", "limit: str"), [])
    new = OLD.replace("List pets", "Show pets").replace("limit}", 'limit, "page": 1}')
    done = merged(there, new, "theirs")
    assert own.removeprefix(old[:-1]).strip('"') in done.text


@pytest.mark.parametrize("conflicts", ["keep", "theirs"])
def test_a_docstring_stays_beside_a_body_that_both_changed(conflicts):
    there = OLD.replace("List pets:", "Mine:").replace('ctx.api.send("GET", "/pets",', "other(")
    new = OLD.replace('"/pets",', '"/v2/pets",')
    done = merged(there, new, conflicts)
    assert [each.part for each in done.conflicts] == ["body"]
    assert done.text == (there if conflicts == "keep" else new.replace("List pets:", "Mine:"))


def test_an_edited_call_does_not_go_with_the_request():
    there = OLD.replace('{"limit": limit}', '{"limit": min(limit, 9)}')
    new = f"{OLD.partition(CALL)[0]}    raise ToolError('Not written yet.')\n"
    done = merged(there, new)
    assert [(c.definition, c.part) for c in done.conflicts] == [("tool listPets", "body")]
    assert done.text == there
    assert merged(there, new, "theirs").text == new
    assert merged(OLD, new).text == new


def test_a_body_on_the_line_of_its_function_is_merged():
    there = OLD.replace('\n    """Look a pet up: GET /pets/{petId}."""\n    return', " return")
    done = merged(there, OLD.replace("pet_id: int", "pet_id: str"))
    assert (done.text, done.conflicts) == (there.replace("pet_id: int", "pet_id: str"), [])
    new = OLD.replace("Look a pet up", "Find a pet")
    done = merged(there, new)
    assert ([each.part for each in done.conflicts], done.text) == (["docstring"], there)
    assert merged(there, new, "theirs").text == new


def test_what_both_changed_is_a_conflict():
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
    one, other = (f'    """List {which} pets: GET /pets."""\n' for which in ("my", "all"))
    marks = f"<<<<<<< yours\n{one}=======\n{other}>>>>>>> generated\n"
    assert marked(there, new) == there.replace(one, marks)


@table("indent, top", ("    ", ""), ("  ", "# Mine.\n"), ("\t", "\n# Mine.\n\n"))
def test_marks_leave_the_rest_as_it_is(indent, top):
    there = f"{top}{OLD}\n\n# The end.\n".replace("    ", indent).replace("List pets:", "Mine:")
    text = marked(there, OLD.replace("List pets:", "List all pets:"))
    mine, _, rest = text.partition("=======\n")
    generated, _, below = rest.partition(">>>>>>> generated\n")
    assert mine.replace("<<<<<<< yours\n", "") + below == there
    assert generated == f'{indent}"""List all pets: GET /pets."""\n'


def test_what_people_added_stays_where_it_is():
    own = (
        "# Ours.\nCACHE: dict[int, Pet] = {}\n\n\ndef helper() -> int:\n    return 1\n\n\n@cached\n"
    )
    there = f"{OLD.replace(GET, own + GET)}\n\n# The end.\n"
    new = OLD.replace("pet_id: int", "pet_id: str")
    assert merged(there, new).text == there.replace("pet_id: int", "pet_id: str")


def test_tools_go_and_come():
    edited = OLD.replace('{petId}"', '{petId}/"')
    assert merged(OLD, HEAD + LIST).text == HEAD + LIST
    done = merged(edited, HEAD + LIST)
    assert done.text == edited
    assert done.kept == ["tool getPet"]
    more = f"{OLD}\n\n{LIST.replace('listPets', 'x').replace('list_pets', 'x')}"
    assert merged(OLD, more).text == more


def test_a_handler_that_somebody_deleted_is_put_back():
    done = merged(HEAD + LIST, OLD)
    assert done.text == OLD
    assert "put back" in done.notes[0]


def test_a_handler_of_another_tool_and_name_is_told_from_one_without_request():
    stub = GET.replace(GET.splitlines()[3], "    raise ToolError('Write it.')")
    old = OLD.replace(GET, stub)
    there = old.replace('"getPet"', '"mine"').replace("get_pet", "mine").replace("Look", "Mine")
    done = merge(snapshot(old), there, old)
    assert "async def mine" in done.text
    assert "async def get_pet" in done.text
    assert done.notes == ["the handler of tool getPet was gone; it was put back"]


@table("head", "if FAST:", "try:\n    1 / 0\nexcept ArithmeticError:", "with mine():")
def test_a_handler_in_a_branch_is_not_hidden_by_one_that_is_put_back(head):
    own = "".join(f"    {line}" for line in GET.splitlines(keepends=True))
    there = OLD.replace(GET, f"{head}\n{own}")
    done = merged(there, OLD)
    assert (done.text, done.notes, done.conflicts) == (there, [], [])
    done = merged(there, OLD.replace("pet_id: int", "pet_id: str"))
    assert done.text == there
    assert [(each.definition, each.part) for each in done.conflicts] == [("tool getPet", "name")]
    assert "pet_id: str" in done.conflicts[0].diff
    assert there.splitlines()[done.conflicts[0].line - 1] == head.partition("\n")[0]


@table(
    "gone, changed, part",
    ("limit: int | Unset = UNSET, ", "limit: str | Unset = UNSET, ", "argument limit"),
    ('"limit": limit, ', '"limit": str(limit), ', "call query.limit"),
    (', header={"A": "1"}', ', header={"A": "2"}', "call header"),
    ('@tool("listPets")\n', '@tool("listPets", size="big")\n', "decorator tool"),
)
def test_what_a_person_removed_comes_back_only_where_the_generator_insists(gone, changed, part):
    old = OLD.replace("UNSET)", "UNSET, size: str)").replace(": limit}", ': limit, "size": size}')
    old = old.replace("size})", 'size}, header={"A": "1"})')
    assert gone in old
    there, new = old.replace(gone, ""), old.replace(gone, changed)
    done = merge(snapshot(old), there, new)
    assert [each.part for each in done.conflicts] == [part]
    assert done.text == there
    assert merge(snapshot(old), there, new, theirs=True).text == new


def test_a_mark_that_names_no_tool_is_no_handler():
    there = OLD.replace('@tool("listPets")', "@tool()")
    done = merged(there, OLD.replace('"/pets/{petId}"', '"/animals/{petId}"'))
    assert "/animals/" in done.text
    assert "@tool()\nasync def list_pets" in done.text


@table(
    "old, own, told",
    ("return await", "return await await (", "line 16, column 18: invalid syntax"),
    ("pet_id: int", "pet_id: int, pet_id: str", "line 14, "),
    ("if TYPE", "(own): int = 1\nif TYPE", "line 9, column 8: libcst, which merges edits, c"),
)
def test_a_module_that_does_not_parse(old, own, told):
    with pytest.raises(MergeError) as caught:
        merged(OLD.replace(old, own, 1), OLD)
    assert str(caught.value).startswith(told)


@table("line", "type Kept = Pet", "def kept[T](x: T) -> Pet: ...", 'Kept = f"{Pet["a"]}"')
def test_syntax_of_later_versions_is_merged_where_python_knows_it(line):
    there = f"{OLD}\n\n{line}\n"
    new = OLD.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    if sys.version_info < (3, 12):
        with pytest.raises(MergeError) as caught:
            merged(there, new)
        assert caught.value.line == len(there.splitlines())
    else:
        expected = new.replace("import Dog", "import Dog, Pet")
        assert merged(there, new).text == f"{expected}\n\n{line}\n"


@table(
    "before",
    "from .._runtime",
    "if TYPE_CHECKING:",
    "    from ..models",
    "from typing",
    "@tool",
    "async",
)
@table("new", "", f"{HEAD}{LIST}".replace("Pet]", "Dog]").replace("Pet\n", "Dog\n"))
def test_a_comment_over_what_goes_stays(before, new):
    """Also over the last import of a module, and over several that go together."""
    there = f"{HEAD}{GET}".replace(before, f"# Mine.\n{before}", 1)
    there = there.replace("# Mine.\n    ", "    # Mine.\n    ")
    done = merge(snapshot(f"{HEAD}{GET}"), there, new)
    assert done.text.count("# Mine.") == 1
    assert not done.empty


@table(
    "body, result",
    ("    raise ToolError('Not yet.')\n", []),
    ("    log()\n    raise ToolError('Not yet.')\n", ["body"]),
    ("    if True:\n        raise ToolError('Not yet.')\n", ["body"]),
    ("", ["body"]),
)
def test_what_a_stub_asked_for_was_written(body, result):
    old = OLD.replace(LIST, f"{LIST.partition(CALL)[0]}    raise ToolError('Write it.')\n")
    there = OLD.replace(
        LIST, f"{LIST.partition(CALL)[0]}    return await ctx.api.send('GET', '/')\n"
    )
    new = OLD.replace(LIST, f"{LIST.partition(CALL)[0]}{body}")
    done = merge(snapshot(old), there, new)
    assert ([each.part for each in done.conflicts], done.text) == (result, there)
    assert merge(snapshot(new), new, old).text == old


@table(
    "there, mine",
    ("Tools tagged `pets`.", "Mine."),
    ("from .._runtime", "from mine import *\nfrom .._runtime"),
    ("from .._runtime", "from mine import Response\nfrom .._runtime"),
    ("    from ..models", "    from mine import *\n    from ..models"),
    ("    from ..models import Pet\n", "    from ..models import Pet\n\n    Mine = object\n"),
    (
        "    from ..models import Pet\n",
        "    from ..models import Pet\nelse:\n    Mine = Dog = object\n",
    ),
)
@table("new", "", f"{HEAD}{LIST}".replace("Pet]", "Dog]").replace("Pet\n", "Dog\n"))
def test_what_is_no_definition_stays_too(there, mine, new):
    done = merge(snapshot(f"{HEAD}{GET}"), f"{HEAD}{GET}".replace(there, mine), new)
    added = "\n".join(line for line in mine.splitlines() if "ine" in line)
    assert done.text.count(added) == 1
    assert done.text.count("if TYPE_CHECKING:") == (1 if new else there.count("    from"))
    assert ("import Dog\n" in done.text) is bool(new)
    assert not done.empty


def test_a_text_below_a_variable_stays_with_it():
    old = '"""M."""\n\nA = 1\n\nB = 2\n"""Of B."""\n\nC = 3\n"""Of C."""\n\nD = 4\n'
    mine = 'MINE = 5\n"""Of mine."""\n\nC = 9\n'
    there = old.replace("C = 3\n", mine).replace("D = 4\n", "")
    new = old.replace("A = 1\n", 'A = 1\n"""Of A."""\n').replace("Of B.", "Of B, again.")
    merged = merge(snapshot(old), there, f'{new}"""Of D."""\n')
    assert merged.conflicts == []
    wanted = new.replace("C = 3\n", mine).replace("D = 4\n", "")
    assert merged.text.splitlines() == wanted.splitlines()
