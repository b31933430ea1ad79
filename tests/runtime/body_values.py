"""Values that are hard to send in bodies, and what is said of those that cannot be."""

import base64
from typing import Any

import pytest
from fuzz.budget import count
from hypothesis import settings

from mcpgen.runtime import ArgumentError
from mcpgen.runtime.bodies.encoding import encode_body

PNG = b"\x89PNG\r\n\x1a\n\0rest"
JPEG = b"\xff\xd8\xff\xe0rest"
HARD = "a/b?c#d&e=f +é%"

quick = settings(max_examples=count(15), deadline=None)


def base64_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def refusal(*arguments: Any, **keywords: Any) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        encode_body(*arguments, **keywords)
    return caught.value
