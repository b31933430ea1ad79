"""What `mcpgen inspect` shows people: problems by kind, and tables that fit."""

import json
from pathlib import Path

import examples
import plain_api
import pytest
from command_line import run

from mcpgen.inspection.kinds import KINDS
from mcpgen.runtime.parts.search.answers import CALLING
from mcpgen.text.table import aligned, cells, shortened


@pytest.fixture
def api(tmp_path: Path) -> str:
    path = tmp_path / "shop.json"
    path.write_text(json.dumps(plain_api.document()))
    return str(path)


def test_a_plain_api_fits_one_screen(api):
    done = run("inspect", api)
    lines = done.output.splitlines()
    assert len(lines) < 40
    assert lines[0].startswith(f"{plain_api.OPERATIONS} tools, about ")
    assert lines[0].endswith("(11 read, 15 write)")
    assert any(line.split()[:2] == ["orders", "5"] for line in lines)
    assert lines[-1].startswith("16 smaller tools: ")
    listed = [line.split() for line in lines[lines.index("could be clearer:") + 1 :]]
    codes = [words[0] for words in listed[: listed.index([])]]
    assert len(codes) == len(set(codes))
    assert set(codes) <= KINDS.keys()
    assert "undescribed-argument" in codes


def test_hundreds_of_operations_in_many_areas_are_under_sixty_lines(tmp_path):
    path = tmp_path / "large.json"
    path.write_text(json.dumps(plain_api.document(tuple(f"things{n}s" for n in range(70)))))
    done = run("inspect", str(path))
    assert len(done.output.splitlines()) < 60
    assert done.stdout.startswith("351 tools")


def test_one_kind_alone_has_each_problem_with_its_place_and_only_its_tools(api):
    shown = run("inspect", api, "--only", "short-description").stdout
    whole = json.loads(run("inspect", api, "--json").stdout)["problems"]
    of_kind = [problem for problem in whole if problem["code"] == "short-description"]
    assert of_kind
    for problem in of_kind:
        assert f"    {problem['place']}: {problem['tool']}" in shown
    assert "undescribed-argument" not in shown
    assert KINDS["short-description"].remedy in shown
    tools = {problem["tool"] for problem in of_kind}
    listed = {tool for tool in tools if f"\n{tool} " in shown}
    assert len(listed) == min(len(tools), 10)
    done = run("inspect", api, "--only", "short-descriptions")
    assert (done.exit_code, "short-description" in done.stderr) == (2, True)


def test_top_and_all(api):
    largest = run("inspect", api, "--top", "3").stdout
    sizes = [int(line.split()[-1]) for line in largest.splitlines()[-4:-1]]
    assert sizes == sorted(sizes, reverse=True)
    assert "23 smaller tools" in largest
    whole = run("inspect", api, "--all").stdout
    assert all(f"{name}_order" in whole for name in ("create", "read", "update", "delete"))
    count = len(json.loads(run("inspect", api, "--json").stdout)["problems"])
    assert whole.count(f"{api}:") == count


def test_a_problem_of_a_server_is_at_its_handler(api, tmp_path):
    folder = tmp_path / "server"
    assert run("from-openapi", api, "-o", str(folder)).exit_code == 0
    found = json.loads(run("inspect", str(folder), "--json").stdout)
    places = {problem["tool"]: problem["place"] for problem in found["problems"]}
    path, line, _ = places["update_order"].rsplit(":", 2)
    lines = Path(path).read_text().splitlines()
    assert lines[int(line) - 1] == '@tool("update_order")'
    assert {tool["area"] for tool in found["tools"]} == {*plain_api.AREAS, "default"}


def test_a_server_with_the_search_surface_is_told_as_clients_see_it():
    folder = examples.FOLDER / "townhall"
    first, second, *_ = run("inspect", str(folder)).stdout.splitlines()
    found = json.loads(run("inspect", str(folder), "--json", "--server", "s" * 40).stdout)
    assert first == f"clients list 5 tools, about {found['tokens']:,} tokens of tools/list"
    assert second.startswith(f"by search: {found['count']} tools, about ")
    assert (found["listed"], found["count"] > 40) == (5, True)
    assert "many-tools" not in {problem["code"] for problem in found["problems"]}
    long = {problem["tool"] for problem in found["problems"] if problem["code"] == "long-name"}
    assert long <= {"find_tools", "describe_tools", *CALLING}
    done = run("inspect", str(folder), "--max-tools", "5", "--max-tokens", str(found["tokens"]))
    assert done.exit_code == 0, done.output


def test_many_warnings_of_a_document_are_a_line_for_each_kind(tmp_path):
    document = plain_api.document()
    for path in document["paths"].values():
        path["get"]["parameters"] = [{"$ref": "#/components/gone"}]
    file = tmp_path / "api.json"
    file.write_text(json.dumps(document))
    brief, whole = (run("inspect", str(file), *more).stderr for more in ((), ("--all",)))
    assert len(brief.splitlines()) < 8
    assert "warning[skipped] x 11: " in brief
    assert whole.count("  --> ") > 8


ROWS = [
    ("tool", "operation", "arguments", "tokens"),
    ("find_all_the_books", "GET /libraries/{library}/books", "author?, title?, year?", "12,345"),
    ("書籍を探す", "GET /本", "題名", "7"),
]


@pytest.mark.parametrize("width", [0, 24, 40, 60, 80, 140])
def test_a_table_fits_its_width_and_keeps_its_numbers(width):
    lines = list(aligned(ROWS, numbers=(3,), width=width, flexible=(2, 1)))
    assert all(line.endswith(row[-1]) for line, row in zip(lines, ROWS, strict=True))
    assert len({cells(line) for line in lines}) == 1
    assert not width or cells(lines[0]) <= width
    assert (" GET /libraries/{library}/books " in lines[1]) == (width in (0, 80, 140))
    assert lines[1].startswith("find_all_the_books"[: (width and 12) or 18])


def test_a_text_is_cut_by_the_cells_that_it_takes():
    assert [shortened("書籍を探すため", width) for width in (14, 13, 3)] == [
        "書籍を探すため",
        "書籍を探す...",
        "書",
    ]
