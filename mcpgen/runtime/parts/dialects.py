"""Dialects of JSON Schema before 2020-12, for tools whose schema names one."""

from __future__ import annotations

from jsonschema import Draft4Validator, Draft6Validator, Draft7Validator, Draft201909Validator

from ..schemas.validation import dialect
from ..values.seams import DIALECTS

DIALECTS.update(
    {
        "draft-04": Draft4Validator,
        "draft-06": Draft6Validator,
        "draft-07": Draft7Validator,
        "draft/2019-09": Draft201909Validator,
    }
)
class_of = dialect
"""The class for a `$schema`, older dialects included."""
