"""Pages are short, their links lead somewhere, and the README leads to each of them."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mcpgen import settings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
README = ROOT / "README.md"
LONGEST = {README: 120}
PAGE, PARAGRAPH, LINE = 200, 6, 120
"""How many lines; a line of a paragraph that is longer than the third counts as several."""


@cache
def tokens(page: Path) -> list[Token]:
    return MarkdownIt().enable("table").parse(page.read_text("utf-8"))


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The file and the anchor of each link within the project."""
    for token in tokens(page):
        for child in token.children or ():
            target = str(child.attrs.get("href") or child.attrs.get("src") or "")
            if target and not re.match(r"\w+:", target):
                path, _, anchor = target.partition("#")
                yield (page.parent / path).resolve() if path else page, anchor


@cache
def anchors(page: Path) -> set[str]:
    """What GitHub makes of headings."""
    found = tokens(page)
    titles = [found[n + 1].content for n, t in enumerate(found) if t.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


each_page = pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix()
)


@each_page
def test_a_page_and_its_paragraphs_are_short(page):
    lines = page.read_text("utf-8").splitlines()
    assert len(lines) <= LONGEST.get(page, PAGE)
    for token in tokens(page):
        if token.type == "paragraph_open" and token.map is not None:
            begin, end = token.map
            count = sum(-(-len(line) // LINE) for line in lines[begin:end])
            assert count <= PARAGRAPH, f"{page}:{begin + 1}"


@each_page
def test_links_lead_somewhere(page):
    for path, anchor in links(page):
        assert path.exists(), path
        assert not anchor or anchor in anchors(path), f"{path}#{anchor}"


def test_each_page_is_two_clicks_from_the_readme():
    first = {path for path, _ in links(README) if path.suffix == ".md"}
    second = {path for page in first if page.exists() for path, _ in links(page)}
    assert {page for page in PAGES if page.parent != ROOT} - first - second == set()


SETTINGS_OF = ("tools", "sign-in", "overlays", "sources", "large-apis", "resources", "publish")
OTHER_FILES = ("disabled =", "[[question]]")


@pytest.mark.parametrize("page", SETTINGS_OF)
def test_settings_of_a_page_can_be_used(page):
    """Each block of TOML is an `mcpgen.toml` by itself."""
    blocks = [t.content for t in tokens(ROOT / "docs" / f"{page}.md") if t.info == "toml"]
    blocks = [block for block in blocks if not block.startswith(OTHER_FILES)]
    assert blocks
    for block in blocks:
        settings.parse(block, Path("mcpgen.toml"))
