"""Where a call goes, and where credentials may go."""

import pytest
from tables import table

from mcpgen.runtime import Api, ServerUrl, Settings, ToolError, Variable
from mcpgen.runtime.backend.signing import base_url, may_receive_credentials, own_origins
from mcpgen.runtime.values.urls import Origin, expand, join


def api(*urls: str) -> Api:
    return Api("SHOP", [ServerUrl(url) for url in urls])


@table(
    "url, origin",
    ("HTTPS://A.Example/x", ("https", "a.example", 443)),
    ("http://a.example", ("http", "a.example", 80)),
    ("http://a.example:8080/x", ("http", "a.example", 8080)),
    ("ftp://a.example", ("ftp", "a.example", 0)),
    ("/x", ("", "", 0)),
)
def test_origins(url, origin):
    assert Origin.of(url) == origin


@table(
    "known, base, own, expected",
    ("/api/v2", "https://a.example/api/v2/", "/", "https://a.example"),
    ("/api/v2", "https://a.example/gateway/api/v2", "/v3", "https://a.example/gateway/v3"),
    ("/api/v2", "https://a.example:8/elsewhere", "/v3/", "https://a.example:8/v3"),
    ("/", "https://a.example/gateway", "/v3", "https://a.example/gateway/v3"),
    (None, "https://a.example/gateway", "/v3", "https://a.example/gateway/v3"),
    ("https://b.example/v1", "https://a.example/v1", "/v3", "https://a.example/v3"),
)
def test_a_server_that_is_a_path_is_on_the_host_that_was_set(known, base, own, expected):
    shop = api(known) if known else api()
    assert base_url(shop, [ServerUrl(own)], Settings(base_url=base), {}) == expected


@pytest.mark.parametrize("known", ["/api/v2", "/", None])
def test_a_server_that_is_a_path_needs_a_host(known):
    with pytest.raises(ToolError) as refused:
        base_url(api(known) if known else api(), [ServerUrl("/v3")], Settings(), {})
    assert (known or "does not say where").rstrip("/") in refused.value.message
    assert "/v3" not in refused.value.message


@table(
    "url, advice",
    (None, "does not say where the API is. Set SHOP_BASE_URL."),
    ("/v1", "at which host /v1 is. Set SHOP_BASE_URL. Write"),
    ("/v1/", "such as https://api.example.com/v1."),
    ("//v1", "cannot be used: it must be an absolute http or https URL"),
    ("https://{x}", "has a variable {x}, which its document does not declare."),
    ("ftp://a.example", "SHOP_BASE_URL"),
    ("https://user:pw@a.example", "SHOP_BASE_URL"),
    ("https://", "SHOP_BASE_URL"),
    ("http://192.168.1.256", "SHOP_BASE_URL"),
)
def test_a_base_url_that_is_none_is_refused_with_advice(url, advice):
    with pytest.raises(ToolError) as refused:
        base_url(api(url) if url else api(), None, Settings(), {})
    assert advice in refused.value.message


@table(
    "variable, environ, host",
    (Variable("eu", env="REGION"), {}, "eu"),
    (Variable("eu", env="REGION"), {"REGION": " us "}, "us"),
    (Variable("eu", env="REGION"), {"REGION": "a!b~c"}, "a!b~c"),
    (Variable("eu", ["eu", "us"], "REGION"), {"REGION": "us"}, "us"),
    (Variable("eu"), {"": "us", "REGION": "us"}, "eu"),
    (Variable("", env="REGION"), {"REGION": ""}, ""),
)
def test_variables_are_filled_in(variable, environ, host):
    server = ServerUrl("https://{r}.example/{r}", {"r": variable})
    assert expand(server, environ) == f"https://{host}.example/{host}"


@pytest.mark.parametrize("value", [*'@?#\\"<>', " ", "\t", "\x01"])
def test_a_variable_cannot_change_where_a_url_goes(value):
    server = ServerUrl("https://{r}.example", {"r": Variable("eu", env="REGION")})
    with pytest.raises(ToolError, match="variable REGION holds characters that no URL may hold"):
        expand(server, {"REGION": f"a{value}b"})


