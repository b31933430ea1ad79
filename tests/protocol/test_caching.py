"""For how long a current client may keep an answer, and who else may have it."""

from collections.abc import Iterator
from typing import Any

import pytest
from end_to_end.servers import Server
from runtime.serving import in_thread

from .wire import Http, call, request

LISTS = ("tools", "resources", "prompts")


@pytest.fixture(scope="module")
def in_pages(server: Server) -> Iterator[str]:
    """Where a server is that lists two at a time."""
    settings = server.module("_runtime").Settings(page_size=2)
    with in_thread(server.module("server").create_app(settings)) as found:
        yield found


@pytest.fixture(scope="module")
def guarded(server: Server) -> Iterator[str]:
    """Where a server is that wants a token."""
    settings = server.module("_runtime").HttpSettings(http_token="sesame")
    with in_thread(server.module("server").create_app(settings)) as found:
        yield found


@pytest.mark.parametrize("kind", LISTS)
def test_all_pages_of_a_list_may_be_kept_alike(in_pages: str, kind: str) -> None:
    found: list[Any] = []
    pages = []
    cursor: dict[str, str] = {}
    http = Http(in_pages)
    while True:
        page = http.ask(request(f"{kind}/list", cursor))["result"]
        pages.append((page["cacheScope"], type(page["ttlMs"])))
        found += [entry["name"] for entry in page[kind]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert page["ttlMs"] >= 0
    whole = Http(in_pages).ask(request(f"{kind}/list"))["result"]
    assert len(pages) > 1
    assert set(pages) == {("public", int)}
    assert len(set(found)) == len(found) > len(whole[kind])


@pytest.mark.parametrize(
    ("method", "params", "scope"),
    [
        ("server/discover", {}, None),
        ("resources/templates/list", {}, "public"),
        ("resources/read", {"uri": "test://static-text"}, "public"),
        ("resources/read", {"uri": "test://template/1/data"}, "private"),
    ],
)
def test_what_was_made_for_a_caller_is_that_callers(
    base: str, method: str, params: dict[str, str], scope: str | None
) -> None:
    result = Http(base).ask(request(method, params))["result"]
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] == scope or (scope is None and result["cacheScope"])
    if scope == "private":
        assert result["ttlMs"] == 0


@pytest.mark.parametrize(
    ("method", "params"),
    [*((f"{kind}/list", {}) for kind in LISTS), ("resources/read", {"uri": "test://static-text"})],
)
def test_what_is_behind_a_token_is_not_kept_for_others(
    guarded: str, method: str, params: dict[str, str]
) -> None:
    """A shared cache must not show those without the token what is the same for all with it."""
    http = Http(guarded, authorization="Bearer sesame")
    result = http.ask(request(method, params))["result"]
    assert result["cacheScope"] == "private"
    assert result["ttlMs"] > 0


def test_a_question_is_nothing_to_keep(base: str) -> None:
    asked = call("test_streaming_elicitation", capabilities={"elicitation": {"form": {}}})
    result = Http(base).ask(asked)["result"]
    assert result["resultType"] == "input_required"
    assert not {"ttlMs", "cacheScope"} & result.keys()
