"""A second request of an edited handler: nothing but this looks at it when the document changes."""

from __future__ import annotations

import pytest
from command_line import run

from .garden import BEDS, edit, operation, update, write

pytestmark = pytest.mark.usefixtures("garden")


@pytest.mark.parametrize("renamed", [{}, {"lines": operation("listRows", "beds", "size")}])
def test_a_request_for_what_is_gone_is_told_until_mended(renamed: dict[str, object]) -> None:
    edit(BEDS, "    return await", '    await ctx.api.send("GET", "/rows")\n    return await')
    line = BEDS.read_text().splitlines().index('    await ctx.api.send("GET", "/rows")') + 1
    said = f"{BEDS.name}:{line}: sends `GET /rows`, which the document no longer has"
    write(trees=None)
    assert said not in update()
    write(trees=None, rows=None, **renamed)
    assert run("update", "server").output.count(f"broken: garden_mcp/handlers/{said}") == 1
    for flags in ((), ("--full",)):
        done = run("check", "server", *flags)
        assert (done.exit_code, done.output.count(said)) == (3, 1)
    edit(BEDS, "/rows", "/rows?")
    for flags in ((), ("--full",)):
        done = run("check", "server", *flags)
        assert (done.exit_code, done.output.count("sends `GET")) == (0, 0)


def test_another_name_of_a_parameter_in_its_path_is_no_other_operation() -> None:
    write(**{"rows/{row}": operation("getRow", "beds")})
    update()
    edit(BEDS, "    return await", '    await ctx.api.send("GET", "/rows/{row}")\n    return await')
    write(**{"rows/{id}": operation("getRow", "beds")})
    assert "sends `GET" not in update()
