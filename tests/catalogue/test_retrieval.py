"""Whether tools are found: the generated test, the team's questions, and twins."""

import json
import sys
from pathlib import Path

import generated_tests
import pytest
import searchable
from command_line import run
from diff_documents import document

pytestmark = pytest.mark.usefixtures("unchanged_path")

QUESTIONS = """
[[question]]
query = "remove a pet"
tools = ["deletePet"]
[[question]]
query = "list invoices"
tools = ["nope"]
[[question]]
query = "weather"
tools = ["listPets"]
"""


@pytest.fixture
def unchanged_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clinic")
    source = searchable.written(folder)
    done = run("from-openapi", str(source), "-o", str(folder / "made"), "--surface", "search")
    assert done.exit_code == 0, done.output
    return folder / "made"


def test_the_generated_tests_find_each_tool(clinic):
    done = generated_tests.run(clinic, "tests/test_search.py", "-rs")
    assert done.returncode == 0, done.stdout
    assert "8 passed, 1 skipped" in done.stdout


def test_the_generated_tests_ask_the_teams_questions(clinic):
    path = clinic / "tests/questions.toml"
    before = path.read_text()
    path.write_text(before + QUESTIONS)
    done = generated_tests.run(clinic, "tests/test_search.py", "-k", "questions")
    assert done.returncode == 1
    assert "['list invoices', 'weather']" in done.stdout
    assert run("update", str(clinic)).exit_code == 0
    assert path.read_text() == before + QUESTIONS
    path.write_text(before)


def test_inspect_prints_the_misses(clinic, tmp_path):
    path = tmp_path / "questions.toml"
    path.write_text(QUESTIONS)
    done = run("inspect", str(clinic), "--questions", str(path))
    assert done.exit_code == 3
    assert "'remove a pet'" not in done.output
    assert "invoices' finds none of its tools: there is no `nope`; it finds listI" in done.output
    assert "'weather' finds none of its tools: it finds nothing" in done.output
    path.write_text(
        QUESTIONS.replace('"nope"', '"listInvoices"').split('[[question]]\nquery = "w')[0]
    )
    assert run("inspect", str(clinic), "--questions", str(path)).exit_code == 0


def test_the_keywords_that_inspect_proposes_answer_the_question(tmp_path):
    source, folder = searchable.written(tmp_path), tmp_path / "made"
    run("from-openapi", str(source), "-o", str(folder), "--surface", "search")
    path = tmp_path / "questions.toml"
    path.write_text('[[question]]\nquery = "the weather of animals"\ntools = ["listPets"]\n')
    done = run("inspect", str(folder), "--questions", str(path))
    proposed = '[tools.listPets] keywords = ["weather", "animals"]'
    assert f"; {proposed} would add its words" in done.output
    settings = folder / "mcpgen.toml"
    table = proposed.replace("] ", "]\n")
    settings.write_text(f"{settings.read_text()}\n{table}\n")
    assert run("update", str(folder)).exit_code == 0
    assert run("inspect", str(folder), "--questions", str(path)).exit_code == 0


@pytest.mark.parametrize("text", ["a =", "[[question]]\nquery = 'a'", "question = 1"])
def test_what_are_no_questions_is_told(clinic, tmp_path, text):
    path = tmp_path / "questions.toml"
    path.write_text(text)
    done = run("inspect", str(clinic), "--questions", str(path))
    assert done.exit_code == 1
    assert "error[questions]: the questions cannot be read" in done.output


def test_what_has_no_index_is_told(clinic, tmp_path):
    (tmp_path / "questions.toml").write_text(QUESTIONS)
    source = searchable.written(tmp_path)
    done = run("inspect", str(source), "--questions", str(tmp_path / "questions.toml"))
    assert done.exit_code == 1
    assert "is not a server with a search index" in done.output


def test_twins_are_told_and_not_tried(tmp_path):
    twins = {f"op{n}": {"summary": "Do it"} for n in range(8)}
    (tmp_path / "twins.json").write_text(json.dumps(document(**twins)))
    made = tmp_path / "made"
    source = str(tmp_path / "twins.json")
    done = run("from-openapi", source, "-o", str(made), "--surface", "search")
    assert "`op5`, `op6`, `op7` cannot be found by their own summaries" in done.output
    cases = json.loads((made / "tests/search_cases.json").read_text())
    assert [name for name, _ in cases] == ["op0", "op1", "op2", "op3", "op4"]
