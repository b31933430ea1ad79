"""A document with HTTP Digest: its server signs in to an API that Flask-HTTPAuth guards."""

import generated_tests
from runtime.digest_servers import flask_api

from .servers import packaged


def test_a_generated_server_signs_in_with_digest(upstream, tmp_path, monkeypatch):
    till = packaged("digest-till", tmp_path, upstream)
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
