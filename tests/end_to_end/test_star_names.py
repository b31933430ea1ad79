"""Arguments named `*`, as routers call the rest of a path, beside those that no schema names."""

import generated_tests

from .servers import of_document

stars = of_document("stars")


def test_arguments_named_stars(stars):
    assert stars.call("getFile", {"*": "a b"}).request.path == "/files/a%20b"
    given = {"*": "one", "**": "two", "a*": "three", "name": "x", "more": 1, "***": 2}
    request = stars.call("addStar", given).request
    assert request.query == [("*", "one"), ("**", "two"), ("a*", "three")]
    assert request.json == {"name": "x", "more": 1, "***": 2}
    done = generated_tests.run(stars.folder)
    assert done.returncode == 0, done.stdout
