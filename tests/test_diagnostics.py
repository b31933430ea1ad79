"""What is printed about a problem."""

from collections import Counter

import pytest

from mcpgen.cli.output import tell
from mcpgen.diagnostics import (
    Diagnostic,
    Diagnostics,
    GenerationError,
    Location,
    Severity,
    printable,
    render,
)
from mcpgen.source.positions import Lines

TEXT = "openapi: 3.1.0\npaths:\n\t/a: {}\nend: 1\n"


def error(location: Location | None = None, **more: str) -> Diagnostic:
    return Diagnostic("a-code", Severity.ERROR, "it is wrong", location=location, **more)


def test_source_lines_and_the_column() -> None:
    location = Lines(TEXT).location("api.yaml", TEXT.index("/a"))
    assert render(error(location, pointer="/paths/~1a", hint="mend it")).splitlines() == [
        "error[a-code]: it is wrong",
        "  --> api.yaml:3:2 at #/paths/~1a",
        "  |",
        "2 | paths:",
        "3 |     /a: {}",
        "  |     ^",
        "4 | end: 1",
        "  = help: mend it",
    ]


def test_the_first_and_the_last_line() -> None:
    first = render(error(Lines(TEXT).location("f", 0))).splitlines()
    assert first[2:] == ["  |", "1 | openapi: 3.1.0", "  | ^", "2 | paths:"]
    last = render(error(Lines("a\nb").location("f", 2))).splitlines()
    assert last[2:] == ["  |", "1 | a", "2 | b", "  | ^"]


def test_a_long_line_is_cut_to_a_window_around_the_column() -> None:
    text = "x" * 5000 + "HERE" + "y" * 5000
    lines = render(error(Lines(text).location("f", 5000))).splitlines()
    shown, caret = lines[3], lines[4]
    assert max(map(len, lines)) < 200
    assert shown[caret.index("^") :].startswith("HERE")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = f"a{end}b{end}c"
    location = Lines(text).location("f", text.index("c"))
    assert (location.line, location.column) == (3, 1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 😀", "plain é 漢 😀"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x1b[31m\x00\x7f", "\\x1b[31m\\x00\\x7f"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\u2028\x85", "\\u2028\\x85"),
        ("\ud800", "\\ud800"),
        ("\u3164\U000e0100", "\\u3164\\U000e0100"),
    ],
)
def test_nothing_invisible_is_printed(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_messages_pointers_files_and_source_are_escaped_and_bounded() -> None:
    evil = "\x1b[2J\u202e\n"
    location = Lines(evil * 3).location(evil, 0)
    item = Diagnostic("c", Severity.WARNING, evil + "x" * 100_000, "/" + evil, location, evil)
    text = render(item)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert len(text) < 5000
    assert "\x1b" not in str(item.to_json())


def test_to_json() -> None:
    location = Location("f", 2, 3)
    assert error(location, pointer="/a", hint="h").to_json() == {
        "code": "a-code",
        "severity": "error",
        "message": "it is wrong",
        "pointer": "/a",
        "file": "f",
        "line": 2,
        "column": 3,
        "hint": "h",
    }
    assert error().to_json().keys() == {"code", "severity", "message", "pointer"}


def test_they_come_by_their_places() -> None:
    """Whatever was looked at first; errors are last, so that they stand where one looks."""
    found = Diagnostics()
    found.add(error(Location("a.yaml", 1, 1)))
    for place in (
        Location("b.yaml", 1, 1),
        None,
        Location("a.yaml", 9, 1),
        Location("a.yaml", 3, 7),
    ):
        found.add(Diagnostic("w", Severity.WARNING, "odd", location=place))
    told = [str(item.location) for item in found.items]
    assert told == ["a.yaml:3:7", "a.yaml:9:1", "b.yaml:1:1", "None", "a.yaml:1:1"]
    assert [str(item.location) for item in found.warnings] == told[:-1]


def test_collected_in_order_and_once() -> None:
    found = Diagnostics()
    found.warning("w", "one")
    found.error("e", "two")
    found.warning("w", "one")
    found.note("n", "three")
    assert [item.message for item in found.items] == ["one", "three", "two"]
    assert [item.code for item in found.errors + found.warnings + found.notes] == ["e", "w", "n"]
    other = Diagnostics()
    other.extend(found)
    other.extend(found.items)
    assert other.items == found.items
    assert len(other) == 3


def test_raising() -> None:
    found = Diagnostics()
    found.raise_if_errors(strict=True)
    found.warning("w", "one")
    found.raise_if_errors()
    with pytest.raises(GenerationError) as caught:
        found.raise_if_errors(strict=True)
    assert [item.code for item in caught.value.diagnostics] == ["w"]
    found.error("e", "two")
    with pytest.raises(GenerationError, match=r"\[e\] two") as caught:
        found.raise_if_errors()
    assert [item.code for item in caught.value.diagnostics] == ["e"]


@pytest.mark.parametrize(("count", "more"), [(9, "6 more places"), (4, "1 more place")])
def test_what_is_said_of_many_places_is_told_of_the_first_ones(
    capsys: pytest.CaptureFixture[str], count: int, more: str
) -> None:
    places = (f"/a/{n}" for n in range(count))
    found = [Diagnostic("old", Severity.WARNING, "not in use", at, hint="Go.") for at in places]
    tell([*found, Diagnostic("new", Severity.NOTE, "in use")])
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "-->" in line] == [f"  --> #/a/{n}" for n in range(3)]
    assert lines[-2:] == [f"warning[old]: not in use ({more})", "note[new]: in use"]


def test_of_many_warnings_of_a_kind_the_first_ones_are_told_and_all_errors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kinds = (
        ("left", Severity.WARNING, 40),
        ("said", Severity.NOTE, 25),
        ("bad", Severity.ERROR, 60),
    )
    tell(
        [Diagnostic(code, severity, str(n)) for code, severity, many in kinds for n in range(many)]
    )
    lines = capsys.readouterr().err.splitlines()
    assert Counter(line.partition(":")[0] for line in lines) == {
        "warning[left]": 25 + 1,
        "note[said]": 25,
        "error[bad]": 60,
    }
    assert lines[50] == "warning[left]: 15 more, which --json lists"
