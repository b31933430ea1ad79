"""Swagger 2.0 says the same things in other places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_reading import read_document
from swagger_reading import swagger


@pytest.mark.parametrize(
    ("root", "urls"),
    [
        ({"host": "h.test", "basePath": "/v1/", "schemes": ["http", "https", "ws"]},
         ["https://h.test/v1", "http://h.test/v1"]),
        ({"host": "h.test:8080"}, ["https://h.test:8080"]),
        ({"basePath": "/v1"}, ["/v1"]),
        ({}, ["/"]),
        ({"host": "evil.test/?x=#"}, []),
        ({"host": "h.test", "schemes": ["HTTP"]}, ["http://h.test"]),
        ({"host": "http://h.test/", "basePath": "/v1"}, ["http://h.test/v1"]),
        ({"host": "http://h.test", "schemes": ["https"]}, ["https://h.test"]),
        ({"host": "ftp://h.test"}, []),
        ({"host": "{region}.h.test", "basePath": "/{tenant}/v1"},
         ["https://{region}.h.test/{tenant}/v1"]),
    ],
)  # fmt: skip
def test_servers(tmp_path: Path, root: dict[str, Any], urls: list[str]) -> None:
    read = read_document(swagger({}, **root), tmp_path)
    assert [s.url for s in read.api.servers] == urls


@pytest.mark.parametrize(
    ("template", "urls"),
    [
        ({"hostTemplate": "{endpoint}", "useSchemePrefix": False}, ["{endpoint}/a"]),
        ({"hostTemplate": "{endpoint}/v2", "useSchemePrefix": False}, ["{endpoint}/v2/a"]),
        ({"hostTemplate": "http://{h}", "useSchemePrefix": False}, ["http://{h}/a"]),
        ({"hostTemplate": "https://{h}"}, ["https://{h}/a", "http://{h}/a"]),
        ({"hostTemplate": "x.test"}, ["https://x.test/a", "http://x.test/a"]),
        ({"hostTemplate": "me@x.test"}, []),
        ({"hostTemplate": 5}, ["/a"]),
        ([], ["https://h.test/a", "http://h.test/a"]),
    ],
)
def test_other_such_hosts(tmp_path: Path, template: Any, urls: list[str]) -> None:
    root = {"basePath": "/a", "host": "h.test", "schemes": ["http", "https"]}
    read = read_document(swagger({}, **root, **{"x-ms-parameterized-host": template}), tmp_path)
    assert [server.url for server in read.api.servers] == urls
