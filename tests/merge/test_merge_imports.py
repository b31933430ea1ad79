"""Three-way merge of imports: they come, go and move with what uses them."""

import libcst as cst
from merging import CALL, GET, HEAD, LIST, OLD, merged
from tables import table

from mcpgen.merge import imports as merge_imports
from mcpgen.merge.modules import merge
from mcpgen.merge.snapshot import snapshot

DOGS = OLD.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
"""The types of one handler have another name."""


def test_imports_come_and_go_with_their_use():
    new = DOGS
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


@table(
    "line, what",
    ("from rich import style", "imports"),
    ("import mine.style as style", "imports"),
    ("class style: ...", "class style"),
    ("style = 1", "style ="),
    ("other, style = 1, 2", "other, style ="),
    ("if FAST: from rich import style", "statement "),
)
def test_an_import_whose_name_a_person_has_for_something_else_is_a_conflict(line, what):
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


def test_an_import_that_the_generator_insists_on_takes_the_place_of_another():
    there = OLD.replace("from typing import", "from rich import print, style\nfrom typing import")
    there = there.replace(CALL, f"    print()\n{CALL}")
    new = OLD.replace("Unset, tool", "Unset, style, tool").replace(
        ": limit}", ": style.pipe(limit)}"
    )
    done = merged(there, new, "theirs")
    assert len(done.conflicts) == 1
    assert "from rich import print\n" in done.text
    assert "import UNSET, Context, Response, Unset, style, tool\n" in done.text


def test_an_import_before_the_others_of_its_section_stands_right_above_them():
    first = "from collections.abc import Mapping\n"
    new = OLD.replace("from typing", f"{first}from typing").replace(
        "pet_id: int", "pet_id: Mapping"
    )
    there = OLD.replace('"GET", "/pets/{petId}"', '"GET", "/pets/{petId}/"')
    assert f"annotations\n\n{first}from typing import" in merged(there, new).text


@table(
    "there, new, result",
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
)
def test_an_import_of_ours_follows_its_name_to_another_module(there, new, result):
    base = there.replace("mine", "one").replace(", MINE", "")
    edited = f"{there}\n\nx = A, B, MINE\n"
    assert merge(snapshot(base), edited, f"{new}\n").text == edited.replace(there, result)


@table(
    "line",
    'print(f"got {limit is UNSET} now")',
    "print(f'got {limit:{str(UNSET)}}')",
    'kept: "dict[str, UNSET]" = {}',
    """kept: "list['UNSET']" = []""",
    'def kept() -> "UNSET": ...',
)
def test_an_import_that_edited_code_uses_stays(line):
    there = OLD.replace(CALL, f"    {line}\n{CALL}")
    new = OLD.replace(" | Unset = UNSET", "").replace("UNSET, Context", "Context")
    new = new.replace("Response, Unset, tool", "Response, tool")
    assert "import UNSET, Context, Response, tool\n" in merged(there, new).text


WITHOUT_DOCSTRING = HEAD.partition("\n\n")[2]


@table(
    "before, added, head",
    ("tool\n", "style as s, ", HEAD),
    ("if TYPE", "from .._runtime.fitting import fitting as s\n\n", HEAD),
    ("from typing", "import sys as s\n", HEAD),
    ("from .._runtime", "import s.one\n\n", HEAD),
    ("from ..models", "from ..hooks import State as s\n    ", HEAD),
    ("from typing", "import sys as s\n", WITHOUT_DOCSTRING),
    ("from .._runtime", "import s.one\n\n", WITHOUT_DOCSTRING),
    ("tool\n", "style as s, ", ""),
    ("from ..models", "from ..hooks import State as s\n    ", ""),
    ("from typing", "import sys as s\n", '"""Mine."""\n'),
    ("if TYPE", "from .._runtime.fitting import fitting as s\n\n", '"""Mine."""\n'),
)
def test_a_new_import_binds_the_name_that_is_used(before, added, head):
    there = f"{head}{GET}\n\n{LIST}".replace(CALL, f"    log()\n{CALL}")
    new = OLD.replace(before, f"{added}{before}", 1).replace(
        '"limit": limit', '"limit": s.of(limit)'
    )
    done = merged(there, new)
    known, wanted = (merge_imports.imports(cst.parse_module(x)) for x in (done.text, new))
    assert known == wanted
    assert done.text.startswith('"""' if '"""' in head else "from __future__")
    compile(done.text, "pets.py", "exec")


@table(
    "own, result",
    ("from ..models import Pet\n", "from ..models import Dog\n"),
    ("from ..models import Pet  # Mine.\n", "from ..models import Dog, Pet  # Mine.\n"),
    ("from ..models import (\n        Pet,  # Mine.\n    )\n", "{}    from ..models import Dog\n"),
    ("from ..models import Pet; import mine\n", "{}    from ..models import Dog\n"),
    ("from mine import Pet as Own\n", "{}    from ..models import Dog\n"),
    ("class Mine: ...\n", "from ..models import Dog\n    {}"),
    (
        "import mine\n    class Mine: ...\n",
        "import mine\n    from ..models import Dog\n    class Mine: ...\n",
    ),
)
def test_an_import_for_types_stands_beside_what_a_person_has_there(own, result):
    there = OLD.replace("from ..models import Pet\n", own).replace(CALL, f"    log()\n{CALL}")
    new = DOGS
    expected = there.replace(own, result.format(own)).replace("Response[Pet]", "Response[Dog]")
    assert merged(there, new).text == expected


