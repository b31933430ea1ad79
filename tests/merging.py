"""A module of two handlers as it was generated, and its merge with what became of it."""

from __future__ import annotations

from mcpgen.merge import lines
from mcpgen.merge.modules import Merged, merge
from mcpgen.merge.snapshot import snapshot

HEAD = '''"""Tools tagged `pets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Context, Response, Unset, tool

if TYPE_CHECKING:
    from ..models import Pet


'''
GET = '''@tool("getPet")
async def get_pet(ctx: Context, *, pet_id: int) -> Response[Pet]:
    """Look a pet up: GET /pets/{petId}."""
    return await ctx.api.send("GET", "/pets/{petId}", path={"petId": pet_id})
'''
LIST = '''@tool("listPets")
async def list_pets(ctx: Context, *, limit: int | Unset = UNSET) -> Response[Pet]:
    """List pets: GET /pets."""
    return await ctx.api.send("GET", "/pets", query={"limit": limit})
'''
CALL = '    return await ctx.api.send("GET", "/pets",'
OLD = f"{HEAD}{GET}\n\n{LIST}"


def merged(there: str, new: str, conflicts: str = "keep") -> Merged:
    return merge(snapshot(OLD), there, new, theirs=conflicts == "theirs")


def marked(there: str, new: str) -> str:
    """The merge with marks around what both sides changed."""
    return lines.marked(merged(there, new).text, merged(there, new, "theirs").text)[0]
