"""One line for what a module imports from another."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from .imports import bound_by, with_line


def joined(text: str, origins: Collection[str]) -> str:
    """The text of a module with one line, at its top, for what it imports from each of `origins`.

    Lines with comments stay as they are, and so does all that cannot be parsed.
    """
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return text
    body: list[cst.BaseStatement] = []
    for line in module.body:
        names = bound_by(line)
        is_of_them = names and all(each.module in origins for each in names)
        body = with_line(body, line) if is_of_them else [*body, line]
    return module.with_changes(body=body).code
