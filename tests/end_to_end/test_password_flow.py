"""FastAPI's tutorial of security: its own sign-in with name and password, and a login by a hook."""

import json
import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from command_line import run
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm
from mcp import Client
from runtime.serving import in_thread

from mcpgen.python_names import env_names

from .servers import PACKAGE, Server, imported

PAGE = Path(__file__).parents[2] / "docs" / "sign-in.md"
PREFIX = "KENNEL"
BEARER = OAuth2PasswordBearer(tokenUrl="token")


class Kennel:
    """The API: who signed in, and the one token that is good now."""

    def __init__(self) -> None:
        self.logins: list[str] = []
        self.good = ""
        self.app = FastAPI(title="Kennel")

        @self.app.post("/token", include_in_schema=False)
        def login(form: Annotated[OAuth2PasswordRequestForm, Depends()]) -> dict[str, str]:
            return self._token(form.username, form.password)

        @self.app.post("/login", include_in_schema=False)
        def own(form: dict[str, str]) -> dict[str, str]:
            return self._token(form["user"], form["password"])

        @self.app.get("/dogs")
        def list_dogs(token: Annotated[str, Depends(BEARER)]) -> list[str]:
            """List all dogs."""
            if token != self.good:
                raise HTTPException(401, "who are you?")
            return ["Rex"]

    def _token(self, user: str, password: str) -> dict[str, str]:
        if (user, password) != ("rita", "sentinel-password"):
            raise HTTPException(400, "wrong password")
        self.logins.append(user)
        self.good = f"token-{len(self.logins)}"
        return {"access_token": self.good, "token_type": "bearer"}


@pytest.fixture(scope="module")
def kennel():
    api = Kennel()
    with in_thread(api.app) as url:
        yield api, url


@pytest.fixture(scope="module")
def server(kennel, upstream, tmp_path_factory):
    api, url = kennel
    folder = tmp_path_factory.mktemp("kennel")
    (folder / "openapi.json").write_text(json.dumps(api.app.openapi()))
    target = str(folder / "server")
    source = str(folder / "openapi.json")
    done = run("from-openapi", source, "-o", target, "--base-url", url, *PACKAGE)
    assert done.exit_code == 0, done.output
    (folder / "said").write_text(done.output)
    return imported(folder / "server", upstream)


def called(server: Server, api: Kennel, **changes: Any) -> list[bool]:
    """Whether each of three calls went well; after the second the token is good no more."""

    async def use(client: Client) -> list[bool]:
        results = []
        for number in range(3):
            if number == 2:
                api.good = "another"
            results.append(not (await client.call_tool("list_dogs", {})).is_error)
        return results

    done: list[bool] = server.use(use, base_url=None, **changes)
    return done


def test_passwords(kennel, server, monkeypatch):
    api, _ = kennel
    api.logins.clear()
    monkeypatch.setenv(f"{PREFIX}_OAUTH2_USERNAME", "rita")
    monkeypatch.setenv(f"{PREFIX}_OAUTH2_PASSWORD", "sentinel-password")
    assert called(server, api) == [True, True, True]
    assert api.logins == ["rita", "rita"]
    monkeypatch.setenv(f"{PREFIX}_OAUTH2_USERNAME", "rita")
    monkeypatch.setenv(f"{PREFIX}_OAUTH2_PASSWORD", "sentinel-wrong")
    call = server.call("list_dogs", base_url=None)
    assert call.result.is_error
    assert "answered 400" in call.text
    assert "sentinel" not in call.text


def test_people_are_asked_for_name_and_password_alone(server):
    readme = (server.folder / "README.md").read_text()
    (command,) = re.findall(r"^claude mcp add .*$", readme, re.MULTILINE)
    assert command.count("--env") == 2
    assert f"{PREFIX}_OAUTH2_USERNAME" in command
    assert f"{PREFIX}_OAUTH2_PASSWORD" in command
    assert f"{PREFIX}_OAUTH2_TOKEN=" in (server.folder / ".env.example").read_text()


def test_the_name_that_a_token_had_is_read_on_and_told(kennel, server, monkeypatch, capsys):
    """A token's variable had PASSWORD in its name, as FastAPI's scheme has."""
    api, _ = kennel
    old, new = f"{PREFIX}_OAUTH2_PASSWORD_BEARER", f"{PREFIX}_OAUTH2_TOKEN"
    module = server.folder / server.package / "api.py"
    with monkeypatch.context() as before:
        before.setattr(env_names, "_is_of_password", lambda scheme: False)
        assert run("update", "--force", str(server.folder)).exit_code == 0
    assert f'OAuth2(env="{old}"' in module.read_text().replace("\n", "").replace(" ", "")
    lock = server.folder / "mcpgen.lock"
    lock.write_text(re.sub(r'("templates_sha256": )"\w+"', r'\1""', lock.read_text()))
    done = run("update", str(server.folder))
    assert done.exit_code == 0, done.output
    assert f"`{old}` is `{new}` now" in done.output
    assert f'earlier_env="{old}"' in module.read_text()
    assert run("check", str(server.folder)).exit_code == 0
    again = imported(server.folder, server.upstream)
    api.good = "sentinel-token"
    monkeypatch.setenv(old, "sentinel-token")
    assert again.call("list_dogs", base_url=None).data == {"result": ["Rex"]}
    assert again.module("server").APP.main(["--check"]) == 0
    said = capsys.readouterr().out
    assert f"{old} is now called {new}; it is still read\n" in said
    assert "has no credential" not in said


def test_a_hook_signs_in_as_the_page_shows(kennel, server, monkeypatch, capsys):
    api, url = kennel
    api.logins.clear()
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (recipe,) = (block for block in blocks if "authenticate" in block)
    hooks = server.folder / server.package / "hooks.py"
    hooks.write_text(recipe.replace("https://api.example.com", url))
    monkeypatch.setenv("SHOP_USER", "rita")
    monkeypatch.setenv("SHOP_PASSWORD", "sentinel-password")
    own = imported(server.folder, server.upstream)
    assert called(own, api) == [True, True, True]
    assert api.logins == ["rita", "rita"]
    assert own.module("server").APP.main(["--check"]) == 0
    assert "(not needed where `authenticate` in hooks.py signs)" in capsys.readouterr().out
