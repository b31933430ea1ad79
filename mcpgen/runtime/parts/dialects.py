"""JSON Schema before 2020-12, in servers whose tools have a schema that names such a dialect."""

from __future__ import annotations

import re
from typing import Any

from jsonschema import (
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
)

_URI = re.compile(r"https?://json-schema\.org/(draft[-/][\d-]+)/schema#?")
_CLASSES: dict[str, Any] = {
    "draft-04": Draft4Validator,
    "draft-06": Draft6Validator,
    "draft-07": Draft7Validator,
    "draft/2019-09": Draft201909Validator,
    "draft/2020-12": Draft202012Validator,
}


def class_of(uri: Any) -> Any:
    """jsonschema's class of validators for the dialect of a `$schema`; None for any other."""
    match = _URI.fullmatch(uri) if isinstance(uri, str) else None
    return _CLASSES.get(match[1]) if match else None
