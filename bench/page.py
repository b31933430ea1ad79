"""The page of a server with very many tools: the first 50, a search, and a call by keys.

Its tools are listed in pages, as `mcpgen serve` has them.

    python -m bench.page api.github.com.json

Prints milliseconds: from the address to 50 tools, of a search, and for three widths whether a tool
is called by keys alone.
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
from mcpgen.regeneration.outcome import Policy

PAGES = ("--page-size", "100")
_COUNTED = """(async () => {
  while (document.querySelectorAll('.tool').length < 50) await new Promise(requestAnimationFrame);
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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document")
    document = parser.parse_args().document
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "server"
        asked = {"source": document, "reader": "openapi", "page": True}
        result = servers.generate_into(folder, asked, Policy(), servers.silent)
        package = next(folder.glob("*_mcp")).name
        with (
            process(folder, package, "--http", "127.0.0.1:0", "--mock", *PAGES) as server,
            browser.opened(Path(scratch) / "profile") as page,
        ):
            page.show(server.url)
            print(f"{result.totals}: first 50 after {_value(page, _COUNTED):.0f} ms")
            page.until("document.body.dataset.loaded")
            print(f"search {_value(page, _SEARCHED):.0f} ms")
            for width in (360, 800, 1400):
                print(f"{width} px by keys: {_called(page, server.url, width)}")


def _value(page: browser.Page, expression: str) -> float:
    done = page.call(
        "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
    )
    return float(done["result"]["value"])


def _called(page: browser.Page, url: str, width: int) -> str:
    """What comes of calling the first reading tool that a search lists, without a pointer."""
    sizes = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", **sizes)
    page.show(url)
    page.until("document.body.dataset.loaded")
    page.press("/", *"list", "ArrowDown", "Enter")
    page.until("document.getElementById('call')")
    for _ in range(200):
        page.press("Tab")
        if page.run("document.activeElement.id") == "call":
            break
    page.press("Enter")
    page.until("document.querySelector('[data-outcome], #ask[open]')")
    return str(page.run("document.querySelector('#result h3')?.textContent ?? 'asks'"))


if __name__ == "__main__":
    main()
