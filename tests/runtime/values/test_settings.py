"""Settings from the environment."""

from dataclasses import fields
from typing import Any

import pytest
from tables import table

from mcpgen.runtime import (
    ChangeSettings,
    HttpSettings,
    MetricsSettings,
    SearchSettings,
    StoreSettings,
    TaskSettings,
    TokenSettings,
)
from mcpgen.runtime.values.settings import ConfigurationError, combined

PARTS = (ChangeSettings, SearchSettings, TaskSettings, HttpSettings, TokenSettings)
Every: Any = combined([*PARTS, MetricsSettings, StoreSettings])
"""The settings of a server that has every part."""

CLOSING = [
    f"SHOP_{name.upper()}"
    for name in (
        *("http_token", "http_tokens_file", "http_issuer", "http_resource", "http_audience"),
        *("http_jwks_url", "http_scopes", "http_implied_scopes", "audit", "audit_values"),
        *("metrics", "store", "tools_file", "read_only", "only_tools", "dry_run"),
        *("calls_per_minute", "calls_per_minute_in_all", "calls_per_minute_by_tool"),
        *("calls_at_once", "calls_at_once_in_all", "caller_auth", "caller_exchange"),
        *("exchange_token_url", "exchange_audience", "exchange_resource"),
    )
]
"""Variables that close, limit or watch."""


def test_every_setting_is_read_under_its_name():
    given = {
        "base_url": ("https://a.example/v1/", "https://a.example/v1"),
        "timeout": ("1.5", 1.5),
        "connect_timeout": ("2", 2.0),
        "read_timeout": ("3", 3.0),
        "max_response_bytes": ("1_000", 1000),
        "max_values": ("21", 21),
        "max_result_bytes": ("10", 10),
        "result_tokens": ("10", 10),
        "each_timeout": ("11", 11.0),
        "max_path_value_bytes": ("11", 11),
        "max_url_bytes": ("12", 12),
        "max_header_bytes": ("13", 13),
        "max_body_bytes": ("14", 14),
        "max_file_bytes": ("15", 15),
        "max_connections": ("16", 16),
        "file_root": ("/srv/files", "/srv/files"),
        "extra_headers": ("X-A: 1\nX-B: b: c", (("X-A", "1"), ("X-B", "b: c"))),
        "allow_hosts": ("A.example, b.example:1", ("a.example", "b.example:1")),
        "ca_bundle": ("/ca.pem", "/ca.pem"),
        "proxy": ("http://p.example:3128", "http://p.example:3128"),
        "log_level": ("debug", "DEBUG"),
        "log_format": ("JSON", "json"),
        "result_text": ("summary", "summary"),
        "surface": ("search", "search"),
        "read_only": ("yes", True),
        "only_tools": ("orders, !delete*", ("orders", "!delete*")),
        "dry_run": ("Writes", "writes"),
        "ignored_arguments": ("toolCallId, sessionId", ("toolCallId", "sessionId")),
        "page_size": ("50", 50),
        "tools_file": ("/etc/tools.toml", "/etc/tools.toml"),
        "state_keys": (f"{'a' * 32}, {'b' * 32}", ("a" * 32, "b" * 32)),
        "task_ttl": ("60", 60.0),
        "max_tasks": ("18", 18),
        "retries": ("0", 0),
        "retry_wait": ("2.5", 2.5),
        "caller_auth": ("key: X-Shop-Key", (("key", "X-Shop-Key"),)),
        "caller_exchange": ("pets: Authorization", (("pets", "Authorization"),)),
        "exchange_token_url": ("https://login.example/t", "https://login.example/t"),
        "exchange_audience": ("pets-api", "pets-api"),
        "exchange_resource": ("https://api.example", "https://api.example"),
        "public_hosts": ("Shop.example, b.example:1", ("shop.example", "b.example:1")),
        "allow_origins": ("https://App.example/", ("https://app.example",)),
        "max_request_bytes": ("17", 17),
        "request_timeout": ("8", 8.0),
        "shutdown_timeout": ("9", 9.0),
        "http_path": ("/shop/mcp/", "/shop/mcp"),
        "http_stateless": ("true", True),
        "http_session_timeout": ("0", 0.0),
        "http_max_sessions": ("19", 19),
        "http_json": ("true", True),
        "http_token": ("a-token-for-everybody", "a-token-for-everybody"),
        "http_tokens_file": ("/run/tokens", "/run/tokens"),
        "metrics": ("9100", "9100"),
        "store": ("rediss://:pw@cache.example:6380/1", "rediss://:pw@cache.example:6380/1"),
        "store_failure": ("Open", "open"),
        "http_issuer": ("https://login.example", "https://login.example"),
        "http_resource": ("https://shop.example/mcp", "https://shop.example/mcp"),
        "http_audience": ("shop", "shop"),
        "http_jwks_url": ("https://login.example/keys", "https://login.example/keys"),
        "http_scopes": ("a  b:c", ("a", "b:c")),
        "http_implied_scopes": ("a: b c\nd: a", (("a", "b"), ("a", "c"), ("d", "a"))),
        "http_anonymous": ("true", True),
        "calls_per_minute": ("60", 60),
        "calls_per_minute_in_all": ("61", 61),
        "calls_per_minute_by_tool": ("get:all: 64, *:65", (("get:all", 64), ("*", 65))),
        "calls_at_once": ("62", 62),
        "calls_at_once_in_all": ("63", 63),
        "audit": ("stderr", "stderr"),
        "audit_values": ("yes", True),
        "trace_upstream": ("1", True),
    }
    assert {entry.name for entry in fields(Every)} == set(given)
    environ = {f"SHOP_{name.upper()}": text for name, (text, _) in given.items()}
    found = Every.from_env("SHOP", environ)
    assert {name: getattr(found, name) for name in given} == {
        name: value for name, (_, value) in given.items()
    }
    assert found.limits.path_value == 11
    assert Every.from_env("OTHER", environ) == Every()