def test_an_import_that_goes_leaves_what_a_person_has_in_its_block():
    own = "    from ..models import Pet\nelse:\n    Mine = object\n"
    there = OLD.replace("    from ..models import Pet\n", own).replace(CALL, f"    log()\n{CALL}")
    new = OLD.replace("Response[Pet]", "Response[None]").replace(
        "\nif TYPE_CHECKING:\n    from ..models import Pet\n", ""
    )
    expected = there.replace(own, own.replace("from ..models import Pet", "pass"))
    assert merged(there, new).text == expected.replace("Response[Pet]", "Response[None]")


@table("own", "from . import shared\n", "if sys.platform == 'win32':\n    from mine import Dog\n")
def test_what_is_new_is_imported_beside_imports_of_ones_own(own):
    there = OLD.replace("if TYPE_CHECKING", f"{own}\nif TYPE_CHECKING")
    new = DOGS
    expected = there.replace("Response[Pet]", "Response[Dog]").replace("import Pet", "import Dog")
    assert merged(there, new).text == expected


def test_an_import_of_the_standard_library_stands_before_those_of_other_packages():
    there = OLD.replace("from .._runtime", "import httpx2\n\nfrom .._runtime")
    there = there.replace("from typing import TYPE_CHECKING\n\n", "")
    there = there.replace("\nif TYPE_CHECKING:\n    from ..models", "from ..models")
    new = OLD.replace("Response[Pet]", "Mapping[str, Pet]").replace(
        "from typing", "from collections.abc import Mapping\nfrom typing"
    )
    assert "import Mapping\n\nimport httpx2\n" in merged(there, new).text


@table(
    "ours, own",
    ("if TYPE_CHECKING:\n    from ..models import Pet\n", "class Pet(dict): ...\n"),
    ("    from ..models import Pet\n", "    class Pet(dict): ...\n"),
    ("if TYPE_CHECKING:\n    from ..models", "if TYPE_CHECKING: from ..models"),
    (
        "if TYPE_CHECKING:\n    from ..models import Pet\n",
        "try:\n    from mine import Pet\nexcept ImportError:\n    from ..models import Pet\n",
    ),
    ("import UNSET, Context, Response, Unset, tool", "import *"),
)
def test_an_import_of_ours_does_not_come_back_beside_what_has_its_place(ours, own):
    there = OLD.replace(ours, own)
    assert there != OLD
    done = merged(there, OLD)
    assert (done.text, done.conflicts) == (there, [])
    done = merged(there, OLD.replace("limit", "size"))
    assert done.text == there.replace("limit", "size")


@table(
    "test, is_block",
    ("typing.TYPE_CHECKING:\n   ", True),
    ("TYPE_CHECKING:", False),
    ("t.TYPE_CHECKING:\n   ", False),
)
def test_an_import_for_types_gets_a_block_where_there_is_none(test, is_block):
    own = f"if {test} from ..models import Pet\n"
    there = OLD.replace("if TYPE_CHECKING:\n    from ..models import Pet\n", own)
    new = DOGS
    done = merged(there, new)
    added = "if TYPE_CHECKING:\n    from ..models import Dog\n"
    assert (own in done.text, added in done.text) == (not is_block, not is_block)
    assert done.text.count("import Dog") == 1
    assert "import TYPE_CHECKING\n" in done.text


def test_an_import_is_not_used_by_what_the_document_calls_so():
    there = OLD.replace('"getPet"', '"getPet", pet_id="Pet"')
    there = there.replace('path={"petId": pet_id}', 'path={"Pet": pet_id}')
    done = merged(there, OLD.replace("Response[Pet]", "Response[Any]").replace("Pet\n", "Dog\n"))
    assert "import Pet" not in done.text
    there = f'{OLD}\n\ndef named(pet: "list[Pet]") -> None:\n    """Hold a pet."""\n'
    done = merged(there, OLD.replace("Response[Pet]", "Response[Any]").replace("Pet\n", "Dog\n"))
    assert "import Pet" in done.text


def test_a_comment_over_an_import_that_goes_stays_over_the_next():
    added = "from .._runtime.polling import Poll\n"
    old = OLD.replace("from .._runtime", f"{added}from .._runtime")
    there = old.replace(added, f"# Mine.\n{added}").replace(CALL, f"    log()\n{CALL}")
    assert merge(snapshot(old), there, OLD).text == there.replace(added, "")


def test_an_import_that_gets_too_long_has_a_line_for_each_name():
    names = [f"Answer{number}" for number in range(11)]
    there = OLD.replace(CALL, f"    log()\n{CALL}")
    types = OLD.replace("Response[Pet]", f"Response[{' | '.join(['Pet', *names])}]")
    new = types.replace("import Pet", f"import ({', '.join([*names, 'Pet'])})")
    done = merged(there, new)
    listed = "".join(f"        {name},\n" for name in [*sorted(names, key=len), "Pet"])
    assert f"    from ..models import (\n{listed}    )\n" in done.text
    assert merge(snapshot(new), done.text, OLD).text == there
