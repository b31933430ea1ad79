"""Filters of operations hold on when the document gives these other names."""

import json
from pathlib import Path

import pytest
from tables import table

from .garden import PACKAGE, operation, run, update, write

TOML = Path("server/mcpgen.toml")

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write()


def generate(*flags: str) -> None:
    done = run("from-openapi", "api.json", "-o", "server", *flags)
    assert done.exit_code == 0, done.output


def tools() -> set[str]:
    listed = json.loads((PACKAGE / "tools.json").read_bytes())["tools"]
    return {tool["name"] for tool in listed}


def test_an_operation_stays_out_whatever_the_document_calls_it():
    generate("--exclude-operation", "listRows")
    for name in ("all_rows", "everyRow"):
        write(rows=operation(name, "beds"))
        told = update()
        said = f"the operation that a filter names `listRows` is now called `{name}`"
        line = TOML.read_text().splitlines().index('exclude_operations = ["listRows"]') + 1
        assert f"{said}\n  --> {TOML}:{line}:" in told
        assert "matches no operation" not in told
        assert tools() == {"listBeds", "listTrees"}
    write(rows=operation("everyRow", "beds"), trees=operation("listTrees", "trees", "depth"))
    assert "a filter names `listRows`" in update()
    assert tools() == {"listBeds", "listTrees"}
    TOML.write_text(TOML.read_text().replace("listRows", "everyRow"))
    assert "a filter calls" not in update()
    assert tools() == {"listBeds", "listTrees"}


def test_an_operation_stays_chosen_whatever_the_document_calls_it():
    generate("--include-operation", "listRows", "--include-operation", "*Trees")
    write(rows=operation("allRows", "beds"), trees=operation("everyTree", "trees"))
    told = update()
    assert "a filter names `listRows` is now called `allRows`" in told
    assert "--include-operation *Trees matches no operation" in told
    assert tools() == {"allRows"}


def test_a_filter_is_for_the_operation_that_has_its_name():
    generate("--exclude-operation", "listRows")
    write(rows=operation("allRows", "beds"), herbs=operation("listRows", "beds"))
    assert "a filter calls" not in update()
    assert tools() == {"listBeds", "listTrees", "allRows"}


def test_a_filter_waits_for_an_operation_that_is_gone():
    generate("--exclude-operation", "listRows")
    write(rows=None)
    assert "--exclude-operation listRows matches no operation" in update()
    write(rows=operation("allRows", "beds"))
    assert "a filter names `listRows`" in update()
    assert tools() == {"listBeds", "listTrees"}


def test_filters_are_in_one_order_in_the_lock():
    """The order of a set differs between processes; in hardly any it is that of the alphabet."""
    names = [f"list{letter}" for letter in "ABCDEFGHIJ"]
    write(**{name: operation(name, "beds") for name in names})
    generate(*(word for name in names for word in ("--include-operation", name)))
    lock = json.loads(Path("server/mcpgen.lock").read_text())
    assert list(lock["filters"]) == names


def test_filters_of_a_further_source_hold_on():
    more = Path("more.json")
    more.write_text(Path("api.json").read_text().replace("Garden", "Orchard"))
    generate("--exclude-operation", "listBeds")
    with TOML.open("a") as file:
        file.write('[[with]]\nsource = "../more.json"\nname = "orchard"\nprefix = "o_"\n')
        file.write('exclude_operations = ["listBeds", "listRows"]\n')
    update()
    for new in ("allRows", "everyRow"):
        more.write_text(more.read_text().replace("listRows", new).replace("allRows", new))
        assert f"a filter names `listRows` is now called `{new}`" in update()
        assert tools() == {"listRows", "listTrees", "o_listTrees"}


@table(
    "flags",
    ("--exclude-path", "/rows/{id}"),
    ("--exclude-path", "/*/{id}"),
    ("--exclude-operation", "GET /rows/{id}"),
)
def test_paths_that_differ_in_the_names_of_their_templates_are_identical(flags):
    row = operation("getRow", "beds")
    for name in ("id", "row_id"):
        row["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        ]
        write(**{f"rows/{{{name}}}": row})
        if name == "id":
            generate(*flags)
        else:
            told = update()
            assert "matches no operation" not in told
            assert "a filter calls" not in told
        assert tools() == {"listBeds", "listRows", "listTrees"}
