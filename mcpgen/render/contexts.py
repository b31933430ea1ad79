"""The reference of the data that templates receive, generated from the classes."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from msgspec import Struct

from .. import package
from ..bundled.contents import CONTEXT_VERSION
from ..text.literals import code_span


class Field(Struct, frozen=True):
    """A field of a class whose objects templates receive."""

    name: str
    type: str
    about: str


def classes() -> dict[str, tuple[str, tuple[Field, ...]]]:
    """Each class with its description and fields, the outermost class first."""
    tree = ast.parse(inspect.getsource(package))
    nodes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {
        node.name: (_line(ast.get_docstring(node) or ""), tuple(_fields(node)))
        for node in reversed(nodes)
    }


def markdown() -> str:
    """The reference of the template contexts, with a table for each class."""
    lines = [
        f"Version {CONTEXT_VERSION}. Every template is given `package`, a `Package`; "
        "`package/handlers/module.py.jinja` is rendered",
        "once for each of its modules, and is given that as `module` too.",
    ]
    for name, (about, fields) in classes().items():
        lines += ["", f"### {name}", "", about, "", "| name | type | |", "|---|---|---|"]
        lines += [f"| `{f.name}` | {code_span(f.type)} | {f.about} |" for f in fields]
    return "\n".join(lines) + "\n"


def _fields(node: ast.ClassDef) -> Iterator[Field]:
    """The annotated names of a class, each with the docstring below it."""
    for statement, below in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            about = ""
            match below:
                case ast.Expr(value=ast.Constant(value=str() as text)):
                    about = _line(text)
            yield Field(statement.target.id, ast.unparse(statement.annotation), about)


def _line(text: str) -> str:
    return " ".join(text.split())
