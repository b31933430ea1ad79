"""Bodies and forms of Swagger 2.0, which are parameters there."""

from jsonschema import Draft202012Validator
from openapi_reading import read_document, sent
from swagger_reading import swagger
from tables import table

TEXT = {"type": "string"}


@table(
    "said, media_type, value, body",
    ({"schema": {"type": "string", "format": "binary"}}, "image/png", "aGk=", b"hi"),
    ({"schema": {"$ref": "#/definitions/Photo"}}, "image/png", "aGk=", b"hi"),
    ({"schema": {"$ref": "#/definitions/Name"}}, "application/json", "aGk=", b'"aGk="'),
    ({}, "application/json", {"a": [1]}, b'{"a":[1]}'),
)
def test_the_schema_of_a_body_says_whether_it_is_bytes(tmp_path, said, media_type, value, body):
    parameter = {"name": "photo", "in": "body", **said}
    consumes = ["application/json", "image/png"]
    definitions = {"Photo": {"type": "string", "format": "binary"}, "Name": TEXT}
    document = swagger({"parameters": [parameter]}, consumes=consumes, definitions=definitions)
    read = read_document(document, tmp_path)
    assert Draft202012Validator(read.tool.input_schema).is_valid({"body": value})
    assert sent(read, {"body": value}) == (media_type, body)
