"""Reading tool files: what may be left out, and where each argument goes."""

import json

from jsonschema import Draft202012Validator
from tool_file_reading import described

from mcpgen.bundled.contents import tool_file_schema


def test_the_published_schema_is_valid_and_judges_as_the_reader():
    schema = json.loads(tool_file_schema())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid({"tools": [described({"http": "GET /x"})]})
    assert not validator.is_valid({"tools": [described({"http": "GET"})]})
