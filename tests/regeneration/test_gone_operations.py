"""A second request of an edited handler: nothing but this looks at it when the document changes."""

from __future__ import annotations

import pytest
from command_line import run

from .garden import BEDS, edit, operation, update, write

pytestmark = pytest.mark.usefixtures("garden")


@pytest.mark.parametrize("renamed", [{}, {"lines": operation("listRows", "beds", "size")}])
def test_a_request_for_an_operation_that_is_gone_is_told_once(renamed: dict[str, object]) -> None:
    edit(BEDS, "    return await", '    await ctx.api.send("GET", "/rows")\n    return await')
    line = BEDS.read_text().splitlines().index('    await ctx.api.send("GET", "/rows")') + 1
    said = f"{BEDS.name}:{line}: sends `GET /rows`, which was a tool's and is none's now"
    write(trees=None)
    assert said not in update()
    write(trees=None, rows=None, **renamed)
    assert update().count(said) == 1
    assert "sends `GET /rows`" not in run("check", "server").output
