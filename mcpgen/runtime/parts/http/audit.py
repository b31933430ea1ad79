"""The audit log: one line of JSON for each call, whatever its outcome."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from logging.handlers import WatchedFileHandler
from typing import Any

from ...app.logs import LossyHandler
from ...backend.observing import Observed
from ...backend.signing import credential_texts
from ...calls.caller import Caller
from ...credentials.api import Api
from ...values.display import MASKED, Mask, visible
from ...values.errors import ToolError
from ...values.settings import ConfigurationError, of_further
from .requests import WATCHED, Call
from .settings import HttpSettings

logger = logging.getLogger(__name__)

_MAX_NAMES = 50
_MAX_CHARACTERS = 1000
_STDERR = "stderr"
_NEVER = ("password", "secret", "token", "credential", "api_key", "apikey", "authorization")
"""Values whose name has one of these parts, of arguments or inside them, are not written down."""


class _File(WatchedFileHandler):
    """A file to which whole lines are appended; after rotation, a new file is opened."""

    def _open(self) -> Any:
        """Open the file, readable only by its owner, with `\\n` as line end on Windows too."""
        return open(
            self.baseFilename,
            self.mode,
            encoding=self.encoding,
            errors=self.errors,
            newline="\n",
            opener=partial(os.open, mode=0o600),
        )

    def handleError(self, record: logging.LogRecord) -> None:
        """Raise the error again, so that the caller handles it."""
        raise


class Audit:
    """The audit log: stderr, or a file that only its owner may read."""

    def __init__(self, api: Api, settings: HttpSettings, further: Iterable[Api] = ()) -> None:
        """Open the log of a server for one API, and for the `further` ones.

        Raises:
            ConfigurationError: the file cannot be written.
        """
        self._values = settings.audit_values
        own = [(api, settings)]
        own += [
            (each, of_further(settings, each.env_prefix, os.environ, each.defaults))
            for each in further
        ]
        self._mask = Mask((text for each in own for text in _secrets(*each)), least=4)
        self._log: logging.Handler
        if settings.audit is None or settings.audit == _STDERR:
            self._log = LossyHandler("the audit log")
            return
        try:
            self._log = _File(settings.audit, encoding="utf-8", errors="replace")
        except OSError as problem:
            variable, reason = f"{api.env_prefix}_AUDIT", type(problem).__name__
            raise ConfigurationError(
                f"{variable} names a file that cannot be written: {reason}"
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._log.close()

    def write(
        self,
        call: Call,
        schema: Mapping[str, Any],
        outcome: str,
        observed: Observed,
        seconds: float,
    ) -> None:
        """Write a call's line; `schema` describes the call's arguments, and is empty if unknown."""
        number = call.request_id
        line = {
            "request_id": number[:200] if isinstance(number, str) else number,
            WATCHED[call.method][0]: self._mask(call.name)[:200],
            "operations": [
                {"operation": each.operation, "status": each.status, "bytes": each.size}
                for each in observed.requests
            ],
            "outcome": outcome,
            "duration_ms": round(seconds * 1000, 1),
            "arguments": self._describe(call.arguments, schema),
        }
        self.put(call.caller, line)

    def put(self, caller: Caller, line: Mapping[str, Any]) -> None:
        """Write a line about an event; it begins with the time and the caller."""
        who = {"client": caller.client, "subject": caller.subject, "issuer": caller.issuer}
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "caller": {name: value[:_MAX_CHARACTERS] for name, value in who.items() if value},
            **line,
        }
        text = visible(json.dumps(line, ensure_ascii=False))
        try:
            self._log.handle(logging.makeLogRecord({"msg": text}))
        except (OSError, ValueError) as problem:  # what the call did is done: it keeps its answer
            why = getattr(problem, "strerror", None) or type(problem).__name__  # holds no path
            logger.error("a line of the audit log cannot be written: %s", why)

    def _describe(self, arguments: Any, schema: Mapping[str, Any]) -> Any:
        """The names of the arguments, with their values if the settings ask for values."""
        if not isinstance(arguments, Mapping):
            return []
        names = list(arguments)[:_MAX_NAMES]
        if not self._values:
            return [self._mask(str(name))[:200] for name in names]
        properties = schema.get("properties", {})
        return {
            self._mask(str(name))[:200]: self._value(
                _without_secrets(str(name), arguments[name], properties.get(name), schema)
            )
            for name in names
        }

    def _value(self, value: Any) -> str:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return self._mask(text)[:_MAX_CHARACTERS]


def _without_secrets(name: str, value: Any, schema: Any, root: Mapping[str, Any]) -> Any:
    """A value with its secrets masked at any depth, recognised by name or description.

    Content beyond the logged length is left out; a value that is nested too deeply is masked as a
    whole.
    """
    from ...schemas.forms import all_forms

    budget = iter(range(_MAX_CHARACTERS))

    def mask(name: str, value: Any, schema: Any) -> Any:
        if next(budget, None) is None:
            return None
        forms = [form for form in all_forms(schema, root) if isinstance(form, Mapping)]
        if any(part in name.lower() for part in _NEVER) or any(map(_is_secret, forms)):
            return MASKED
        value = _read(value)
        if isinstance(value, Mapping):
            members = islice(value.items(), _MAX_CHARACTERS)
            return {key: mask(str(key), each, _of_member(key, forms)) for key, each in members}
        if isinstance(value, list):
            items = {"anyOf": [form["items"] for form in forms if "items" in form]}
            return [mask("", item, items) for item in value[:_MAX_CHARACTERS]]
        return value

    try:
        return mask(name, value, schema)
    except RecursionError:
        return MASKED


def _of_member(key: Any, forms: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The schema of the member `key`: any of those that the alternatives `forms` give it."""
    from ...schemas.forms import properties_of

    others = ((form, form.get("additionalProperties", True)) for form in forms)
    return {"anyOf": [properties_of(form).get(key, other) for form, other in others]}


def _is_secret(schema: Mapping[str, Any]) -> bool:
    return schema.get("format") == "password" or schema.get("writeOnly") is True


def _read(value: Any) -> Any:
    """The value; if it is the JSON text of an array or object, that array or object."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError):
            return json.loads(value)
    return value


def _secrets(api: Api, settings: HttpSettings) -> Iterator[str]:
    """Every credential in this process's environment; files that cannot be read are skipped."""
    from ...values.environment import EnvironmentWithFiles

    environ = EnvironmentWithFiles(os.environ)
    for scheme in api.security_schemes.values():
        for variable in scheme.secrets:
            with suppress(ToolError):
                yield environ.get(variable, "")
    yield settings.http_token or ""
    yield from credential_texts(settings.extra_headers, named=True)
