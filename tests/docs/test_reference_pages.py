"""The pages of `docs/reference/` say what the code says."""

import re

import pytest
import reference_pages
import yaml
from openapi_reading import read_document

from mcpgen import settings

PAGES = sorted(reference_pages.PAGES.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_what_the_code_gives(page):
    text = page.read_text(encoding="utf-8")
    assert text == reference_pages.filled(text), "run `python tests/docs/reference_pages.py`"


@pytest.mark.parametrize("name", ["settings", "tool-settings"])
def test_the_settings_that_a_page_shows_can_be_read(name):
    page = reference_pages.PAGES / f"{name}.md"
    (shown,) = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert settings.parse(shown, page) != settings.Settings()


def test_the_operation_that_a_page_shows_is_the_tool_that_it_names(tmp_path):
    text = (reference_pages.PAGES / "openapi.md").read_text(encoding="utf-8")
    shown = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[0]
    tool = read_document(yaml.safe_load(shown), tmp_path).tool
    names = [argument.name for argument in tool.arguments]
    assert f"the tool `{tool.name}` with the arguments" in text
    assert names == ["order_id", "filter_a", "customer"]
