"""A client signs in at a real authorization server: with dynamic registration, and without.

`MCPGEN_NODE_MODULES` names the `node_modules` of `tests/conformance/package.json`, as `.ci/run`
makes it; without it there is nothing to run.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
import pytest
import searchable
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata
from runtime.parts.sign_in.signing import Storage
from runtime.serving import process

from bench.calls import free_port

from .servers import generate
from .upstream import Answer

SCRIPT = Path(__file__).parents[1] / "typescript" / "authorization_server.mjs"
MODULES = os.environ.get("MCPGEN_NODE_MODULES", "")
REDIRECT = "http://127.0.0.1:3333/callback"
KNOWN = {"client_id": "vets-clients", "redirect_uris": [REDIRECT]}

pytestmark = pytest.mark.skipif(
    not (Path(MODULES) / "oidc-provider").is_dir() or shutil.which("node") is None,
    reason="MCPGEN_NODE_MODULES names no authorization server",
)


@pytest.fixture(scope="module")
def clinic(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("clinic")
    source = searchable.written(folder)
    return generate(source, folder / "made", upstream, "--package", "clinic_of_ann")


@contextmanager
def authorization_server(resource: str, *flags: str) -> Iterator[str]:
    """A provider for one resource; the value is its issuer."""
    command = ["node", str(SCRIPT), MODULES, resource, *flags]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **quiet) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def signing_in(url: str, storage: Storage) -> OAuthClientProvider:
    """A client's authorization, with a browser that follows where it is sent."""
    codes: list[AuthorizationCodeResult] = []

    async def browse(target: str) -> None:
        async with httpx2.AsyncClient() as browser:
            while not target.startswith(REDIRECT):
                answer = await browser.get(target)
                target = urljoin(target, answer.headers["location"])
        query = {name: value for name, (value,) in parse_qs(urlsplit(target).query).items()}
        codes.append(AuthorizationCodeResult(**query))

    async def code() -> AuthorizationCodeResult:
        return codes.pop()

    metadata = OAuthClientMetadata(
        client_name="test", redirect_uris=[REDIRECT], token_endpoint_auth_method="none"
    )
    return OAuthClientProvider(url, metadata, storage, browse, code)


@pytest.mark.parametrize("registers", [True, False])
async def test_a_client_finds_its_way_to_a_token(clinic, registers):
    clinic.upstream.answer, clinic.upstream.seen = Answer(body=b'{"id": 7}'), []
    storage = Storage()
    if not registers:
        storage.client = OAuthClientInformationFull.model_validate(KNOWN)
    address = f"127.0.0.1:{free_port()}"
    url = f"http://{address}/mcp"
    with authorization_server(url, *(["registers"] if registers else [])) as issuer:
        environ = {
            "CLINIC_OF_ANN_BASE_URL": clinic.upstream.url,
            "CLINIC_OF_ANN_HTTP_ISSUER": issuer,
            "CLINIC_OF_ANN_HTTP_RESOURCE": url,
            "CLINIC_OF_ANN_LOGIN_TOKEN": "t",
        }
        with process(clinic.folder, clinic.package, "--http", address, **environ):
            async with (
                httpx2.AsyncClient(auth=signing_in(url, storage)) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                result = await client.call_tool("getPet", {"petId": 7})
    assert result.structured_content == {"id": 7}
    assert storage.tokens.scope == "pets:read pets:write"
    assert (storage.client.client_id == "vets-clients") is not registers
