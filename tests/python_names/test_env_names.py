"""Environment variables: short, apart, and never one that is not ours."""

import re
from dataclasses import fields

import pytest
from api_building import api, decide, tool
from msgspec import structs
from tables import table

from mcpgen.api import SecurityScheme, Server, ServerVariable
from mcpgen.runtime.values.settings import Settings


@table(
    "scheme, expected",
    (SecurityScheme("api_key", "apiKey"), {"env": "PETSTORE_API_KEY"}),
    (SecurityScheme("ApiKeyAuth", "apiKey"), {"env": "PETSTORE_API_KEY"}),
    (SecurityScheme("apiKeyHeader", "apiKey"), {"env": "PETSTORE_API_KEY_HEADER"}),
    (SecurityScheme("session", "apiKey"), {"env": "PETSTORE_SESSION_KEY"}),
    (
        SecurityScheme("basicAuth", "http", scheme="basic"),
        {"username_env": "PETSTORE_USERNAME", "password_env": "PETSTORE_PASSWORD"},
    ),
    (
        SecurityScheme("admin", "http", scheme="basic"),
        {"username_env": "PETSTORE_ADMIN_USERNAME", "password_env": "PETSTORE_ADMIN_PASSWORD"},
    ),
    (SecurityScheme("bearerAuth", "http", scheme="bearer"), {"env": "PETSTORE_BEARER_TOKEN"}),
    (
        SecurityScheme("digest", "http", scheme="digest"),
        {"username_env": "PETSTORE_USERNAME", "password_env": "PETSTORE_PASSWORD"},
    ),
    (SecurityScheme("hoba", "http", scheme="hoba"), {"env": "PETSTORE_HOBA_TOKEN"}),
    (SecurityScheme("OAuth2", "oauth2"), {"env": "PETSTORE_OAUTH2_TOKEN"}),
    (SecurityScheme("petstore_auth", "oauth2"), {"env": "PETSTORE_OAUTH_TOKEN"}),
    (SecurityScheme("login", "openIdConnect"), {"env": "PETSTORE_LOGIN_TOKEN"}),
    (
        SecurityScheme("login", "openIdConnect", openid_connect_url="http://login.example/"),
        {"env": "PETSTORE_LOGIN_TOKEN"},
    ),
    (
        SecurityScheme(
            "sso",
            "openIdConnect",
            openid_connect_url="https://login.example/.well-known/openid-configuration",
        ),
        {
            "env": "PETSTORE_SSO_TOKEN",
            "refresh_token_env": "PETSTORE_SSO_REFRESH_TOKEN",
            "client_id_env": "PETSTORE_SSO_CLIENT_ID",
            "client_secret_env": "PETSTORE_SSO_CLIENT_SECRET",
        },
    ),
    (
        SecurityScheme("mtls", "mutualTLS"),
        {"cert_env": "PETSTORE_MTLS_CERT", "key_env": "PETSTORE_MTLS_KEY"},
    ),
)
def test_credentials(scheme, expected):
    assert decide(api(tool("a"), security_schemes=(scheme,))).apis[""].env == {scheme.key: expected}


def test_no_two_things_read_one_variable():
    schemes = tuple(
        SecurityScheme(key, "apiKey") for key in ("api-key", "api_key", "apiKey", "鍵", "钥")
    )
    variables = tuple(
        ServerVariable(name, "x") for name in ("base_url", "region", "api_key", "api.key")
    )
    names = decide(
        api(
            tool("a"), security_schemes=schemes, servers=(Server("https://x", variables=variables),)
        )
    )
    found = [name for roles in names.apis[""].env.values() for name in roles.values()]
    found += names.apis[""].variables.values()
    assert len(set(found)) == len(found) == 9
    assert names.apis[""].variables["region"] == "PETSTORE_REGION"
    settings = {f"PETSTORE_{field.name.upper()}" for field in fields(Settings)}
    assert not settings & set(found)
    assert all(name.isupper() and name.isidentifier() and name.isascii() for name in found)


@pytest.mark.parametrize("taken", ["BASE_URL", "HTTP_TOKEN", "AUDIT", "PORT"])
def test_what_the_runtime_reads_is_reserved(taken):
    schemes = (SecurityScheme(taken.lower(), "oauth2"),)
    found = decide(api(tool("a"), security_schemes=schemes)).apis[""].env[taken.lower()]
    assert not any(name.endswith(f"_{taken}") for name in found.values())


@pytest.mark.parametrize("title", ["AWS", "LD", "HTTPS", "Python", "GitHub", "AWS Secret"])
def test_a_title_cannot_name_the_variables_of_other_software(title):
    scheme = SecurityScheme("secret_access_key", "apiKey")
    names = decide(api(tool("a"), title=title, security_schemes=(scheme,)))
    assert names.env_prefix.endswith("_MCP")
    assert names.apis[""].env["secret_access_key"]["env"].startswith(f"{names.env_prefix}_")


@table(
    "variables, expected",
    (["host", "port"], ["PETSTORE_URL_HOST", "PETSTORE_URL_PORT"]),
    (["basePath", "api_key"], ["PETSTORE_BASE_PATH", "PETSTORE_URL_API_KEY"]),
    (["audit", "http_token"], ["PETSTORE_URL_AUDIT", "PETSTORE_URL_HTTP_TOKEN"]),
    (["metrics", "task_ttl"], ["PETSTORE_URL_METRICS", "PETSTORE_URL_TASK_TTL"]),
    (["timeout", "url_timeout"], ["PETSTORE_URL_TIMEOUT_", "PETSTORE_URL_TIMEOUT_"]),
)
def test_a_variable_of_a_server_whose_name_is_taken_is_of_the_url(variables, expected):
    """A person who deploys the server types it; only where that meets another is it told apart."""
    server = Server("https://x", variables=tuple(ServerVariable(name, "x") for name in variables))
    key = SecurityScheme("api_key", "apiKey")
    found = decide(api(tool("a"), security_schemes=(key,), servers=(server,))).apis[""].variables
    assert [re.sub("_[0-9A-F]{6}$", "_", found[name]) for name in variables] == expected
    assert len(set(found.values())) == len(variables)


def test_variables_of_operations_count_too():
    server = Server("https://{tenant}.example.com", variables=(ServerVariable("tenant", "a"),))
    each = tool("a")
    own = type(each.http)("GET", "/a", servers=(server,))
    document = api(structs.replace(each, http=own))
    assert decide(document).apis[""].variables == {"tenant": "PETSTORE_TENANT"}
