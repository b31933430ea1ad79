"""The credentials of `access.yaml`: their variables, and what each sends."""

from base64 import b64encode
from collections.abc import Mapping

import pytest

from .servers import Server
from .upstream import Seen

PLACES = {
    "office_key": "header",
    "gate_key": "query",
    "pier_pass": "cookie",
    "clerk": "authorization",
    "pilot": "authorization",
    "captain": "authorization",
    "agency": "authorization",
    "customs": "authorization",
}
"""Where each scheme's credential travels; two for `Authorization` cannot go together."""


def variables(server: Server) -> dict[str, tuple[str, ...]]:
    """The environment variables of each scheme, as `.env.example` and `api.py` name them."""
    found = {}
    for key, scheme in server.api.security_schemes.items():
        names = [getattr(scheme, name, "") for name in ("env", "username_env", "password_env")]
        names += [getattr(scheme, name, "") for name in ("cert_env", "key_env")]
        names += [getattr(scheme, f"{name}_env", "") for name in ("refresh_token", "client_id")]
        names += [getattr(scheme, "client_secret_env", "")]
        found[key] = tuple(name for name in names if name)
    return found


def sentinel(variable: str) -> str:
    return f"sentinel-{variable.lower()}"


def credentials(request: Seen) -> dict[str, str]:
    """What the request carries, by place; nothing else of it may hold a sentinel."""
    found = {
        "header": request.header("X-Office-Key"),
        "query": dict(request.query).get("gate"),
        "cookie": request.header("Cookie"),
        "authorization": request.header("Authorization"),
    }
    present = {place: value for place, value in found.items() if value is not None}
    rest = request.raw.decode("latin-1").lower()
    for value in present.values():
        assert rest.count(value.lower()) == 1
        rest = rest.replace(value.lower(), "")
    assert "sentinel" not in rest
    assert b64encode(b"sentinel")[:8].decode().lower() not in rest
    return present


def expected(server: Server, schemes: tuple[str, ...]) -> dict[str, str]:
    """What these schemes send together, by hand from RFC 6750, RFC 7617 and OpenAPI."""
    found = {}
    for scheme in schemes:
        first, *more = (sentinel(name) for name in variables(server)[scheme])
        found[PLACES[scheme]] = {
            "pier_pass": f"pier={first}",
            "clerk": "Basic " + b64encode(":".join([first, *more]).encode()).decode(),
            "pilot": f"Bearer {first}",
            "agency": f"Bearer {first}",
            "customs": f"Bearer {first}",
        }.get(scheme, first)
        if scheme == "captain":
            found["authorization"] = f"hoba {first}"
    return found


def folded(found: Mapping[str, str]) -> dict[str, str]:
    """With the scheme's name in lower case: it is case-insensitive (RFC 9110 11.1)."""
    return {
        place: " ".join([value.partition(" ")[0].lower(), value.partition(" ")[2]])
        for place, value in found.items()
    }


def set_only(server: Server, monkeypatch: pytest.MonkeyPatch, schemes: tuple[str, ...]) -> None:
    """Set the variables of these schemes, and empty all others."""
    for key, names in variables(server).items():
        for name in names:
            if key in schemes:
                monkeypatch.setenv(name, sentinel(name))
            else:
                monkeypatch.setenv(name, "")
