"""A document that has text in every place where OpenAPI has text."""

from collections.abc import Callable
from typing import Any

Text = Callable[[str], str]
"""What to write at a place, given the place's name."""


OK = {"200": {"description": "ok"}}


def openapi(paths: Any, **more: Any) -> dict[str, Any]:
    """A document of these paths in plain words; `more` is at its root."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": paths,
        **more,
    }


def harmless(place: str) -> str:
    return place


def planted(text: Text) -> dict[str, Any]:
    """A document with `text` at every place; what must be a token is in an operation apart."""
    return {
        "openapi": "3.1.0",
        "info": _info(text),
        "externalDocs": {"url": f"https://example.com/{text('docs')}", "description": text("docs")},
        "servers": [
            {
                "url": "https://{region}.example.com/{base}",
                "description": text("server"),
                "variables": {
                    "region": _variable("eu", text("region")),
                    "base": {"default": text("base"), "description": text("base")},
                },
            },
            {
                "url": "https://{region}.example.com/v1",
                "variables": {"region": _variable("eu", "r")},
            },
            {"url": f"https://example.com/{text('url')}"},
        ],
        "tags": [{"name": text("tag"), "description": text("tag")}],
        "security": [{text("scheme"): []}, {"oauth": [text("scope")]}],
        "paths": {
            "/items": {"post": _create(text), "get": _search(text)},
            "/items/{id}": {
                "summary": text("item"),
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": _value(text)}
                ],
                "delete": _operation("deleteItem", tags=[text("tag2")]),
            },
            f"/{_one_line(text('path'))}": {"get": _operation("path")},
            "/named/{" + _one_line(text("variable")) + "}": {"get": _named(text)},
            "/header": {"get": _operation("header", parameters=[_parameter("header", text)])},
            "/cookie": {"get": _operation("cookie", parameters=[_parameter("cookie", text)])},
            "/status": {"get": {"responses": {text("status"): {"description": "x"}}}},
            "/content": {"put": _content(text)},
            "/query": {"get": _operation("query", parameters=[_parameter("query", text)])},
            "/callback": {
                "get": _operation("callback", callbacks={text("event"): _callback(text)})
            },
        },
        "components": {
            "schemas": _schemas(text),
            "securitySchemes": _schemes(text),
            "parameters": {text("component"): _parameter("query", text)},
        },
        text("extension"): text("extension"),
        "x-extension": {text("key"): text("value")},
    }


def _one_line(text: str) -> str:
    """Text without control characters, which no path may hold."""
    return "".join(c for c in text if c >= " " and c != "\x7f")


def _info(text: Text) -> dict[str, Any]:
    return {
        "title": text("title"),
        "summary": text("info-summary"),
        "description": text("info"),
        "version": text("version"),
        "termsOfService": text("terms"),
        "contact": {"name": text("contact"), "email": text("email"), "url": text("contact-url")},
        "license": {"name": text("license"), "identifier": text("license-id")},
        "x-logo": {"url": text("logo")},
    }


def _variable(default: str, other: str) -> dict[str, Any]:
    return {"default": default, "enum": [default, other], "description": other}


def _operation(name: str, **fields: Any) -> dict[str, Any]:
    return {"operationId": name, "responses": OK, **fields}


def _value(text: Text) -> dict[str, Any]:
    return {"type": "string", "title": text("title"), "description": text("description")}


def _parameter(location: str, text: Text) -> dict[str, Any]:
    return {"name": text(location), "in": location, "schema": _value(text), "description": "d"}


def _create(text: Text) -> dict[str, Any]:
    return {
        "operationId": text("operation"),
        "summary": text("summary"),
        "description": text("description"),
        "tags": [text("tag")],
        "x-mcp": {
            "name": text("tool"),
            "title": text("tool-title"),
            "description": text("tool-text"),
            "annotations": {"title": text("hint"), text("hint"): text("hint")},
            "icons": [{"src": text("icon"), "mimeType": text("icon")}],
        },
        "externalDocs": {"url": text("more"), "description": text("more")},
        "requestBody": {
            "required": True,
            "description": text("body"),
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}},
        },
        "responses": {
            "201": {
                "description": text("response"),
                "headers": {text("answer-header"): {"schema": {"type": "string"}}},
                "content": {
                    "application/json": {
                        "schema": {"$ref": "#/components/schemas/Item"},
                        "examples": {text("example-name"): {"value": {"name": text("example")}}},
                    }
                },
                "links": {text("link"): {"operationId": text("link"), "description": text("link")}},
            },
            "default": {"description": text("error")},
        },
    }


def _search(text: Text) -> dict[str, Any]:
    schema = {
        "type": "string",
        "default": text("default"),
        "enum": [text("default"), text("enum"), text("enum2")],
        "examples": [text("enum")],
        "format": text("format"),
        "x-enum-varnames": [text("varname")],
        "x-enum-descriptions": [text("varname")],
    }
    parameters = [
        {"name": "choice", "in": "query", "schema": schema, "description": text("query")},
        {"name": "match", "in": "query", "schema": {"type": "string", "pattern": text("pattern")}},
        {"name": "given", "in": "query", "schema": {"type": "string"}, "example": text("given")},
        {"name": "typed", "in": "query", "schema": {"type": text("type")}},
        {"name": "styled", "in": "query", "style": text("style"), "schema": {"type": "string"}},
    ]
    return _operation("search", parameters=parameters, tags=[text("tag")])


def _named(text: Text) -> dict[str, Any]:
    parameter = {
        "name": _one_line(text("variable")), "in": "path", "required": True,
        "schema": {"type": "string"},
    }  # fmt: skip
    return _operation("named", parameters=[parameter])


def _content(text: Text) -> dict[str, Any]:
    form = {
        "type": "object",
        "properties": {text("field"): {"type": "string"}, "plain": {"type": "string"}},
    }
    return _operation(
        "content",
        requestBody={
            "content": {
                text("media"): {"schema": {"type": "string"}},
                "multipart/form-data": {
                    "schema": form,
                    "encoding": {text("field"): {"contentType": text("part")}},
                },
            }
        },
        responses={"200": {"description": "x", "content": {text("answer"): {"schema": {}}}}},
    )


def _callback(text: Text) -> dict[str, Any]:
    return {text("expression"): {"post": _operation(text("callback"))}}


def _schemas(text: Text) -> dict[str, Any]:
    return {
        "Item": {
            "type": "object",
            "title": text("item-title"),
            "description": text("item"),
            "required": ["name", text("property")],
            "properties": {
                "name": {"type": "string", "description": text("name"), "default": text("name")},
                text("property"): {"const": text("const")},
                "kind": {"$ref": "#/components/schemas/Kind"},
                "nested": {
                    "type": "object",
                    "properties": {text("inner"): {"enum": [text("literal"), 1, None]}},
                    "default": {text("inner"): text("literal")},
                },
                "other": {"$ref": "#/components/schemas/Other"},
            },
            "example": {"name": text("example")},
        },
        "Kind": {
            "type": "string",
            "enum": [text("kind"), text("kind2")],
            "description": text("kind"),
        },
        "Other": {
            "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
            "discriminator": {"propertyName": text("sort"), "mapping": {text("cat"): "Cat"}},
        },
        "Cat": {"type": "object", "properties": {text("sort"): {"type": "string"}}},
        "Dog": {"type": "object", "patternProperties": {text("names"): {"type": "integer"}}},
        text("schema"): {"type": "object", "properties": {"a": {"type": "string"}}},
    }


def _schemes(text: Text) -> dict[str, Any]:
    flow = {
        "tokenUrl": text("token"),
        "authorizationUrl": text("token"),
        "scopes": {text("scope"): text("scope")},
    }
    return {
        text("scheme"): {
            "type": "apiKey", "in": "header", "name": "X-Key", "description": text("scheme"),
        },
        "key": {"type": "apiKey", "in": "query", "name": text("key"), "description": text("key")},
        "http": {"type": "http", "scheme": text("http"), "bearerFormat": text("http")},
        "oauth": {"type": "oauth2", "description": text("oauth"), "flows": {"implicit": flow}},
        "oidc": {"type": "openIdConnect", "openIdConnectUrl": text("oidc")},
    }  # fmt: skip
