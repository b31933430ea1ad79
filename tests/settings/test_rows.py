"""A setting is one row: messages, help, pages, schemas and the server's defaults follow from it."""

from dataclasses import dataclass
from typing import Annotated

import jsonschema
import pytest
import typer
from tables import table
from typer.testing import CliRunner

from mcpgen.cli import flags
from mcpgen.runtime.values import environment as read
from mcpgen.runtime.values.settings import Settings as ServerSettings
from mcpgen.runtime.values.settings import setting
from mcpgen.settings import schema, values
from mcpgen.settings.reference import entries
from mcpgen.settings.rows import Row, meanings, settings_of
from mcpgen.settings.settings import Settings, Tool


@dataclass(frozen=True)
class MoreSettings(Settings):
    """What a server may be told, with two settings more."""

    longest_name: Annotated[int, Row("--longest-name N", least=8)] = 64
    """At most so many characters of a tool's name."""
    pace: Annotated[str, Row(choices=("slow", "fast"), shared=False, server="tempo")] = "slow"
    """How fast the server answers: slow or fast."""


class MoreTool(Tool):
    """What may be said of a tool, with one key more."""

    price: Annotated[int, Row(least=0)]
    """Cents that a call costs."""


@dataclass(frozen=True)
class PartSettings(ServerSettings):
    """What a server with one part more has."""

    tide: float = setting(1.5, read.seconds)
    """Seconds between
    two tides."""


@table(
    "table, good, bad",
    (MoreSettings, {"longest_name": 8}, {"longest_name": 7}),
    (MoreSettings, {"pace": "fast"}, {"pace": "quick"}),
    (MoreTool, {"price": 0}, {"price": -1}),
    (MoreTool, {"price": 1, "title": "A"}, {"price": "1"}),
)
def test_its_row_is_its_schema(table, good, bad):
    validator = jsonschema.Draft202012Validator(schema.table_schema(table))
    assert validator.is_valid(good)
    assert not validator.is_valid(bad)


@table(
    "table, lines",
    (
        MoreSettings,
        [
            "longest_name = 64",
            "    At most so many characters of a tool's name. (--longest-name)",
            'pace = "slow"',
            "    How fast the server answers: slow or fast.",
        ],
    ),
    (MoreTool, ["price", "    Cents that a call costs."]),
)
def test_its_row_is_its_line_of_the_reference(table, lines):
    assert [*entries(table)][-len(lines) :] == lines


def test_its_row_is_its_flag():
    app = typer.Typer()
    given = []

    def command(**asked: object) -> None:
        given.append(flags.given(asked))

    setting = settings_of(MoreSettings)["longest_name"]
    app.command()(flags.with_flags(command, [setting]))
    runner = CliRunner()
    assert runner.invoke(app, ["--longest-name", "9"]).exit_code == 0
    assert runner.invoke(app, []).exit_code == 0
    assert given == [{"longest_name": 9}, {}]
    assert runner.invoke(app, ["--longest-name", "7"]).exit_code == 2
    told = runner.invoke(app, ["--help"], env={"COLUMNS": "200"}).output
    assert "At most so many characters of a tool's name." in told


def test_a_workspace_has_what_its_row_says_is_shared():
    shared = schema.table_schema(MoreSettings, shared=True)["properties"]
    assert "longest_name" in shared
    assert "pace" not in shared


@pytest.mark.parametrize(("pace", "defaults"), [("fast", {"tempo": "fast"}), ("slow", {})])
def test_the_running_server_starts_from_what_its_row_names(pace, defaults):
    assert values.served(MoreSettings, {"longest_name": 9, "pace": pace}) == defaults


def test_the_settings_of_a_part_are_rows_too():
    """The running server reads them, and what they mean stands below them."""
    assert PartSettings.from_env("SHOP", {"SHOP_TIDE": "2"}).tide == 2
    about = meanings(PartSettings)
    assert about["tide"] == "Seconds between two tides."
    assert {**about, **meanings(ServerSettings)} == about
