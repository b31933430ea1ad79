"""The page that asks a person, in a real browser: its cookies, its policy and its redirects."""

from queue import Queue

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


class Back:
    """Where a client takes what comes back; `answers` are the queries."""

    def __init__(self) -> None:
        self.url = ""
        self.answers: Queue[dict[str, str]] = Queue()
        self.app = Starlette(routes=[Route("/callback", self._take)])

    async def _take(self, request: Request) -> Response:
        self.answers.put(dict(request.query_params))
        return PlainTextResponse("took it")


@pytest.fixture
def back():
    made = Back()
    with in_thread(made.app) as base:
        made.url = f"{base}/callback"
        yield made


def test_a_person_allows_a_client(url, back, tmp_path):
    hand = Hand(url, redirect=back.url)
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
        query = back.answers.get(timeout=30)
    assert query["iss"] == url
    tokens = hand.token(code=query["code"]).json()
    assert call(url, "getPet", tokens["access_token"]).status_code == 200


def test_a_person_cancels(url, back, tmp_path):
    hand = Hand(url, redirect=back.url)
    hand.register()
    with browser.opened(tmp_path / "profile") as page:
        page.show(hand.address())
        page.run("document.querySelector('button:not(.go)').click()")
        assert back.answers.get(timeout=30)["error"] == "access_denied"
