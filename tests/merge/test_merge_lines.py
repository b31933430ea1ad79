"""Lines of texts that people and the generator changed at the same place."""

from tables import table

from mcpgen.merge.lines import merge, snapshot

OLD = "a\nb\nc\n"


@table(
    "there, new, text",
    ("a\nb\nc\nmine\n", "a\nB\nC\n", "a\nB\nC\nmine\n"),
    ("mine\na\nb\nc\n", "A\nb\nc\n", "mine\nA\nb\nc\n"),
    ("a\nb\nmine\nc\n", "a\nc\n", "a\nmine\nc\n"),
    ("a\nMine\nc\n", "a\nb\nnew\nc\n", "a\nMine\nnew\nc\n"),
)
def test_lines_beside_those_that_the_other_side_changed_stay(there, new, text):
    done = merge(snapshot(OLD), there, new)
    assert (done.text, done.hunks) == (text, ())


@table("there, new", ("a\nMine\nc\n", "a\nB\nc\n"), ("a\nmine\nb\nc\n", "a\nnew\nb\nc\n"))
def test_the_same_lines_changed_on_both_sides_are_a_conflict(there, new):
    done = merge(snapshot(OLD), there, new)
    assert (done.text, len(done.hunks)) == (there, 1)
