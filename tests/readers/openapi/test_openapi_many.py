"""Documents that offer the same thing in very many ways: read in steps that grow as they do."""

from pathlib import Path
from typing import Any

from openapi_reading import OK, Reading, one, read_document

from mcpgen.readers.openapi import bodies


def with_media_types(folder: Path, count: int) -> Reading:
    pool = {f"S{i}": {"type": "object", "properties": {f"b{i}": {}}} for i in range(count)}
    content = {
        f"application/v{i}+json": {"schema": {"$ref": f"#/components/schemas/S{i}"}}
        for i in range(count)
    }
    operation = {"requestBody": {"content": content}, "responses": OK}
    return read_document(one(operation, method="post", components={"schemas": pool}), folder)


def test_media_types_of_one_body_are_compared_a_bounded_number_of_times(tmp_path, monkeypatch):
    compared = [0]
    says_as_much = bodies._says_as_much

    def counted(*given: Any) -> bool:
        compared[0] += 1
        return says_as_much(*given)

    monkeypatch.setattr(bodies, "_says_as_much", counted)
    steps = []
    for count in (50, 400, 1600):
        compared[0] = 0
        reading = with_media_types(tmp_path, count)
        steps.append(compared[0])
        said = f"a body has {count:,} media types; only the first 50 are used"
        assert (said in [item.message for item in reading.diagnostics.warnings]) == (count > 50)
    assert steps[0] > 0
    assert steps == [steps[0]] * 3


def test_ways_to_sign_in_of_one_list_are_looked_at_a_bounded_number_of_times(tmp_path):
    keys = [f"s{i}" for i in range(6000)]
    schemes = {key: {"type": "apiKey", "in": "header", "name": f"X-{key}"} for key in keys}
    document = one(
        {"responses": OK},
        components={"securitySchemes": schemes},
        security=[{key: []} for key in keys],
    )
    reading = read_document(document, tmp_path)
    assert reading.pointers("security") == ["/security"]
    assert [*map(list, reading.api.security)] == [[key] for key in keys[:100]]
