"""`next.yaml`: the whole query string and plain cookies, which OpenAPI 3.2 has more."""

import json
from urllib.parse import unquote

from .servers import of_spec

observatory = of_spec("next.yaml")


def test_the_whole_query_string_is_a_form_or_json(observatory):
    selection = {"name": "α Lyr & co", "catalogue": ["HR", "HD"], "limit": 3}
    request = observatory.call("listStars", {"selection": selection}).request
    pairs = [(name, value.replace("+", " ")) for name, value in request.query]
    listed = [("catalogue", "HR"), ("catalogue", "HD")]
    assert pairs == [("name", "α Lyr & co"), *listed, ("limit", "3")]
    assert observatory.call("listStars").request.target == "/stars"
    condition = {"above": 1.5, "names": ["a&b=c", "#?é+"]}
    request = observatory.call("findStars", {"condition": condition}).request
    path, _, query = request.target.partition("?")
    assert (path, json.loads(unquote(query))) == ("/stars/find", condition)
    assert "#" not in query


def test_cookies_that_are_not_escaped(observatory):
    request = observatory.call("myStars", {"observer": "a%20b", "groups": ["x", "y"]}).request
    assert request.header("Cookie") == "observer=a%20b; groups=x; groups=y"
