"""The page that asks a person, in a real browser: its cookies, its policy and its redirects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import browser
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ...gated import call
from ...serving import in_thread
from .signing import Hand

pytestmark = browser.needed


@pytest.fixture
def client_app() -> Iterator[str]:
    """Where a client takes its codes."""

    async def took(request: Request) -> Response:
        return PlainTextResponse("took it")

    with in_thread(Starlette(routes=[Route("/callback", took)])) as base:
        yield f"{base}/callback"


def test_a_person_allows_a_client(url: str, client_app: str, tmp_path: Path) -> None:
    hand = Hand(url, redirect=client_app)
    hand.register()
    with browser.opened(tmp_path / "profile") as page:
        page.show(hand.address())
        text = page.run("document.body.innerText")
        assert "by hand" in text
        assert "a program on this computer" in text
        assert page.run("getComputedStyle(document.querySelector('.go')).color") == (
            "rgb(255, 255, 255)"
        )
        assert not page.told("Log.entryAdded")
        page.run("document.querySelector('.go').click()")
        page.until("location.pathname == '/callback'")
        query = page.run("Object.fromEntries(new URLSearchParams(location.search))")
        assert page.run("document.body.innerText") == "took it"
    assert query["iss"] == url
    tokens = hand.token(code=query["code"]).json()
    assert call(url, "getPet", tokens["access_token"]).status_code == 200


def test_a_person_cancels(url: str, client_app: str, tmp_path: Path) -> None:
    hand = Hand(url, redirect=client_app)
    hand.register()
    with browser.opened(tmp_path / "profile") as page:
        page.show(hand.address())
        page.run("document.querySelector('button:not(.go)').click()")
        page.until("location.pathname == '/callback'")
        assert "error=access_denied" in page.run("location.search")
