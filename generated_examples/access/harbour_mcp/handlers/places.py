"""Tools tagged `places`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Context, Response, ServerUrl, Variable, tool

if TYPE_CHECKING:
    from ..models import ListManifestsResult, SendManifestResult


@tool("listManifests")
async def list_manifests(ctx: Context) -> Response[ListManifestsResult]:
    """Cargo lists, from the path's own server: GET /manifests."""
    return await ctx.api.send(
        "GET", "/manifests", servers=[ServerUrl("https://files.harbour.example/manifests")]
    )


@tool("sendManifest")
async def send_manifest(ctx: Context, *, ship: str) -> Response[SendManifestResult]:
    """Send a cargo list to the operation's own server: POST /manifests."""
    return await ctx.api.send(
        "POST",
        "/manifests",
        json={"ship": ship},
        servers=[
            ServerUrl(
                "https://{zone}.upload.harbour.example",
                variables={"zone": Variable("eu", enum=["eu", "us"], env="HARBOUR_ZONE")},
            )
        ],
    )