def test_what_is_empty_or_tunes_alone_counts_as_unset():
    environ = {f"SHOP_{entry.name.upper()}": "  " for entry in fields(Every)}
    defaults = Every(timeout=5.0, page_size=7)
    assert Every.from_env("SHOP", environ, defaults) == defaults
    environ = {f"SHOP_{entry.name.upper()}": " ${user_config.x}\n" for entry in fields(Every)}
    tuning = {name: text for name, text in environ.items() if name not in CLOSING}
    defaults = Every(timeout=5.0, page_size=7, http_anonymous=False)
    assert Every.from_env("SHOP", tuning, defaults) == defaults


@pytest.mark.parametrize("name", CLOSING)
@pytest.mark.parametrize("end", ["", "_FILE"])
def test_a_placeholder_turns_off_nothing_that_closes_limits_or_watches(name, end):
    with pytest.raises(ConfigurationError, match=rf"{name}{end} holds `\$\{{...\}}`") as refused:
        Every.from_env("SHOP", {f"{name}{end}": "${env:SECRET}"})
    assert "SECRET" not in str(refused.value)


@pytest.mark.parametrize("char", [*'"!#$@:%&*(),;<>?[]\\^`{|}', "x=x", "=x"])
def test_a_token_that_no_authorization_header_carries_is_refused(char):
    with pytest.raises(ConfigurationError, match="SHOP_HTTP_TOKEN must be at least 16 letters"):
        Every.from_env("SHOP", {"SHOP_HTTP_TOKEN": f"S3cure{char}Token2026abcd"})
    good = "S3cure-Token._~+/2026abcd=="
    assert Every.from_env("SHOP", {"SHOP_HTTP_TOKEN": good}).http_token == good


@table(
    "name, value",
    ("BASE_URL", "secret.example"),
    ("BASE_URL", "ftp://secret.example"),
    ("BASE_URL", "https://me:secret@a.example"),
    ("BASE_URL", "https://a.example/?key=secret"),
    ("BASE_URL", "https://a.example/#secret"),
    ("BASE_URL", "https://a.example:99999/secret"),
    ("BASE_URL", "https://[secret"),
    ("BASE_URL", "https://a.example/se cret"),
    ("BASE_URL", "https://a.example/secret\udce9"),
    ("BASE_URL", "http://192.168.1.256/secret"),
    ("BASE_URL", "http://[fe80:secret]"),
    ("PROXY", "me:secret@a.example:3128"),
    ("PROXY", "ftp://me:secret@a.example"),
    ("PROXY", "http://me:secret@a.example:99999"),
    ("PROXY", "http://me:secret@a. example:3128"),
    ("PROXY", "http://me:secret@10.0.0.256:3128"),
    ("PROXY", "http://me:sec\x7fret@a.example:3128"),
    ("STATE_KEYS", "secret"),
    ("TIMEOUT", "secret"),
    ("TIMEOUT", "-1"),
    ("TIMEOUT", "nan"),
    ("TIMEOUT", "inf"),
    ("PAGE_SIZE", "0"),
    ("PAGE_SIZE", "1.5"),
    ("MAX_RESULT_BYTES", "9" * 5000),
    ("EXTRA_HEADERS", "secret"),
    ("EXTRA_HEADERS", "X secret: 1"),
    ("EXTRA_HEADERS", '{"X-A": 1, "b": "secret"'),
    ("EXTRA_HEADERS", '{"X-A": ["secret"]}'),
    ("EXTRA_HEADERS", '{"X-A": "secret\\r\\nX-B: 1"}'),
    ("EXTRA_HEADERS", "Content-Length: 3"),
    ("ALLOW_HOSTS", "https://secret.example"),
    ("PUBLIC_HOSTS", "a.example secret.example"),
    ("PUBLIC_HOSTS", "*.secret.example"),
    ("PUBLIC_HOSTS", "a.example:secret"),
    ("PUBLIC_HOSTS", "a.example?secret"),
    ("PUBLIC_HOSTS", "::5ec:secret"),
    *[("ALLOW_ORIGINS", f"https://{each}") for each in ("secret/x", "[secret", "a:secret")],
    *[("ALLOW_ORIGINS", each) for each in ("https://a\u2100secret", "secret", "ftp://secret")],
    ("PROXY", "secret:3128"),
    ("CALLS_PER_MINUTE_BY_TOOL", "secret"),
    ("CALLS_PER_MINUTE_BY_TOOL", "secret: 0"),
    ("CALLS_PER_MINUTE_BY_TOOL", "secret: 2,"),
    ("CALLS_PER_MINUTE_BY_TOOL", ": 2"),
    ("LOG_LEVEL", "secret"),
    *[("HTTP_SCOPES", each) for each in ('pets "secret"', "secret\\", "secr\u00e9t")],
)
def test_a_value_that_cannot_be_used_is_named_and_not_shown(name, value):
    with pytest.raises(ConfigurationError, match=f"^SHOP_{name} must") as refused:
        Every.from_env("SHOP", {f"SHOP_{name}": value})
    assert "secret" not in str(refused.value)
    assert refused.value.__context__ is None


