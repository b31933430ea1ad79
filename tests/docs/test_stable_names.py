"""The names that people build on are those of `stable_names.txt`."""

import difflib

import stable_names

_WHAT_TO_DO = """
names that people build on have changed:
{changes}
A minor version may add names. One that is gone or means something else breaks whoever uses it:
below 1.0 a minor version may do that, where CHANGELOG.md says it and what to write instead.
docs/reference/stability.md has the rules. `python tests/docs/reference_pages.py` writes the list.
"""


def test_no_name_that_people_build_on_changes_unnoticed():
    before = stable_names.FILE.read_text("utf-8").splitlines()
    now = stable_names.text().splitlines()
    changes = [line for line in difflib.ndiff(before, now) if line[0] in "+-"]
    assert not changes, _WHAT_TO_DO.format(changes="\n".join(changes))


def test_each_list_has_names():
    lists = stable_names.FILE.read_text("utf-8").split("# ")[1:]
    assert [each.partition("\n")[0] for each in lists if len(each.split("\n")) < 6] == []
