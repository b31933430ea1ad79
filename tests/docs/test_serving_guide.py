"""What docs/serve.md and docs/sign-in.md say is so."""

import re
from pathlib import Path

import pytest

from mcpgen import settings
from mcpgen.runtime import HttpSettings
from mcpgen.settings.values import callers_defaults

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "serve.md").read_text("utf-8")
SIGN_IN = (ROOT / "docs" / "sign-in.md").read_text("utf-8").partition("## Each caller")[2]
UNITS = {"MiB": 1024 * 1024, "s": 1, "": 1}


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", SIGN_IN, re.DOTALL))
def test_its_settings_turn_something_on(block):
    assert callers_defaults(settings.parse(block, Path("mcpgen.toml")).auth)


def test_its_schemes_are_those_of_the_bookshop():
    document = (ROOT / "specs" / "bookshop.yaml").read_text("utf-8")
    assert "    shop_key:\n      type: apiKey\n" in document


def test_it_shows_what_a_server_s_own_page_shows():
    """Which the end-to-end tests run, word by word."""
    page = (ROOT / "generated_examples" / "bookshop" / "DEPLOY.md").read_text("utf-8")
    pattern = re.compile(r"```\w+\n.*?```", re.DOTALL)
    shown, known = (
        pattern.findall(text.partition(f"## {heading}\n")[2].partition("\n## ")[0])
        for text, heading in ((GUIDE, "Where it runs"), (page, "Serve it over HTTP"))
    )
    assert len(shown) == 2
    assert set(shown) <= set(known)


def test_its_defaults_are_those_of_a_server():
    rows = re.findall(r"\| `([A-Z_]+)` \| (\d+) ?(\w*) \|", GUIDE)
    assert len(rows) == 9
    for name, number, unit in rows:
        assert getattr(HttpSettings(), name.lower()) == int(number) * UNITS[unit], name
