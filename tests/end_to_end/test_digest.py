"""A document with HTTP Digest: its server signs in to an API that Flask-HTTPAuth guards."""

from __future__ import annotations

import json
from pathlib import Path

import generated_tests
import pytest
from runtime.digest_servers import flask_api

from .servers import generate
from .upstream import Upstream

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Till", "version": "1"},
    "servers": [{"url": "https://till.example"}],
    "security": [{"counter": []}],
    "paths": {
        "/greet": {
            "post": {
                "operationId": "greet",
                "summary": "Greet",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {"word": {"type": "string"}},
                                "required": ["word"],
                            }
                        }
                    },
                },
                "responses": {"200": {"description": "The greeting"}},
            }
        }
    },
    "components": {"securitySchemes": {"counter": {"type": "http", "scheme": "Digest"}}},
}


def test_a_generated_server_signs_in_with_digest(
    upstream: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "till.json"
    source.write_text(json.dumps(DOCUMENT))
    till = generate(source, tmp_path / "till", upstream)
    environment = (till.folder / ".env.example").read_text()
    assert "TILL_COUNTER_USERNAME=\n" in environment
    assert "TILL_COUNTER_PASSWORD=\n" in environment
    told = till.call("greet", {"word": "hi"})
    assert "Set TILL_COUNTER_USERNAME and TILL_COUNTER_PASSWORD in the environment" in told.text
    monkeypatch.setenv("TILL_COUNTER_USERNAME", "ada")
    monkeypatch.setenv("TILL_COUNTER_PASSWORD", "sesame")
    with flask_api("MD5", "ada", "sesame") as api:
        found = till.call("greet", {"word": "hi"}, base_url=api.url)
        assert found.data == {"user": "ada", "body": {"word": "hi"}}
        assert api.statuses == [401, 200]
    done = generated_tests.run(till.folder)
    assert done.returncode == 0, done.stdout
