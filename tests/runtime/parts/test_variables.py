"""Arguments that the server's owner sets in environment variables."""

import pytest
from tables import table

from mcpgen.runtime import UNSET, ToolError
from mcpgen.runtime.parts.variables import from_env


@table(
    "text, parsed, value",
    ("a b ", False, "a b "),
    ("1", False, "1"),
    ("1", True, 1),
    ("null", True, None),
    ('{"a": [1]}', True, {"a": [1]}),
    ("", False, UNSET),
    ("", True, UNSET),
    (None, False, UNSET),
)
def test_a_variable_is_text_or_json_or_absent(text, parsed, value, monkeypatch):
    monkeypatch.delenv("SHOP_TENANT", raising=False)
    if text is not None:
        monkeypatch.setenv("SHOP_TENANT", text)
    assert from_env("SHOP_TENANT", parsed=parsed) == value


@pytest.mark.parametrize("required", [False, True])
def test_a_placeholder_opens_nothing(required, monkeypatch):
    """An optional one that counted as unset would leave open what it is to fix."""
    monkeypatch.setenv("SHOP_TENANT", " ${TENANT}")
    with pytest.raises(ToolError, match="SHOP_TENANT has no value"):
        from_env("SHOP_TENANT", required=required)


@pytest.mark.parametrize("text", ["", "sentinel", "NaN", "[1e999]", "9" * 5000, "[" * 100_000])
def test_what_cannot_be_used_is_named_and_not_shown(text, monkeypatch):
    monkeypatch.setenv("SHOP_TENANT", text)
    with pytest.raises(ToolError, match=r"SHOP_TENANT (has no value|is not JSON)\.") as refused:
        from_env("SHOP_TENANT", required=True, parsed=True)
    assert "sentinel" not in refused.value.message
