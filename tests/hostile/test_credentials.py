"""No credential of the environment is in anything that is said or written, at any level."""

import json
from pathlib import Path

import pytest
from command_line import run

from mcpgen.runtime import Settings

from . import talking
from .faults import CANARY, CREDENTIALS, KEY, NUMBERS, Api

TOLD = ("401 with the key", "the key", "500 with a page", "302 elsewhere", "hung up in the body")
SPECS = Path(__file__).parents[2] / "specs"


def test_no_fault_brings_a_credential_to_light(api: Api, shop: Path, tmp_path: Path) -> None:
    """Answers, the log at its most talkative, the audit log with its values, what is printed.

    The other faults are sent to such a server in `test_faults`.
    """
    environ = {
        **CREDENTIALS,
        "SHOP_RETRIES": "0",
        "SHOP_MAX_RESPONSE_BYTES": "100000",
        "SHOP_LOG_LEVEL": "DEBUG",
        "SHOP_AUDIT": str(tmp_path / "audit.jsonl"),
        "SHOP_AUDIT_VALUES": "true",
    }
    with talking.started(shop, SHOP_BASE_URL=api.url, **environ) as server:
        results = []
        for name in TOLD:
            results.append(server.call(1, "getPet", petId=NUMBERS[name]))
            results.append(server.call(2, "create", name=name, extra=KEY))
        results.append(server.call(1, "fail", how="other"))
        assert server.end() == 0
        said = [json.dumps(results), json.dumps(server.rest()), server.logged.decode()]
    audited = (tmp_path / "audit.jsonl").read_text()
    assert len(audited.splitlines()) == len(results)
    assert "[credential]" in said[0]
    assert "DEBUG" in said[2]
    assert [text for text in (*said, audited) if CANARY in text] == []


def test_a_generator_writes_no_credential_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the environment holds while a server is generated is in none of its files."""
    out = tmp_path / "out"
    asked = ["from-openapi", str(SPECS / "access.yaml"), "-o", str(out)]
    assert run(*asked).exit_code == 0
    example = (out / ".env.example").read_text().splitlines()
    names = [line.partition("=")[0] for line in example if "=" in line and line[0] != "#"]
    assert len(names) > 5
    for name in names:
        monkeypatch.setenv(name, f"canary-{name}")
    done = run(*asked, "--force")
    assert done.exit_code == 0
    assert CANARY not in done.output
    files = [path for path in out.rglob("*") if path.is_file()]
    assert [path for path in files if CANARY.encode() in path.read_bytes()] == []


def test_settings_show_no_credential() -> None:
    proxy = {"SHOP_PROXY": f"http://user:{CANARY}@proxy.example:3128"}
    found = Settings.from_env("SHOP", CREDENTIALS | proxy)
    assert CANARY in found.extra_headers[0][1]
    assert CANARY not in repr(found)
