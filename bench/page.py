"""The pages of servers: the first 50 tools, a search, and calls by keys.

Tools are listed in pages, as `mcpgen serve` has them.

    python -m bench.page api.github.com.json specs/bookshop.yaml specs/bodies.yaml

Prints milliseconds for each: from the address to the first 50 tools, or all, and of a search; and
for three widths what comes of calling a tool by keys alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import browser
from runtime.serving import process

from mcpgen import servers

PAGES = ("--page-size", "100")
_COUNTED = """(async () => {
  const {body} = document;
  while (!body.dataset.loaded && document.querySelectorAll('.tool').length < 50)
    await new Promise(requestAnimationFrame);
  return performance.now();
})()"""
_SEARCHED = """(async () => {
  const query = document.getElementById('query');
  const began = performance.now();
  query.value = 'list create';
  query.dispatchEvent(new Event('input'));
  document.body.offsetHeight;
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
})()"""
_EMPTY = """(() => {
  const {activeElement: field} = document;
  return field.value === '' && Boolean(field.closest('.field')?.querySelector('.must'));
})()"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", nargs="+")
    for document in parser.parse_args().documents:
        with tempfile.TemporaryDirectory() as scratch:
            _measure(document, Path(scratch))


def _measure(document: str, scratch: Path) -> None:
    """Measure the page of a document's server."""
    folder = scratch / "server"
    asked = {"source": document, "reader": "openapi", "page": True}
    result = servers.generate_to_try(folder, asked, servers.silent)
    assert result.totals, (result.errors, result.diagnostics)
    package = next(folder.glob("*_mcp")).name
    with (
        process(folder, package, "--http", "127.0.0.1:0", "--mock", *PAGES) as server,
        browser.opened(scratch / "profile") as page,
    ):
        page.show(server.url)
        print(
            f"{package}, {result.totals[0]} tools: first 50 after {_value(page, _COUNTED):.0f} ms"
        )
        page.until("document.body.dataset.loaded")
        print(f"  search {_value(page, _SEARCHED):.0f} ms")
        for width in (360, 800, 1400):
            print(f"  {width} px by keys: {_called(page, server.url, width)}")


def _value(page: browser.Page, expression: str) -> float:
    done = page.call(
        "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
    )
    return float(done["result"]["value"])


def _called(page: browser.Page, url: str, width: int) -> str:
    """What comes of calling the first tool of the list, without a pointer."""
    sizes = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", **sizes)
    page.show(url)
    page.until("document.body.dataset.loaded")
    page.press("/", "ArrowDown", "Enter")
    page.until("document.getElementById('call')")
    _press(page, "id", "call")
    page.until("document.querySelector('[data-outcome], #ask[open]')")
    asks = page.run("document.getElementById('ask').open")
    if asks:
        _press(page, "value", "yes")
        page.until("document.querySelector('[data-outcome]')")
    outcome = str(page.run("document.querySelector('#result h3').textContent"))
    return f"{outcome}, after a question" if asks else outcome


def _press(page: browser.Page, name: str, value: str) -> None:
    """Go by Tab to the button with a property of this value, and press it.

    What is required and empty on the way gets a 1.
    """
    for _ in range(200):
        page.press("Tab")
        if page.run(_EMPTY):
            page.press("1")
        if page.run(f"document.activeElement.{name}") == value:
            break
    page.press("Enter")


if __name__ == "__main__":
    main()
