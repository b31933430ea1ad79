"""A server does not start with credentials, URLs or files that cannot be used, and says which."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from tables import listed, table

from mcpgen.runtime import (
    Api,
    ApiKey,
    App,
    Basic,
    Bearer,
    MutualTls,
    OpenIdConnect,
    ServerInfo,
    ServerUrl,
    Variable,
    http,
)

API = Api(
    "P",
    servers=[ServerUrl("https://{region}.example", {"region": Variable("eu", env="P_REGION")})],
    security_schemes={
        "key": ApiKey("X-Key", env="P_KEY"),
        "query": ApiKey("key", location="query", env="P_QUERY_KEY"),
        "basic": Basic("P_USERNAME", "P_PASSWORD"),
        "bearer": Bearer("P_TOKEN"),
        "sso": OpenIdConnect("P_SSO_TOKEN", "P_SSO_REFRESH_TOKEN"),
        "tls": MutualTls("P_CERT", "P_CERT_KEY"),
    },
)
APP = App(package="mcpgen", info=ServerInfo("p"), api=API, handlers={}, parts=[http])
HTTP = ["--http", "127.0.0.1:0"]
CHECK = ["--check"]
Start = Callable[..., tuple[int, str, str]]


@pytest.fixture
def start(monkeypatch, capsys):
    """Start a server in an environment: its exit code, and what it says on both streams."""

    def begin(arguments: list[str], app: App = APP, **environ: str) -> tuple[int, str, str]:
        monkeypatch.setattr("os.environ", environ)
        return (app.main(arguments), *capsys.readouterr())

    return begin


@table(
    "variable, value, said",
    ("P_KEY", "sentinel\nX-Other: 1", "P_KEY holds characters"),
    ("P_TOKEN", "sentinel-ü", "P_TOKEN holds characters"),
    ("P_SSO_TOKEN", "sentinel\0", "P_SSO_TOKEN holds characters"),
    ("P_REGION", "sentinel@evil", "P_REGION"),
    ("P_REGION", "sentinel:99999", "with P_REGION, the URL of the API must be an absolute"),
    ("P_BASE_URL", "https://u:sentinel@api.example", "P_BASE_URL must not hold a user name"),
    ("P_TIMEOUT", "sentinel", "P_TIMEOUT must be a number"),
    ("P_CALLER_AUTH", "sentinel: X", "P_CALLER_AUTH names no scheme of the API"),
    ("P_CALLER_AUTH", "sentinel", "P_CALLER_AUTH must name a header for each scheme"),
)
def test_a_variable_that_cannot_be_used(start, variable, value, said):
    for arguments in ([], HTTP, CHECK):
        code, _, told = start(arguments, **{variable: value})
        assert code == 2, arguments
        assert said in told
        assert "sentinel" not in told


UNSET = "counts as unset: it holds `${...}`, which was not replaced"
ODD = {
    "${user_config.key}": UNSET,
    "${env:KEY}": UNSET,
    "{{KEY}}": "placeholder included",
    "%KEY%": "placeholder included",
    "$KEY": "placeholder included",
    "<your-api-key>": "placeholder included",
    '"abc"': "quotes included",
    "'abc'": "quotes included",
    "authorization: Bearer abc": "header included",
}


@pytest.mark.parametrize("variable", ["P_KEY", "P_QUERY_KEY", "P_PASSWORD", "P_TOKEN", "P_CERT"])
@pytest.mark.parametrize("value", ODD)
def test_a_credential_that_is_none_is_told(start, variable, value):
    said = f"{variable} {'' if ODD[value] is UNSET else 'is used exactly as set, '}{ODD[value]}"
    _, lines, told = start(CHECK, **{variable: value, "P_REGION": "eu"})
    if variable != "P_CERT" or ODD[value] is UNSET:  # else there is no such file
        assert said in lines.splitlines()
        assert value not in lines
    else:
        assert variable in told


@pytest.mark.parametrize("value", ["abc", "a$b", "$2y$10$N9qo8u", "Token abc", "{a}"])
def test_nothing_is_told_of_a_credential_that_may_be_one(start, value):
    _, lines, _ = start(CHECK, P_KEY=value, P_TOKEN=value)
    assert "P_KEY" not in lines
    assert "P_TOKEN" not in lines


@pytest.mark.parametrize("value", ["Bearer Bearer abc", "Token Bearer abc"])
def test_two_schemes_before_a_token_are_told(start, value, tmp_path):
    (tmp_path / "token").write_text(value)
    for environ in ({"P_TOKEN": value}, {"P_TOKEN_FILE": str(tmp_path / "token")}):
        _, lines, _ = start(CHECK, **environ)
        assert "P_TOKEN is used exactly as set, schemes included" in lines.splitlines()


@pytest.mark.parametrize("variable", ["P_TIMEOUT", "P_BASE_URL", "P_REGION", "P_CA_BUNDLE"])
def test_a_placeholder_for_what_only_tunes_counts_as_unset(start, variable):
    code, lines, told = start(CHECK, **{variable: "${X}"})
    assert (code, told) == (0, "")
    assert f"{variable} {UNSET}" in lines.splitlines()


@pytest.mark.parametrize("variable", ["P_HTTP_TOKEN", "P_CALLS_PER_MINUTE", "P_AUDIT"])
def test_a_placeholder_for_what_closes_stops_the_start(start, variable):
    for arguments in ([], HTTP, CHECK):
        code, _, told = start(arguments, **{variable: "${X}"})
        assert code == 2
        assert f"{variable} holds `${{...}}`" in told


@table(
    "variable, content, said",
    ("P_TOKEN_FILE", None, "cannot read the file set in its environment variable P_TOKEN_FILE"),
    ("P_TOKEN_FILE", "sentinel\nsecond line", "P_TOKEN holds characters"),
    ("P_SSO_REFRESH_TOKEN_FILE", None, "environment variable P_SSO_REFRESH_TOKEN_FILE"),
    ("P_CERT", None, "P_CERT: this must be a readable certificate"),
    ("P_CERT", "sentinel", "P_CERT: this must be a readable certificate"),
    ("P_CA_BUNDLE", "sentinel", "P_CA_BUNDLE does not name a readable file"),
    ("SSL_CERT_FILE", None, "SSL_CERT_FILE does not name a readable file"),
    ("P_FILE_ROOT", "sentinel", "P_FILE_ROOT does not name a folder"),
)
def test_a_file_that_cannot_be_used_stops_a_server_over_http(
    start, tmp_path, variable, content, said
):
    path = tmp_path / "sentinel-file"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    for arguments in (HTTP, CHECK):
        code, _, told = start(arguments, **{variable: str(path)})
        assert code == 2, arguments
        assert said in told
        assert "sentinel" not in told


def test_what_can_be_used_is_and_urls_may_come_from_settings(tmp_path):
    values = {
        "P_KEY": " key ",
        "P_QUERY_KEY": "ü",
        "P_USERNAME": "ü",
        "P_PASSWORD": "ü",
        "P_REGION": "us",
        "P_SSO_REFRESH_TOKEN": "rt",
        "P_CERT": str(tmp_path),
    }
    assert APP.settings(values).base_url is None


def test_an_api_whose_document_names_no_server_can_be_used():
    app = App(package="mcpgen", info=ServerInfo("p"), api=Api("P"), handlers={}, parts=[http])
    for url in (None, "https://api.example"):
        assert app.settings({"P_BASE_URL": url or ""}).base_url == url


def test_a_token_for_the_server_is_not_handed_to_the_api(start):
    """MCP, Authorization: a server must not pass through the token of its client."""
    environ = {"P_CALLER_AUTH": "bearer: authorization", "P_HTTP_TOKEN": "0123456789abcdef" * 4}
    code, _, told = start(CHECK, **environ)
    assert code == 2
    assert "P_CALLER_AUTH would send callers' tokens for this server" in told


def test_check_names_what_may_have_been_forgotten(start, tmp_path):
    (tmp_path / "key").write_text("sentinel")
    environ = {"P_KEY_FILE": str(tmp_path / "key"), "P_USERNAME": "ann"}
    code, told, problems = start(CHECK, **environ, P_CALLER_AUTH="bearer: X-Token")
    assert (code, problems) == (0, "")
    assert told.splitlines() == [
        "query has no credential: P_QUERY_KEY",
        "bearer has no credential: P_TOKEN (over HTTP, callers bring it)",
        "sso has no credential: P_SSO_TOKEN",
        "tls has no credential: P_CERT",
        "the settings can be used",
    ]
    code, told, _ = start([*CHECK, *HTTP], **environ, P_CALLER_AUTH="bearer: X-Token")
    assert (code, "P_TOKEN" in told) == (0, False)


@listed("variable, told", __file__, "check tells which credentials stand for others")
def test_check_tells_which_credentials_stand_for_others(start, variable, told):
    asked = [{}, {"bearer": [], "tls": []}, {"query": [], "tls": []}, {"key": []}]
    schemes = {name: API.security_schemes[name] for name in ("key", "query", "bearer", "tls")}
    api = replace(API, security_schemes=schemes, security=asked)
    app = App(package="mcpgen", info=ServerInfo("p"), api=api, handlers={}, parts=[http])
    code, said, _ = start(CHECK, app, **{variable: "k"})
    assert (code, said.splitlines()[:-1]) == (0, told)


def test_check_names_everything_that_cannot_be_used(start):
    environ = {"P_TIMEOUT": "soon", "P_RETRIES": "-1", "P_HTTP_TOKEN_FILE": "/no"}
    code, said, told = start(CHECK, **environ)
    assert (code, said) == (2, "")
    assert re.findall("P_[A-Z_]+", told) == ["P_TIMEOUT", "P_RETRIES", "P_HTTP_TOKEN_FILE"]
    assert "sent" not in told


def test_check_says_where_no_host_is_known(start):
    app = App(
        package="mcpgen",
        info=ServerInfo("p"),
        api=Api("P", [ServerUrl("/v1")]),
        handlers={},
        parts=[http],
    )
    code, said, told = start(CHECK, app)
    assert (code, "can be used" in said) == (2, False)
    assert "at which host /v1 is. Set P_BASE_URL" in told
    given = [*CHECK, "--base-url", "https://api.example/v1"]
    assert start(given, app)[:2] == (0, "the settings can be used\n")


def test_a_file_that_cannot_be_read_is_told_alike_with_an_audit_log(start):
    for arguments in (CHECK, HTTP):
        code, _, told = start(arguments, P_KEY_FILE="/nowhere/sentinel", P_AUDIT="stderr")
        assert (code, "environment variable P_KEY_FILE." in told) == (2, True)
        assert "sentinel" not in told
    APP.create_server()  # over stdio the calls that need it tell it


@pytest.mark.parametrize("arguments", [HTTP, CHECK])
def test_a_proxy_whose_package_is_not_installed_is_told(start, monkeypatch, arguments):
    monkeypatch.setitem(sys.modules, "socksio", None)
    code, _, told = start(arguments, P_PROXY="SOCKS5://ann:sentinel@proxy.example:1080")
    assert code == 2
    assert "P_PROXY is a SOCKS proxy" in told
    assert "pip install socksio" in told
    assert "sentinel" not in told


@table(
    "variable, own",
    *((name, {}) for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY")),
    ("HTTPS_PROXY", {"P_PROXY": "http://proxy.example"}),
)
def test_check_tells_of_a_proxy_that_is_not_followed(start, variable, own):
    api = Api("P", [ServerUrl("https://api.example")])
    app = App(package="mcpgen", info=ServerInfo("p"), api=api, handlers={}, parts=[http])
    told = start(CHECK, app, **{variable: "http://sentinel"}, **own)
    said = f"{variable} is set but ignored: P_PROXY sets this server's proxy\n"
    is_told = not own and variable != "HTTP_PROXY"  # that is for http URLs
    assert told[:2] == (0, (said if is_told else "") + "the settings can be used\n")
