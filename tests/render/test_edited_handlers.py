"""The generated tests of a handler that somebody edited say so where they fail."""

import generated_tests
from command_line import run

API = """openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    delete: {operationId: drop, summary: Pets, responses: {"204": {description: ok}}}
"""


def test_a_failure_names_the_edited_handler_and_the_way_out(tmp_path):
    (tmp_path / "api.yaml").write_text(API)
    server = tmp_path / "s"
    made = ("from-openapi", str(tmp_path / "api.yaml"), "--runtime", "package", "-o", str(server))
    assert run(*made).exit_code == 0
    handlers = server / "pets_mcp" / "handlers" / "pets.py"
    handlers.write_text(handlers.read_text().replace('"DELETE"', '"POST"'))
    done = generated_tests.run(server, "-k", "test_call")
    assert done.returncode == 1
    assert "pets_mcp/handlers/pets.py was edited." in done.stdout
    assert "add it to OWN_TOOLS in tests/conftest.py" in done.stdout
    (server / "mcpgen.lock").unlink()
    done = generated_tests.run(server, "-k", "test_call")
    assert done.returncode == 1
    assert "was edited" not in done.stdout