def test_a_variable_that_must_be_set_says_which():
    server = ServerUrl("https://{r}.example", {"r": Variable(env="REGION")})
    with pytest.raises(ToolError, match=r"needs r\. Set the environment variable REGION for"):
        expand(server, {})
    server = ServerUrl("https://{r}.example", {"r": Variable("eu", ["eu", "us"], "REGION")})
    with pytest.raises(ToolError, match=r"variable REGION must be one of eu, us\."):
        expand(server, {"REGION": "as"})


def test_what_base_urls_are_made_of():
    own = [ServerUrl("https://own.example/")]
    settings = Settings(base_url="https://set.example/v1//")
    assert base_url(api("https://a.example"), own, settings, {}) == "https://set.example/v1"
    assert base_url(api("https://a.example"), own, Settings(), {}) == "https://own.example"
    assert base_url(api("https://a.example/"), None, Settings(), {}) == "https://a.example"
    version = {"v": Variable("v1", env="V")}
    shop = Api("SHOP", servers=[ServerUrl("https://a.example/{v}", version)])
    own, base = [ServerUrl("/{v}/admin", version)], "https://a.example/gateway/v2"
    assert base_url(shop, own, Settings(base_url=base), {"V": "v2"}) == f"{base}/admin"
    region = ServerUrl("https://{r}.example", {"r": Variable("eu", env="REGION")})
    environ = {"REGION": "us"}
    regional = Api("SHOP", [region])
    assert base_url(regional, None, Settings(), environ) == "https://us.example"
    assert own_origins(regional, Settings(), environ) == {Origin("https", "us.example", 443)}
    servers = api("https://a.example/v1", "/relative", "https://{x}", "http://b.example:81")
    own = {Origin("https", "a.example", 443), Origin("http", "b.example", 81)}
    assert own_origins(servers, Settings(), {}) == own
    setting = Settings(base_url="https://c.example/x")
    assert own_origins(servers, setting, {}) == {Origin("https", "c.example", 443)}


@table(
    "url, may",
    ("https://a.example", True),
    ("http://a.example", False),
    ("https://a.example:444", False),
    ("https://host.example:1", True),
    ("https://port.example:8443", True),
    ("https://port.example", False),
    ("https://b.example", False),
    ("https://[2001:DB8::1]:1", True),
    ("https://[2001:db8::2]:8443", True),
    ("https://[2001:db8::2]", False),
)
def test_credentials_go_to_own_origins_and_to_hosts_that_are_allowed(url, may):
    hosts = "Host.example, port.example:8443, [2001:DB8::1], [2001:db8::2]:8443"
    settings = Settings.from_env("P", {"P_ALLOW_HOSTS": hosts})
    own = {Origin("https", "a.example", 443)}
    assert may_receive_credentials(Origin.of(url), own, settings) is may


@table(
    "base, path, query, extra, root, target",
    ("https://a.example", "", "", (), "https://a.example", "/"),
    ("https://a.example/v1//", "/x", "", (), "https://a.example", "/v1/x"),
    ("https://a.example/v1", "x", "a=1", (), "https://a.example", "/v1/x?a=1"),
    ("https://a.example/v1", "", "", (), "https://a.example", "/v1"),
    ("http://a:81/X%2F b/X", "/x", "", (), "http://a:81", "/X%2F%20b/X/x"),
    ("https://a.example", "/x?f=1&g", "a=2", (), "https://a.example", "/x?f=1&g&a=2"),
    (
        *("https://a.example", "/x?f=1?g", "", [("k/1", "a/b c&"), ("l", "X")]),
        *("https://a.example", "/x?f=1?g&k%2F1=a%2Fb%20c%26&l=X"),
    ),
)
def test_a_path_is_appended_to_the_base(base, path, query, extra, root, target):
    assert join(base, path, query, extra) == (root, target)