@table(
    "name, value, said",
    ("RETRIES", "2.5", "must be a whole number of at most 15 digits, 0 or more"),
    ("RETRIES", "-1", "must be a whole number of at most 15 digits, 0 or more"),
    ("PAGE_SIZE", "0", "must be a whole number of at most 15 digits, 1 or more"),
    ("PAGE_SIZE", "9" * 16, "must be a whole number of at most 15 digits, 1 or more"),
    ("TIMEOUT", "soon", "must be a number of seconds above 0 and below 1e9"),
    ("TIMEOUT", "1e9", "must be a number of seconds above 0 and below 1e9"),
)
def test_what_is_said_of_a_number_holds_for_every_number(name, value, said):
    with pytest.raises(ConfigurationError, match=f"^SHOP_{name} {said}$"):
        Every.from_env("SHOP", {f"SHOP_{name}": value})


@table("host", "a.example", "a_b.example:81", "bücher.example", "[::1]", "[::1]:8000")
def test_hosts(host):
    """An IPv6 address is in brackets, as in the Host header that it is compared with."""
    assert Every.from_env("SHOP", {"SHOP_PUBLIC_HOSTS": host}).public_hosts == (host,)


def test_origins_are_as_browsers_send_them_and_secrets_do_not_show():
    given = "HTTPS://a.example:443/, http://b.example:80,https://c.example:80, https://[::1]:8443"
    found = Every.from_env("SHOP", {"SHOP_ALLOW_ORIGINS": given}).allow_origins
    a, b, c = "https://a.example", "http://b.example", "https://c.example:80"
    assert found == (a, b, c, "https://[::1]:8443")
    found = Every(extra_headers=(("X-Key", "secret"),), proxy="http://u:secret@p.example")
    assert "secret" not in repr(HttpSettings(http_token="secret-of-everybody"))
    assert "secret" not in repr(found)


def test_what_may_hold_a_secret_can_be_in_a_file(tmp_path):
    given = {
        "http_token": "a-token-of-everybody",
        "extra_headers": "X-A: secret",
        "proxy": "http://u:secret@p.example",
        "state_keys": "k" * 32,
        "store": "redis://:secret@cache.example",
    }
    assert set(given) == {entry.name for entry in fields(Every) if not entry.repr}
    environ = {}
    for name, text in given.items():
        (tmp_path / name).write_text(f"{text}\n")
        environ[f"SHOP_{name.upper()}_FILE"] = str(tmp_path / name)
    direct = {f"SHOP_{name.upper()}": text for name, text in given.items()}
    assert Every.from_env("SHOP", environ) == Every.from_env("SHOP", direct) != Every()
    with pytest.raises(ConfigurationError, match=r"cannot read the file .* SHOP_STATE_KEYS_FILE"):
        Every.from_env("SHOP", {"SHOP_STATE_KEYS_FILE": "/nowhere"})


@pytest.mark.parametrize("name", [entry.name for entry in fields(Every) if not entry.repr])
@pytest.mark.parametrize("content", ["", " \n"])
def test_a_secret_that_has_not_come_does_not_turn_off_what_it_is_for(tmp_path, name, content):
    (tmp_path / "secret").write_text(content)
    variable = f"SHOP_{name.upper()}"
    environ = {variable: "", f"{variable}_FILE": str(tmp_path / "secret")}
    with pytest.raises(ConfigurationError, match=f"^{variable} .*{variable}_FILE is empty$"):
        Every.from_env("SHOP", environ)
    assert Every.from_env("SHOP", {variable: "", f"{variable}_FILE": ""}) == Every()
