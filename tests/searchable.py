"""A small API for the search surface: a clinic for animals."""

import json
from pathlib import Path
from typing import Any

FLOW = {"tokenUrl": "https://a.example/t", "scopes": {"pets:read": "", "pets:write": ""}}
PET = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string"},
        "owner": {
            "type": "object",
            "properties": {"email": {"type": "string"}, "city": {"type": "string"}},
        },
    },
}
SORT = {"enum": ["name", "age"]}
KIND = {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]}


def _branch(kind: str) -> dict[str, Any]:
    lives = {"type": "integer", "minimum": 1, "maximum": 9}
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"const": kind}, "lives": lives},
    }


def _operation(name: str, summary: str, tag: str, scope: str, **more: Any) -> dict[str, Any]:
    answer = {
        "description": "",
        "content": {"application/json": {"schema": more.pop("answer", PET)}},
    }
    return {
        "operationId": name,
        "summary": summary,
        "tags": [tag],
        "security": [{"login": [scope]}],
        "responses": {"200": answer},
        **more,
    }


def _body(schema: Any) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def document() -> dict[str, Any]:
    """The document."""
    pet_id = {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}
    limit = {"type": "integer", "minimum": 1, "maximum": 50, "default": 10}
    query = [
        {"name": "limit", "in": "query", "description": "How many.", "schema": limit},
        {"name": "sort", "in": "query", "schema": SORT},
    ]
    read, write = "pets:read", "pets:write"
    pets = {"type": "object", "properties": {"items": {"type": "array", "items": PET}}}
    created = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string", "maxLength": 20}, "animal": KIND},
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Clinic", "version": "1", "description": "Cares for animals."},
        "servers": [{"url": "https://clinic.example"}],
        "components": {
            "schemas": {"Cat": _branch("cat"), "Dog": _branch("dog")},
            "securitySchemes": {"login": {"type": "oauth2", "flows": {"clientCredentials": FLOW}}},
        },
        "paths": {
            "/pets": {
                "get": _operation(
                    "listPets", "List the pets", "Pets", read, parameters=query, answer=pets
                ),
                "post": _operation(
                    "createPet", "Register a pet", "Pets", write, requestBody=_body(created)
                ),
            },
            "/pets/{petId}": {
                "parameters": [pet_id],
                "get": _operation("getPet", "Get one pet", "Pets", read),
                "patch": _operation(
                    "updatePet", "Change a pet", "Pets", write, requestBody=_body(PET)
                ),
                "delete": _operation("deletePet", "Remove a pet", "Pets", write),
            },
            "/pets/{petId}/vaccinations": {
                "parameters": [pet_id],
                "get": _operation("listVaccinations", "Vaccinations of a pet", "Health", read),
                "post": _operation("addVaccination", "Record a shot", "Health", write),
            },
            "/invoices": {
                "get": _operation("listInvoices", "List invoices", "Billing", read),
            },
        },
    }


def written(folder: Path) -> Path:
    """The document as a file."""
    path = folder / "clinic.json"
    path.write_text(json.dumps(document()), "utf-8")
    return path
