"""What a server's README says of the choice between credentials."""

from pathlib import Path
from typing import Any

from openapi_reading import read_document
from tables import table

from mcpgen.plan.sign_in import sentence

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
ENOUGH = "One way to sign in is enough; the first whose credentials are set is used: "


def told(folder: Path, schemes: str, root: Any, *operations: Any) -> str:
    """What is said of an API with these schemes and `security` of its root and operations."""
    paths = {
        f"/{n}": {"get": {"responses": {}, **({} if own is None else {"security": own})}}
        for n, own in enumerate(operations)
    }
    components = {"securitySchemes": dict.fromkeys(schemes, KEY)}
    document = {"paths": paths, "components": components, "security": root}
    return sentence(read_document(document, folder).api)


@table(
    "schemes, root, operations, text",
    ("a", [{"a": []}], [None], ""),
    ("ab", [{"a": []}, {"b": []}], [None, None], f"{ENOUGH}`a`, or `b`."),
    ("ab", [{"a": ["x"]}, {"b": []}], [None, [{"a": []}, {"b": []}]], f"{ENOUGH}`a`, or `b`."),
    ("ab", [{"a": []}, {"b": []}], [None, []], f"{ENOUGH}`a`, or `b`."),
    ("abc", [{"a": [], "b": []}, {"c": []}], [None], f"{ENOUGH}`a` with `b`, or `c`."),
    ("ab", [{"a": [], "b": []}], [None], ""),
    ("ab", [{"a": []}], [None, [{"b": []}]], ""),
    ("ab", [{"a": []}], [None], "No operation asks for `b`."),
    ("abc", [{"a": []}, {"c": []}], [None], f"{ENOUGH}`a`, or `c`. No operation asks for `b`."),
    ("ab", [], [None], ""),
    ("abcdefg", [{key: []} for key in "abcdefg"], [None], ""),
)
def test_the_choice_between_credentials_is_told(tmp_path, schemes, root, operations, text):
    assert told(tmp_path, schemes, root, *operations) == text
