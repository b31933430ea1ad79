"""The table "Style Examples" of OpenAPI 3.2, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.parts.forms.cookies import build_cookie
from mcpgen.runtime.values import style
from mcpgen.runtime.values.parameters import build_headers, build_path, build_query

WORD = "blue"
WORDS = ["blue", "black", "brown"]
COLOURS = {"R": 100, "G": 200, "B": 150}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (style.matrix(WORD), ";color=blue"),
        (style.matrix(WORDS), ";color=blue,black,brown"),
        (style.matrix(COLOURS), ";color=R,100,G,200,B,150"),
        (style.matrix(WORDS, explode=True), ";color=blue;color=black;color=brown"),
        (style.matrix(COLOURS, explode=True), ";R=100;G=200;B=150"),
        (style.label(WORD), ".blue"),
        (style.label(WORDS), ".blue,black,brown"),
        (style.label(COLOURS), ".R,100,G,200,B,150"),
        (style.label(WORDS, explode=True), ".blue.black.brown"),
        (style.label(COLOURS, explode=True), ".R=100.G=200.B=150"),
        (WORD, "blue"),
        (WORDS, "blue,black,brown"),
        (COLOURS, "R,100,G,200,B,150"),
        (style.simple(WORDS, explode=True), "blue,black,brown"),
        (style.simple(COLOURS, explode=True), "R=100,G=200,B=150"),
    ],
)
def test_path(value: Any, expected: str) -> None:
    assert build_path("/{color}", {"color": value}) == f"/{expected}"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (WORD, "color=blue"),
        ("", "color="),
        (style.form(WORDS, explode=False), "color=blue,black,brown"),
        (style.form(COLOURS, explode=False), "color=R,100,G,200,B,150"),
        (WORDS, "color=blue&color=black&color=brown"),
        (COLOURS, "R=100&G=200&B=150"),
        (style.space_delimited(WORDS), "color=blue%20black%20brown"),
        (style.space_delimited(COLOURS), "color=R%20100%20G%20200%20B%20150"),
        (style.pipe_delimited(WORDS), "color=blue%7Cblack%7Cbrown"),
        (style.pipe_delimited(COLOURS), "color=R%7C100%7CG%7C200%7CB%7C150"),
        (style.tab_delimited(WORDS), "color=blue%09black%09brown"),
        (style.space_delimited(WORDS, explode=True), "color=blue&color=black&color=brown"),
        (style.deep_object(COLOURS), "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ],
)
def test_query(value: Any, expected: str) -> None:
    assert build_query({"color": value}) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (WORD, "blue"),
        (WORDS, "blue,black,brown"),
        (COLOURS, "R,100,G,200,B,150"),
        (style.simple(COLOURS, explode=True), "R=100,G=200,B=150"),
        (style.json({"a": "é"}), '{"a":"\\u00e9"}'),
        (style.text("a, b"), "a, b"),
    ],
)
def test_header(value: Any, expected: str) -> None:
    assert build_headers({"Color": value}) == [("Color", expected)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (WORD, "color=blue"),
        (style.form(WORDS, explode=False), "color=blue,black,brown"),
        (style.form(COLOURS, explode=False), "color=R,100,G,200,B,150"),
        (WORDS, "color=blue; color=black; color=brown"),
        (COLOURS, "R=100; G=200; B=150"),
        (style.cookie(WORDS, explode=False), "color=blue,black,brown"),
        (style.cookie(WORDS), "color=blue; color=black; color=brown"),
        (style.cookie("a%20b=c"), "color=a%20b=c"),
        (style.json(["a"]), "color=%5B%22a%22%5D"),
    ],
)
def test_cookie(value: Any, expected: str) -> None:
    assert build_cookie({"color": value}) == expected
