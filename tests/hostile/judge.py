"""What must hold for the files of a server, whatever its document says.

A file is judged by its grammar: document text may be a literal, a comment or a cell, and nothing
else. Each function gives the findings about a file as sentences; none is a good sign.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mcpgen.bundled.contents import runtime_sources

PACKAGE = "server_mcp"

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PATH = re.compile(r"(?:[A-Za-z0-9_.-]+/)*[A-Za-z0-9_.-]+")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.I)
_ENV_LINE = re.compile(r"(?:#.*|[A-Z][A-Z0-9_]*=[A-Za-z0-9_./:@%+,=-]*|)")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
_ADDRESS = re.compile(r"https?://|www\.|\S@\S", re.I)
_VARIABLES = re.compile(r'\s+"[A-Z][A-Z0-9_]*": "",?| --env ([A-Z][A-Z0-9_]*)="\$\1"')
_CALLED = frozenset(
    {
        "Api", "ApiKey", "Basic", "Bearer", "HttpAuth", "MutualTls", "OAuth2", "OpenIdConnect",
        "ServerUrl", "TypedDict", "Variable", "ctx.api.send", "fitting", "if_given", "tool",
    }
)  # fmt: skip
_STYLE = re.compile(r"style\.[a-z_]+")
_IMPORTED = frozenset({"__future__", "collections.abc", "typing"})
_STATEMENTS = (
    ast.AnnAssign, ast.Assign, ast.AsyncFunctionDef, ast.ClassDef, ast.Expr, ast.If,
    ast.ImportFrom, ast.Pass, ast.Return,
)  # fmt: skip
_EXPRESSIONS = (
    ast.Attribute, ast.Await, ast.BinOp, ast.BoolOp, ast.Call, ast.Constant, ast.Dict, ast.List,
    ast.Name, ast.Subscript, ast.Tuple, ast.UnaryOp,
)  # fmt: skip


def findings(files: Mapping[str, str], harmless: Mapping[str, str]) -> list[str]:
    """All that is wrong with a server's files.

    `harmless` are the files for the same document in plain words.
    """
    found = [f"{path}: {what}" for path in files for what in path_findings(path)]
    lower = [path.lower() for path in files]
    found += [f"{path}: twice, apart from case" for path in set(lower) if lower.count(path) > 1]
    for path, text in files.items():
        found += [f"{path}: {what}" for what in _file(path, text, harmless)]
    return found


def hidden(text: str) -> str:
    """The first character that a reader cannot see; empty where there is none."""
    match = _HIDDEN.search(text)
    return match[0] if match else ""


def path_findings(path: str) -> list[str]:
    """What is wrong with where a file lies."""
    found = []
    if not _PATH.fullmatch(path) or ".." in path.split("/"):
        found.append("no harmless path")
    if any(_DEVICE.match(part) for part in path.split("/")):
        found.append("the name of a device")
    return found


@cache
def _runtime() -> dict[str, str]:
    return {name: file.read_text("utf-8") for name, file in runtime_sources().items()}


def _is_ours(name: str, text: str) -> bool:
    """Whether a file is that of the runtime, which may export less."""
    ours = _runtime()[name]
    if name == "__init__.py":
        return set(text.splitlines()) <= set(ours.splitlines())
    return text == ours


def _file(path: str, text: str, harmless: Mapping[str, str]) -> Iterator[str]:
    if character := hidden(text):
        yield f"holds {character!r}"
    name = path.rsplit("/", 1)[-1]
    if path.startswith(f"{PACKAGE}/_runtime/"):
        if not _is_ours(path.removeprefix(f"{PACKAGE}/_runtime/"), text):
            yield "is not the runtime's own"
    elif name.endswith(".py"):
        yield from python(path, text, harmless)
    elif name.endswith((".json", ".lock")):
        yield from _json(text)
    elif name.endswith(".toml"):
        yield from toml(text, harmless[path])
    elif name in ("README.md", "DEPLOY.md"):
        yield from markdown(text, harmless[path])
    elif name == ".env.example":
        yield from (f"holds the line {x!r}" for x in text.split("\n") if not _ENV_LINE.fullmatch(x))
    elif text != harmless[path]:
        yield "differs from that of a harmless document"


def _json(text: str) -> Iterator[str]:
    try:
        json.loads(text)
    except ValueError as error:
        yield f"no JSON: {error}"


def toml(text: str, harmless: str) -> Iterator[str]:
    """TOML has the keys and values of the harmless one; only what is told to people differs."""
    try:
        found, expected = tomllib.loads(text), tomllib.loads(harmless)
    except tomllib.TOMLDecodeError as error:
        yield f"no TOML: {error}"
        return
    for read in (found, expected):
        for key in ("description", "version"):
            told = read.get("project", {}).pop(key, "")
            if not isinstance(told, str) or "\n" in told:
                yield f"{key} is no line of text"
        read.pop("source", None)
    if found != expected:
        yield f"says more than that of a harmless document: {found}"


def markdown(text: str, harmless: str) -> Iterator[str]:
    """Markdown has the structure of the harmless one, but for the number of rows in its tables."""
    found, expected = _outline(text), _outline(harmless)
    if found != expected:
        differs = next(
            (i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), 0
        )
        yield f"has the structure {found[differs:][:3]}, not {expected[differs:][:3]}"
    if _ADDRESS.findall(_CODE.sub("", text)) != _ADDRESS.findall(_CODE.sub("", harmless)):
        yield "has an address that renderers turn into a link"


@cache
def _outline(text: str) -> list[tuple[str, ...]]:
    """The blocks of a text and what is in them; of the rows of a table that are alike, one."""
    outline: list[tuple[str, ...]] = []
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for token in parser.parse(text):
        kinds = _inline(token) if token.type == "inline" else ()
        content = (_VARIABLES.sub("", token.content),) if token.type == "fence" else ()
        outline.append((token.type, token.tag, *content, *kinds))
    return _without_rows(outline)


def _inline(token: Token) -> tuple[str, ...]:
    """What is in a line beyond text: code is text, and a line break in a paragraph is too."""
    plain = {"text", "code_inline", "softbreak", "text_special"}
    return tuple(child.type for child in token.children or () if child.type not in plain)


def _without_rows(outline: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    kept: list[tuple[str, ...]] = []
    row: list[tuple[str, ...]] = []
    rows: list[list[tuple[str, ...]]] = []
    for entry in outline:
        row.append(entry)
        if entry[0] == "tr_close":
            if row not in rows:
                rows.append(row)
            row = []
        elif entry[0] == "tbody_close":
            kept += [each for one in rows for each in one]
            rows = []
    return kept + row


def python(path: str, text: str, harmless: Mapping[str, str]) -> Iterator[str]:
    """A module of templates has the harmless one's form, one made of the document its grammar."""
    try:
        tree = ast.parse(text.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError) as error:
        yield f"does not compile: {error}"
        return
    inside = path.removeprefix(f"{PACKAGE}/")
    if inside.startswith(("handlers/", "models")) or inside == "api.py":
        for node in ast.walk(tree):
            yield from _node(node)
    elif path not in harmless:
        yield "is a module that a harmless document has not"
    elif text != harmless[path] and _form(tree) != _form(ast.parse(harmless[path])):
        yield "has not the form of that of a harmless document"


