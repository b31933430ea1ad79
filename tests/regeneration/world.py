"""A small API whose document changes at random, and people who edit its server at random.

Whatever a person writes carries a mark of its own, so that it can be found again.
"""

import ast
import copy
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Operation = dict[str, Any]
TYPES = ("string", "integer", "boolean", "number")
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "jetty")


SIMPLE = {
    "statement": (r"^    return ", "    {mark} = 1\n    return "),
    "comment_in_body": (r"^    return ", "    # {mark}\n    return "),
    "comment_above": (r"^@tool", "# {mark}\n@tool"),
    "comment_behind": (r"[,:\])]$", "{0[0]}  # {mark}"),
    "helper": (r"^@tool", "def {mark}() -> int:\n    return 1\n\n\n@tool"),
    "rename": (r"^async def \w+", "async def {mark}"),
    "mark_otherwise": (r"^@tool\(", "{mark} = tool\n\n\n@{mark}("),
    "decorate": (r"^@tool", "@{mark}\n@tool"),
    "add_import": (r"^from \.\._runtime", "import json as {mark}\n{0[0]}"),
    "add_star": (r"^from \.\._runtime", "from {mark} import *\n{0[0]}"),
    "own_type": (r"^if TYPE_CHECKING:\n", "{0[0]}    {mark} = object\n"),
    "about": (r'\A"""', '"""{mark} '),
    "docstring": (r'^    """', '    """{mark} '),
    "annotate": (r": (int|str|bool|float)\b", ": {mark}"),
    "own_body": (r"^    return await [^@]*?\n(?=\n\n|\Z)", "    return {mark}()\n"),
    "own_value": (r'"(\w+)": (\w+)\b', '"{0[1]}": {mark}({0[2]})'),
    "own_argument": (r"\*, ", "*, {mark}: int = 0, "),
    "wrapped_call": (r"return await ctx", "return {mark} or await ctx"),
    "constant": (r"^@tool", "{mark} = 1\n\n\n@tool"),
}
"""What stands in the place of one of the matches of a pattern: `{0}` is the match."""


