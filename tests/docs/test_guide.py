"""The guide of docs/update.md, followed to the letter."""

from __future__ import annotations

import re
from pathlib import Path

from git_there import needs_git
from typed_commands import follow, write_programs

ROOT = Path(__file__).parents[2]


@needs_git
def test_a_server_over_the_years(tmp_path: Path) -> None:
    write_programs(tmp_path / "bin")
    text = (ROOT / "docs" / "update.md").read_text()
    guide = re.split(r"\n##+ ", text.partition("## A server over the years")[2])[0]
    commands = "".join(re.findall(r"```console\n(.*?)```", guide, re.DOTALL))
    (tmp_path / "api.yaml").write_bytes((ROOT / "specs" / "bookshop.yaml").read_bytes())
    done = follow(f"git init -q\n{commands}", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    books = (tmp_path / "server/bookshop_mcp/handlers/books.py").read_text()
    assert "# Old books are found too." in books
    assert '"kind": kind' in books
    assert "argument-renamed `genre`" in done.stdout
    orders = (tmp_path / "server/bookshop_mcp/handlers/orders.py").read_text()
    assert "Reserve books: POST" in orders
    assert "docstring was changed on both sides" in done.stdout
    assert done.stdout.rstrip().endswith("server: up to date")


def test_the_handler_that_is_shown_is_that_of_the_bookshop() -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    handlers = ROOT / "generated_examples" / "bookshop" / "bookshop_mcp" / "handlers"
    assert shown in (handlers / "orders.py").read_text()
