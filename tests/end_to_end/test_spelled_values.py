"""Values that a client spells otherwise than the document: whole numbers, texts, empty dates."""

from .servers import of_document

spelled = of_document("spelled-values")


def test_values_as_clients_spell_them(spelled):
    # Go and Rust refuse 30.0 for an integer; JSON Schema takes it for one.
    arguments = {"n": 30.0, "f": 2.0, "list": [1.0], "map": {"a": 3.0}, "either": 4.0, "any": 5.0}
    assert spelled.call("body", arguments).request.body == (
        b'{"n":30,"f":2.0,"list":[1],"map":{"a":3},"either":4,"any":5.0}'
    )
    request = spelled.call("whole", {"w": 30.0, "n": [1.0, 2], "X-N": 3.0, "f": 4.0}).request
    assert (request.target, request.body) == ("/whole/30?n=1&n=2", b"f=4")
    assert request.header("X-N") == "3"
    given = {"id": 7, "q": True, "tags": [1, "b"], "X-H": 1.5}
    request = spelled.call("texts", given).request
    assert request.target == "/texts/7?q=true&tags=1&tags=b"
    assert request.header("X-H") == "1.5"
    assert "text" in spelled.call("body", {"text": 7}).refused
    assert "id" in spelled.call("texts", {"id": {"a": 1}}).refused
    request = spelled.call("texts", {"id": "a", "since": "", "when": "", "note": ""}).request
    assert request.target == "/texts/a?note="
    arguments = spelled.arguments("body")
    assert arguments["ref"]["type"] == arguments["any"]["type"]
    assert arguments["ref"]["description"] == "Any value at all"