class Document:
    """An OpenAPI document that changes."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._count = 0
        self._version = 1
        self._about = ""
        self.operations: dict[str, Operation] = {}
        self._removed: dict[str, Operation] = {}
        for _ in range(rng.randint(3, 6)):
            self.add_operation()

    def write(self, path: Path) -> None:
        paths: dict[str, Any] = {}
        for key, operation in self.operations.items():
            method, _, route = key.partition(" ")
            paths.setdefault(route, {})[method] = operation
        schemas = {
            name: {"type": "object", "properties": {"id": {"type": "integer"}}}
            for name in ("Leaf", "Root", "Stem")
        }
        path.write_text(
            json.dumps(
                {
                    "openapi": "3.1.0",
                    "info": {
                        "title": "Garden",
                        "version": f"{self._version}",
                        "description": self._about,
                    },
                    "servers": [{"url": "https://garden.example"}],
                    "paths": paths,
                    "components": {"schemas": schemas},
                }
            )
        )

    def change(self) -> str:
        """Change something; says what."""
        chosen = self._rng.choice(self.changes())
        chosen()
        return chosen.__name__

    def changes(self) -> list[Callable[[], None]]:
        """What can be changed."""
        return [
            self.add_operation, self.remove_operation, self.rename_operation, self.add_parameter,
            self.remove_parameter, self.change_type, self.require, self.change_summary,
            self.change_tag, self.reorder, self.change_answer, self.add_property,
            self.change_version, self.change_about, self.bring_back, self.swap_names,
        ]  # fmt: skip

    def _fresh(self) -> str:
        self._count += 1
        return f"{self._rng.choice(WORDS)}{self._count}"

    def _any(self) -> Operation:
        return self.operations[self._rng.choice(list(self.operations))]

    def add_operation(self) -> None:
        word = self._fresh()
        method = self._rng.choice(["get", "post", "put", "delete"])
        operation: Operation = {
            "operationId": f"{method}{word.capitalize()}",
            "summary": f"Work on {word}",
            "tags": [self._rng.choice(["beds", "trees"])],
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
            ],
            "responses": {"200": self._answer()},
        }
        if method in ("post", "put"):
            schema = {"type": "object", "properties": {"size": {"type": "integer"}}}
            content = {"application/json": {"schema": schema}}
            operation["requestBody"] = {"required": True, "content": content}
        self.operations[f"{method} /{word}/{{id}}"] = operation

    def _answer(self) -> dict[str, Any]:
        ref = f"#/components/schemas/{self._rng.choice(['Leaf', 'Root', 'Stem'])}"
        return {"description": "it", "content": {"application/json": {"schema": {"$ref": ref}}}}

    def remove_operation(self) -> None:
        if len(self.operations) > 2:
            key = self._rng.choice(list(self.operations))
            self._removed[key] = self.operations.pop(key)

    def bring_back(self) -> None:
        self.operations |= self._removed
        self._removed.clear()

    def swap_names(self) -> None:
        one, other = self._any(), self._any()
        one["operationId"], other["operationId"] = other["operationId"], one["operationId"]

    def rename_operation(self) -> None:
        self._any()["operationId"] = f"do{self._fresh().capitalize()}"

    def add_parameter(self) -> None:
        schema = {"type": self._rng.choice(TYPES)}
        parameter = {"name": self._fresh(), "in": self._rng.choice(["query", "header"])}
        self._any()["parameters"].append({**parameter, "schema": schema})

    def remove_parameter(self) -> None:
        parameters = self._any()["parameters"]
        if len(parameters) > 1:
            del parameters[self._rng.randrange(1, len(parameters))]

    def change_type(self) -> None:
        parameter = self._rng.choice(self._any()["parameters"])
        parameter["schema"] = {"type": self._rng.choice(TYPES)}

    def require(self) -> None:
        parameter = self._rng.choice(self._any()["parameters"])
        parameter["required"] = True

    def change_summary(self) -> None:
        self._any()["summary"] = f"Look after {self._fresh()}"

    def change_tag(self) -> None:
        self._any()["tags"] = [self._rng.choice(["beds", "trees", "walls"])]

    def reorder(self) -> None:
        items = list(self.operations.items())
        self._rng.shuffle(items)
        self.operations = dict(items)

    def change_answer(self) -> None:
        self._any()["responses"] = {"200": self._answer()}

    def add_property(self) -> None:
        body = self._any().get("requestBody")
        if body:
            schema = body["content"]["application/json"]["schema"]
            schema = copy.deepcopy(schema)
            schema["properties"][self._fresh()] = {"type": self._rng.choice(TYPES)}
            body["content"]["application/json"]["schema"] = schema

    def change_version(self) -> None:
        self._version += 1

    def change_about(self) -> None:
        self._about = f"All about {self._fresh()}."


class Person:
    """Edits the files of a server that are not the generator's alone, the handlers above all."""

    def __init__(self, rng: random.Random, folder: Path, package: str) -> None:
        self._rng = rng
        self._folder = folder
        self._handlers = folder / package / "handlers"
        self._others = [
            *(folder / package / name for name in ("server.py", "api.py", "hooks.py")),
            *(folder / "tests" / name for name in ("conftest.py", "test_tools.py")),
            *(folder / name for name in ("README.md", "pyproject.toml", ".env.example")),
        ]
        self._count = 0
        self.marks: set[str] = set()
        self.edits = 0
        """Edits of what the generator writes too."""

    def edit(self) -> str:
        """Edit something; says what."""
        files = sorted(p for p in self._handlers.glob("*.py") if p.stem != "__init__")
        chosen = self._rng.choice(self.choices())
        if self._rng.random() < 0.2:
            files = [path for path in self._others if path.is_file()]
            chosen = self._rng.choice([self.own_line, self.own_line, self.changed_line, self.crlf])
        path = self._rng.choice(files)
        before = path.read_bytes().decode()
        known = set(self.marks)
        after = chosen(before.replace("\r\n", "\n"))
        if chosen.__name__ != "crlf" and "\r\n" in before:
            after = after.replace("\n", "\r\n")
        if path.suffix == ".py" and not self.fits(after):
            after = before
        path.write_bytes(after.encode())
        self.edits += after != before
        there = after + " ".join(p.name for p in self._handlers.iterdir())
        there += "".join(p.read_bytes().decode() for p in files)
        gone = {m for m in self.marks if m in before and m not in there}
        self.marks = {m for m in self.marks - gone if m in known or m in there}
        return f"{chosen.__name__} {path.name}"

    def choices(self) -> list[Callable[[str], str]]:
        """What can be done to a handler."""
        return [
            *map(self._simple, SIMPLE), self.comment_at_end, self.reorder, self.delete, self.crlf,
            self.own_line, self.own_file, self.move, self.other_keyword, self.alias,
        ]  # fmt: skip

    def fits(self, text: str) -> bool:
        """Whether a module can be left like this."""
        try:
            ast.parse(text)
        except SyntaxError:
            return False
        return True

    def _mark(self) -> str:
        self._count += 1
        mark = f"mark_{self._count}_x"
        self.marks.add(mark)
        return mark

    def _sub(self, pattern: str, text: str, new: Callable[[re.Match[str]], str]) -> str:
        """Replace one of the matches."""
        found = list(re.finditer(pattern, text, re.MULTILINE))
        if not found:
            return text
        chosen = self._rng.choice(found)
        return text[: chosen.start()] + new(chosen) + text[chosen.end() :]

    def _simple(self, name: str) -> Callable[[str], str]:
        pattern, new = SIMPLE[name]

        def edit(text: str) -> str:
            return self._sub(pattern, text, lambda m: new.format(m, mark=self._mark()))

        edit.__name__ = name
        return edit

    def changed_line(self, text: str) -> str:
        return self._sub(r"(?<=\S)$", text, lambda m: f"  # {self._mark()}")

    def comment_at_end(self, text: str) -> str:
        return f"{text}\n# {self._mark()}\n"

    def _parts(self, text: str) -> list[str]:
        return re.split(r"(?m)^(?=@tool)", text)

    def reorder(self, text: str) -> str:
        head, *rest = self._parts(text)
        rest = [f"{part.rstrip()}\n\n\n" for part in rest]
        self._rng.shuffle(rest)
        return head + "".join(rest).rstrip() + "\n"

    def delete(self, text: str) -> str:
        parts = self._parts(text)
        if len(parts) > 1:
            del parts[self._rng.randrange(1, len(parts))]
        return "".join(parts)

    def move(self, text: str) -> str:
        """Move the last handler of a module to another one."""
        others = [p for p in sorted(self._handlers.glob("*.py")) if p.stem != "__init__"]
        parts, path = self._parts(text), self._rng.choice(others)
        there = path.read_bytes().decode()
        if len(parts) < 2 or there.replace("\r\n", "\n") == text or "@tool" not in there:
            return text
        moved = parts[-1].replace("\n", "\r\n" if "\r\n" in there else "\n")
        path.write_bytes(f"{there}\n\n{moved}".encode())
        return "".join(parts[:-1])

    def other_keyword(self, text: str) -> str:
        head, *rest = self._parts(text)
        if not rest:
            return text
        place, mark = self._rng.randrange(len(rest)), self._mark()
        part = re.sub(r"\bid: ", f"{mark}: ", rest[place], count=1).replace('": id', f'": {mark}')
        rest[place] = re.sub(r'^@tool\("\w+"', rf'\g<0>, {mark}="id"', part)
        return head + "".join(rest)

    def alias(self, text: str) -> str:
        functions = re.findall(r"(?m)^async def (\w+)", text)
        return f"{text}\n\n{self._mark()} = {self._rng.choice(functions)}\n" if functions else text

    def own_line(self, text: str) -> str:
        lines = text.split("\n")
        place = self._rng.randrange(len(lines))
        indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
        lines.insert(place, f"{indent}# {self._mark()}")
        return "\n".join(lines)

    def own_file(self, text: str) -> str:
        name = self._mark()
        (self._handlers / f"{name}.py").write_text(f"{name} = 1\n")
        return text

    def crlf(self, text: str) -> str:
        return text.replace("\n", "\r\n")
