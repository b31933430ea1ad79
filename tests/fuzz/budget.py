"""How much is tried of what has no end: a few examples, or as many as `MCPGEN_FUZZ` asks for."""

import os

from hypothesis import HealthCheck, settings

_ASKED = os.environ.get("MCPGEN_FUZZ")


def count(usual: int) -> int:
    """`usual`, unless `MCPGEN_FUZZ` says how many."""
    return int(_ASKED or usual)


def tries(usual: int) -> settings:
    """Settings for a test that tries so many examples, the same ones unless asked for more."""
    return settings(
        max_examples=count(usual),
        derandomize=_ASKED is None,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=_ASKED is not None,
    )
