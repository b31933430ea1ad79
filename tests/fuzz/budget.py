"""How much is tried of what has no end.

A few examples in CI, the same ones every time; as many as asked by hand.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_ASKED = os.environ.get("MCPGEN_FUZZ")


def tries(usual: int) -> settings:
    """Settings for a test that tries `usual` examples unless `MCPGEN_FUZZ` says how many."""
    return settings(
        max_examples=int(_ASKED or usual),
        derandomize=_ASKED is None,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=_ASKED is not None,
    )
