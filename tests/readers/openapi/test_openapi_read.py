"""A whole document becomes an Api, or every reason why not is reported."""

from typing import Any

from jsonschema import Draft202012Validator
from openapi_reading import read_document

PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "tag": {"type": "string", "nullable": True},
    },
}
PETSTORE: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Petstore", "version": "1.2.3", "description": "All about pets."},
    "servers": [{"url": "https://api.example.com/v1"}],
    "tags": [{"name": "pets"}],
    "security": [{"key": []}],
    "paths": {
        "/pets/{petId}": {
            "parameters": [
                {"name": "petId", "in": "path", "required": True, "schema": {"type": "integer"}}
            ],
            "get": {
                "operationId": "getPet",
                "summary": "Get a pet",
                "tags": ["pets"],
                "responses": {
                    "200": {
                        "description": "The pet with its owner.",
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Pet"},
                                "example": {"id": 1, "name": "Rex"},
                            }
                        },
                    },
                    "404": {"description": "No such pet"},
                },
            },
            "put": {
                "operationId": "updatePet",
                "tags": ["pets"],
                "security": [],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}
                    },
                },
                "responses": {"204": {"description": "Done"}},
            },
        }
    },
    "components": {
        "schemas": {"Pet": PET},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}},
    },
}


def test_every_input_schema_is_valid(tmp_path):
    for tool in read_document(PETSTORE, tmp_path).api.tools:
        Draft202012Validator.check_schema(dict(tool.input_schema))
