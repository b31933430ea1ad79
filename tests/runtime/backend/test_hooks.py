"""Hooks around a call to the API: what they may change, and what they answer for."""

from types import SimpleNamespace

import httpx2
import pytest
from tables import table

from mcpgen.runtime import Api, ApiKey, ServerUrl, ToolError

from ..support import HOME, client


async def test_hooks_run_around_a_call_and_may_change_it():
    order = []

    async def authenticate(request):
        order.append("authenticate")
        request.headers["X-Signature"] = "s"

    def before_request(request):
        order.append("before")
        request.url = request.url.copy_merge_params({"added": "1"})

    async def after_response(response):
        order.append(f"after {response.data}")

    requests = []

    def answer(request):
        requests.append(request)
        return httpx2.Response(200, json={"a": 1})

    hooks = SimpleNamespace(
        authenticate=authenticate, before_request=before_request, after_response=after_response
    )
    key = ApiKey("X-Key", location="header", env="SHOP_KEY")
    api = Api("SHOP", [ServerUrl(HOME)], {"key": key}, [{"key": []}, {}])
    await client(answer, api=api, hooks=hooks).send("GET", "/x")
    assert order == ["authenticate", "before", "after {'a': 1}"]
    assert requests[0].headers["x-signature"] == "s"
    assert str(requests[0].url) == f"{HOME}/x?added=1"
    assert "target" not in requests[0].extensions


@table("own, host", ("", "eu.api.example:8443"), ("virtual.example", "virtual.example"))
async def test_a_hook_that_sends_to_another_host_names_it(own, host):
    requests = []

    def before_request(request):
        request.url = request.url.copy_with(host="eu.api.example", port=8443)
        if own:
            request.headers["Host"] = own

    def answer(request):
        requests.append(request)
        return httpx2.Response(200, json={})

    hooks = SimpleNamespace(before_request=before_request)
    await client(answer, hooks=hooks).send("GET", "/x")
    assert requests[0].headers.get_list("host") == [host]


async def test_hooks_that_sign_or_add_credentials():
    def before_request(request):
        request.headers["Authorization"] = "Bearer of-the-vault"
        request.headers["X-Trace"] = "trace-of-this"

    def answer(request):
        told = f"{request.headers['Authorization']} is over; {request.headers['X-Trace']}"
        return httpx2.Response(401, text=told)

    hooks = SimpleNamespace(before_request=before_request)
    with pytest.raises(ToolError) as caught:
        await client(answer, hooks=hooks).send("GET", "/x")
    assert "It says: [credential] is over; trace-of-this" in caught.value.message
    assert "the credentials of this server do not allow it" in caught.value.message

    def before_request(_):
        raise TimeoutError("of the vault")

    hooks = SimpleNamespace(before_request=before_request)
    answering = client(lambda _: httpx2.Response(200), hooks=hooks)
    with pytest.raises(TimeoutError, match="of the vault"):
        await answering.send("GET", "/x")
    key = ApiKey("X-Key", location="header", env="SHOP_KEY_THAT_IS_NOT_SET")
    api = Api("SHOP", [ServerUrl(HOME)], {"key": key}, [{"key": []}])
    hooks = SimpleNamespace(authenticate=lambda _: True)
    answering = client(lambda _: httpx2.Response(200, json=1), api=api, hooks=hooks)
    assert (await answering.send("GET", "/x")).data == 1
    with pytest.raises(ToolError, match="SHOP_KEY_THAT_IS_NOT_SET"):
        await client(lambda _: httpx2.Response(200), api=api).send("GET", "/x")
    seen = []

    def answer(request):
        seen.append(request.headers.get("x-key"))
        return httpx2.Response(200, json=1)

    def authenticate(request):
        request.headers["X-Key"] = "k"
        return True

    hooks = SimpleNamespace(authenticate=authenticate)
    silent = client(answer, api=Api("SHOP", [ServerUrl(HOME)]), hooks=hooks)
    await silent.send("GET", "/x")
    await silent.send("GET", "/x", security=[])
    await silent.send("GET", "/x", security=[{}])
    await silent.send("GET", "/x", servers=[ServerUrl("https://other.example")])
    schemes = {"key": ApiKey("X-Other", location="header", env="SHOP_KEY")}
    await client(answer, api=Api("SHOP", [ServerUrl(HOME)], schemes), hooks=hooks).send("GET", "/x")
    assert seen == ["k", None, "k", None, None]