def _form(tree: ast.Module) -> str:
    """The tree without its values; what the server says of itself may be more or less."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ServerInfo":
            for keyword in node.keywords:
                ast.literal_eval(keyword.value)
            node.keywords = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = type(node.value).__name__
    return ast.dump(tree)


def _node(node: ast.AST) -> Iterator[str]:
    """What is wrong with one node of a module that is made of a document's names and values."""
    if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
        yield f"has a statement {type(node).__name__}"
    if isinstance(node, ast.expr) and not isinstance(node, _EXPRESSIONS):
        yield f"has an expression {type(node).__name__}"
    for name in _names(node):
        if not _IDENTIFIER.fullmatch(name) or name in ("exec", "eval", "open", "__import__"):
            yield f"has the name {name!r}"
    match node:
        case ast.Expr(value=value) if not _is_text(value):
            yield "has an expression for its effect"
        case ast.Call(func=func):
            called = ast.unparse(func)
            if called not in _CALLED and not _STYLE.fullmatch(called):
                yield f"calls {called}"
        case ast.BinOp(op=op) if not isinstance(op, ast.BitOr):
            yield "computes"
        case ast.ImportFrom(module=module, level=0) if module not in _IMPORTED:
            yield f"imports {module}"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _names(node: ast.AST) -> Iterator[str]:
    """The identifiers that a node holds itself."""
    values: list[Any] = [
        getattr(node, field, None) for field in ("id", "name", "arg", "attr", "asname")
    ]
    yield from (value for value in values if isinstance(value, str))
