"""What clients tell agents of a server as a whole."""

import json

import pytest
from command_line import run
from written_documents import write

from .servers import PACKAGE, imported, openapi

ABOUT = "Lamps and their keepers. " * 200
OURS = 'Ask "keepers" first:\nlamps are listed by keeper, \\ and é.'


@pytest.mark.parametrize(("given", "wanted"), [(OURS, OURS), ("", ABOUT.strip())])
def test_instructions_are_the_settings_or_else_the_documents(given, wanted, upstream, tmp_path):
    """A generation tells what long ones cost."""
    lamps = {"operationId": "lamps", "responses": {"200": {"description": "All of them."}}}
    info = {"title": f"Keepers {bool(given)}", "version": "1", "description": ABOUT}
    document = write(tmp_path / "lamps.json", openapi("", {"/lamps": {"get": lamps}}, info=info))
    folder = tmp_path / "server"
    write(folder / "mcpgen.toml", f"instructions = {json.dumps(given)}\n")
    made = run("from-openapi", str(document), "-o", str(folder), *PACKAGE)
    told = "  and about 1,250 tokens of instructions, which `instructions` in mcpgen.toml replaces"
    assert (told in made.stdout.splitlines()) is (not given)
    assert ("of instructions" in made.stdout) is (not given)
    server = imported(folder, upstream)

    async def instructions(client):
        return client.instructions

    assert server.use(instructions) == wanted
