"""Tools tagged `doors`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, tool

if TYPE_CHECKING:
    from ..models import (
        ByBearerResult,
        ByCertificateResult,
        ByCookieKeyResult,
        ByDefaultResult,
        ByNothingResult,
        ByOauthResult,
        ByOpenIdResult,
        ByOtherSchemeResult,
        ByPasswordResult,
        ByQueryKeyResult,
    )


@tool("byDefault")
async def by_default(ctx: Context) -> Response[ByDefaultResult]:
    """Enter by the document's own rule: GET /doors/office."""
    return await ctx.api.send("GET", "/doors/office")


@tool("byQueryKey")
async def by_query_key(ctx: Context) -> Response[ByQueryKeyResult]:
    """Enter with a key in the query: GET /doors/query."""
    return await ctx.api.send("GET", "/doors/query", security=[{"gate_key": []}])


@tool("byCookieKey")
async def by_cookie_key(ctx: Context) -> Response[ByCookieKeyResult]:
    """Enter with a key in a cookie: GET /doors/cookie."""
    return await ctx.api.send("GET", "/doors/cookie", security=[{"pier_pass": []}])


@tool("byPassword")
async def by_password(ctx: Context) -> Response[ByPasswordResult]:
    """Enter with a user name and a password: GET /doors/basic."""
    return await ctx.api.send("GET", "/doors/basic", security=[{"clerk": []}])


@tool("byBearer")
async def by_bearer(ctx: Context) -> Response[ByBearerResult]:
    """Enter with a bearer token: GET /doors/bearer."""
    return await ctx.api.send("GET", "/doors/bearer", security=[{"pilot": []}])


@tool("byOtherScheme")
async def by_other_scheme(ctx: Context) -> Response[ByOtherSchemeResult]:
    """Enter with another scheme of the Authorization header: GET /doors/other."""
    return await ctx.api.send("GET", "/doors/other", security=[{"captain": []}])


@tool("byOAuth")
async def by_oauth(ctx: Context) -> Response[ByOauthResult]:
    """Enter with an OAuth token: GET /doors/oauth."""
    return await ctx.api.send(
        "GET", "/doors/oauth", security=[{"agency": ["berths:read", "ships:read"]}]
    )


@tool("byOpenId")
async def by_open_id(ctx: Context) -> Response[ByOpenIdResult]:
    """Enter with an OpenID Connect token: GET /doors/openid."""
    return await ctx.api.send("GET", "/doors/openid", security=[{"customs": []}])


@tool("byCertificate")
async def by_certificate(ctx: Context) -> Response[ByCertificateResult]:
    """Enter with a client certificate: GET /doors/certificate."""
    return await ctx.api.send("GET", "/doors/certificate", security=[{"coastguard": []}])


@tool("byNothing")
async def by_nothing(ctx: Context) -> Response[ByNothingResult]:
    """Enter without a key: GET /doors/open."""
    return await ctx.api.send("GET", "/doors/open", security=[])
