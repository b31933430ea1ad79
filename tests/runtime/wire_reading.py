"""Reads parameters and parts as a server does: written from the OpenAPI text, not from our encoder.

A reader knows a parameter's name, style, explode and shape (`scalar`, `array`, `object`), and gives
back texts: a string, a list of strings, or a dict of strings.
"""

import re
from typing import Any
from urllib.parse import unquote, unquote_plus


def read_segment(raw: str, name: str, style: str, explode: bool, shape: str) -> Any:
    """A path segment in `simple`, `label` or `matrix` style."""
    if style == "simple":
        return _split(raw, ",", explode, shape)
    if style == "label":
        assert raw[0] == "."
        separator = "." if explode and shape != "scalar" else ","
        return _split(raw[1:], separator, explode, shape)
    assert raw[0] == ";"
    pairs = [pair.partition("=")[::2] for pair in raw[1:].split(";")]
    if shape == "object" and explode:
        return {unquote(key): unquote(value) for key, value in pairs}
    assert {unquote(key) for key, _ in pairs} == {name}
    if shape == "array" and explode:
        return [unquote(value) for _, value in pairs]
    assert len(pairs) == 1
    return _split(pairs[0][1], ",", False, shape)


def _split(raw: str, separator: str, explode: bool, shape: str) -> Any:
    if shape == "scalar":
        return unquote(raw)
    parts = raw.split(separator)
    if shape == "array":
        return [unquote(part) for part in parts]
    if explode:
        pairs = [part.partition("=")[::2] for part in parts]
        return {unquote(key): unquote(value) for key, value in pairs}
    texts = [unquote(part) for part in parts]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def read_query(query: str, name: str, style: str, explode: bool, shape: str) -> Any:
    """The only parameter of a query string; None when it is absent."""
    pairs = [pair.partition("=")[::2] for pair in query.split("&") if pair]
    decoded = [(unquote_plus(key), unquote_plus(value)) for key, value in pairs]
    if style == "deepObject":
        return read_brackets(decoded, name)
    if shape == "object" and explode:
        return dict(decoded)
    values = [value for key, value in pairs if unquote_plus(key) == name]
    assert len(values) == len(pairs)
    if not values:
        return None
    if shape == "scalar":
        return unquote_plus(values[0])
    if explode:
        return [unquote_plus(value) for value in values]
    assert len(values) == 1
    separator = {
        "form": ",",
        "spaceDelimited": "%20",
        "pipeDelimited": "%7C",
        "tabDelimited": "%09",
    }[style]
    parts = [unquote_plus(part) for part in values[0].split(separator)]
    return parts if shape == "array" else dict(zip(parts[::2], parts[1::2], strict=True))


def read_brackets(pairs: list[tuple[str, str]], name: str) -> Any:
    """`name[a][b]=1`, `name[a][]=1`, `name[a][0][b]=1`, as Rack and PHP build them up."""
    tree: dict[str, Any] = {}
    for key, value in pairs:
        head, *steps = key.split("[")
        assert head == name
        assert all(step.endswith("]") for step in steps)
        steps = [step[:-1] for step in steps]
        node = tree
        for step in steps[:-1]:
            node = node.setdefault(step, {})
        if steps[-1] == "":
            node.setdefault("", []).append(value)
        else:
            assert steps[-1] not in node
            node[steps[-1]] = value
    return _listed(tree)


def _listed(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if set(node) == {""}:
        return node[""]
    if node and all(re.fullmatch(r"\d+", key) for key in node):
        return [_listed(node[str(index)]) for index in range(len(node))]
    return {key: _listed(value) for key, value in node.items()}


def read_cookies(header: str) -> list[tuple[str, str]]:
    """The pairs of a Cookie header (RFC 6265 4.2.1), values still escaped."""
    pairs = [pair.partition("=") for pair in header.split("; ")]
    assert all(equals for _, equals, _ in pairs)
    return [(name, value) for name, _, value in pairs]


def parts_of(content_type: str, body: bytes) -> list[tuple[str, dict[str, str], bytes]]:
    """Name, headers and content of each part (RFC 7578), read without our encoder."""
    kind, _, boundary = content_type.partition("; boundary=")
    assert kind == "multipart/form-data"
    first, *blocks, last = body.split(b"--" + boundary.encode())
    assert (first, last) == (b"", b"--\r\n")
    found = []
    for block in blocks:
        assert block.startswith(b"\r\n")
        assert block.endswith(b"\r\n")
        head, _, content = block[2:-2].partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        name = headers["Content-Disposition"].split('name="')[1].split('"')[0]
        found.append((name, headers, content))
    return found
