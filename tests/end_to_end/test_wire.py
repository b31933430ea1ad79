"""`wire.yaml`: every style, explode and location, as the specification's tables write them.

The expected targets are written by hand from OpenAPI 3.1 (4.8.12, style examples) and RFC 6570; a
space in a URL is `%20` there.
"""

import json
from urllib.parse import unquote

import pytest

from .servers import of_spec, read

HARD = "a/b?c#d&e=f +é%"
HARD_ENCODED = "a%2Fb%3Fc%23d%26e%3Df%20%2B%C3%A9%25"
AREA = {"lat": 48, "lon": 11, "name": "Old Town"}
PLAIN_AREA = {"lat": 48, "lon": -11}
SENSORS = ["wind", "rain"]
wire = of_spec("wire.yaml")


@pytest.mark.parametrize("case", read("wire-styles"), ids=lambda case: case["tool"])
def test_styles_of_paths_and_queries(wire, case):
    request = wire.call(case["tool"], case["arguments"]).request
    assert request.method == "GET"
    path, mark, query = request.target.partition("?")
    assert (query, mark) == (case.get("query", ""), "?" if case.get("query") else "")
    assert path == case.get("path", path)


@pytest.mark.parametrize("station", ["", "..", "%252e%252e", "a\\..\\b", "..;x=1/y", "x\0y"])
def test_path_values_that_would_change_the_path_are_refused(wire, station):
    arguments = {"station": station, "sensors": SENSORS, "area": AREA}
    assert "station" in wire.call("pathSimple", arguments).refused


@pytest.mark.parametrize("station", ["...", "a..b", "日本", "x" * 8000])
def test_path_values_that_only_look_odd_are_sent(wire, station):
    call = wire.call("pathSimple", {"station": station, "sensors": SENSORS, "area": AREA})
    assert unquote(call.request.path.split("/")[2]) == station


def test_header_styles(wire):
    arguments = {
        "X-Station": "  Koeln ",
        "X-Sensors": SENSORS,
        "X-Area": AREA,
        "X-Area-Exploded": AREA,
        "X-Years": [1999, 2004],
        "X-Hourly": True,
        "X-Where": {"lat": 48},
    }
    request = wire.call("sendHeaders", arguments).request
    assert request.header("X-Station") == "Koeln"
    assert request.header("X-Sensors") == "wind,rain"
    assert request.header("X-Area") == "lat,48,lon,11,name,Old Town"
    assert request.header("X-Area-Exploded") == "lat=48,lon=11,name=Old Town"
    assert request.header("X-Years") == "1999,2004"
    assert request.header("X-Hourly") == "true"
    assert json.loads(request.header("X-Where") or "") == {"lat": 48}
    assert request.header("Accept") == "application/json"
    assert request.header("Authorization") is None
    assert request.target == "/headers"


def test_headers_that_are_never_arguments(wire):
    assert set(wire.arguments("sendHeaders")) == {
        "X-Station",
        "X-Sensors",
        "X-Area",
        "X-Area-Exploded",
        "X-Years",
        "X-Hourly",
        "X-Where",
    }
    refused = wire.call("sendHeaders", {"Authorization": "Bearer x"}).refused
    assert "Authorization" in refused


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\0b", "é"])
def test_values_that_no_header_can_carry_are_refused(wire, value):
    assert "X-Station" in wire.call("sendHeaders", {"X-Station": value}).refused


def test_cookie_styles(wire):
    arguments = {
        "station": "a b;c=d,é",
        "sensors": SENSORS,
        "area": PLAIN_AREA,
        "years": [1999, 2004],
    }
    request = wire.call("sendCookies", arguments).request
    cookies = (request.header("Cookie") or "").split("; ")
    assert cookies[:3] == [
        "station=a%20b%3Bc%3Dd%2C%C3%A9",
        "sensors=wind,rain",
        "area=lat,48,lon,-11",
    ]
    assert unquote(cookies[3]) == "years=[1999,2004]"
    assert len(cookies) == 4
    assert request.target == "/cookies"


def test_parameters_of_one_name(wire):
    assert set(wire.arguments("meet")) == {"id_path", "id_query", "id_header", "id_cookie", "unit"}
    arguments = {"id_path": "p", "id_query": 5, "id_header": "h", "id_cookie": "c"}
    request = wire.call("meet", {**arguments, "unit": "imperial"}).request
    assert request.target == "/meet/p?id=5&unit=imperial"
    assert request.header("id") == "h"
    assert request.header("Cookie") == "id=c"
    unit = wire.arguments("meet")["unit"]
    assert unit["enum"] == ["metric", "imperial"]
    assert wire.arguments("meetBody")["unit"]["enum"] == ["metric"]
    call = wire.call("meetBody", {"id_path": "p", "unit": "imperial", "body": {"id": "x"}})
    assert "unit" in call.refused
    assert set(wire.arguments("meetBody")) == {"id_path", "id_query", "unit", "body"}
    arguments = {"id_path": "p", "id_query": 5, "body": {"id": "b", "value": 1.5}}
    request = wire.call("meetBody", arguments).request
    assert request.target == "/meet/p?id=5"
    assert request.json == {"id": "b", "value": "float 1.5"}


def test_names_that_python_keeps_for_itself(wire):
    arguments = {
        "class": "c",
        "from": 1,
        "self": "s",
        "ctx": "x",
        "style": "y",
        "2nd": "z",
        "pageSize": 3,
        "page_size": 4,
        "top": 5,
        "grosse": "g",
    }
    request = wire.call("import", arguments).request
    assert request.path == "/python/c/1"
    assert request.query == [
        ("self", "s"),
        ("ctx", "x"),
        ("style", "y"),
        ("2nd", "z"),
        ("pageSize", "3"),
        ("page_size", "4"),
        ("$top", "5"),
        ("größe", "g"),
    ]


@pytest.mark.parametrize("argument", ["unit", "years", "X-Unit", "unit_of_cookie"])
def test_null_is_absent_outside_a_body(wire, argument):
    request = wire.call("sendNulls", {"place": "p", argument: None}).request
    bare = wire.call("sendNulls", {"place": "p"}).request
    assert request.target == "/nulls/p"
    assert request.header("X-Unit") is None
    assert request.header("Cookie") is None
    assert request.raw == bare.raw


def test_paths_nulls_and_lists(wire):
    call = wire.call("getTile", {"zoom": 4, "x": 3, "y": -7, "format": "geojson"})
    assert call.request.target == "/tiles/4/3--7.geojson"
    call = wire.call("placeForecast", {"place": {"lat": 48, "name": "a/b"}})
    _, places, place, forecast = call.request.target.split("/")
    assert (places, forecast) == ("places", "forecast")
    assert json.loads(unquote(place)) == {"lat": 48, "name": "a/b"}
    where = {"area": AREA, "years": [1999], "station": None}
    ((name, text),) = wire.call("queryContent", {"where": where}).request.query
    assert name == "where"
    assert json.loads(text) == where
    assert "place" in wire.call("sendNulls", {"place": None}).refused
    request = wire.call("queryForm", {"sensors": '["wind", "rain"]', "area": '{"lat": 1}'}).request
    assert request.target == "/query/form?sensors=wind&sensors=rain&lat=1"
