"""A headless Chromium over a pipe: what a page does, and what it asks the network for.

The protocol is that of the DevTools: JSON messages that end in a null byte, written to the
browser's descriptor 3 and read from its descriptor 4.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
needed = pytest.mark.skipif(
    PROGRAM is None, reason="needs Chromium: apt-get install chromium, with no further package"
)

_KEYS: dict[str, dict[str, Any]] = {
    "Tab": {"key": "Tab", "windowsVirtualKeyCode": 9},
    "Enter": {"key": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"},
    "ArrowDown": {"key": "ArrowDown", "windowsVirtualKeyCode": 40},
    "Escape": {"key": "Escape", "windowsVirtualKeyCode": 27},
    "Space": {"key": " ", "windowsVirtualKeyCode": 32, "text": " "},
}
"""Keys for which a browser wants more than their name."""


class Page:
    """One open page."""

    def __init__(self, requests: int, answers: int) -> None:
        self._out, self._in = os.fdopen(requests, "wb", 0), os.fdopen(answers, "rb")
        self._count = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def open(self) -> None:
        """Open a page with nothing in it, of which all events are kept."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def show(self, place: Path | str) -> None:
        """Show a file, or what is at a URL, and wait until it is loaded.

        What was told of the page before is forgotten.
        """
        self.events.clear()
        self.call("Page.navigate", url=place if isinstance(place, str) else place.as_uri())
        while not self.told("Page.loadEventFired"):
            self._read()

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._count:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until a JavaScript condition holds in the page."""
        done = self.call(
            "Runtime.evaluate", awaitPromise=True, returnByValue=True,
            expression=f"(async () => {{ for (let n = 0; n < 500 && !({condition}); n++) "
            f"await new Promise(done => setTimeout(done, 20)); return Boolean({condition}); }})()",
        )  # fmt: skip
        assert done["result"].get("value"), (condition, self.told("Runtime.exceptionThrown"))

    def press(self, *keys: str) -> None:
        """Press keys, by their names or as text."""
        for key in keys:
            named = _KEYS.get(key, {"key": key} if len(key) > 1 else {"key": key, "text": key})
            self.call("Input.dispatchKeyEvent", type="keyDown", **named)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def choose(self, selector: str, *files: Path) -> None:
        """Choose files in a field."""
        expression = f"document.querySelector({json.dumps(selector)})"
        field = self.call("Runtime.evaluate", expression=expression)["result"]["objectId"]
        self.call("DOM.setFileInputFiles", files=[*map(str, files)], objectId=field)

    def told(self, method: str) -> list[dict[str, Any]]:
        """The events of a name."""
        return [event["params"] for event in self.events if event["method"] == method]

    def _read(self) -> dict[str, Any]:
        data = bytearray()
        while (byte := self._in.read(1)) != b"\0":
            assert byte, "the browser ended"
            data += byte
        message: dict[str, Any] = json.loads(data)
        if "method" in message:
            self.events.append(message)
        return message

    def close(self) -> None:
        """Let go of the browser, which ends then."""
        self._out.close()
        self._in.close()


@contextmanager
def opened(profile: Path) -> Iterator[Page]:
    """A page in a browser of its own, at the size of a small laptop's window."""
    assert PROGRAM is not None
    to_browser, from_browser = os.pipe(), os.pipe()
    page = Page(to_browser[1], from_browser[0])

    def connect() -> None:
        ends = os.dup(to_browser[0]), os.dup(from_browser[1])
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    command = [
        PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--window-size=1280,800", f"--user-data-dir={profile}", "--remote-debugging-pipe",
    ]  # fmt: skip
    quiet = subprocess.DEVNULL
    browser = subprocess.Popen(
        command, stdin=quiet, stdout=quiet, stderr=quiet, close_fds=False, preexec_fn=connect
    )
    os.close(to_browser[0])
    os.close(from_browser[1])
    try:
        page.open()
        yield page
    finally:
        page.close()
        browser.terminate()
        browser.wait()
