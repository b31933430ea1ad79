"""People and documents that give the same names again and again."""

import ast
import random
import re
from collections.abc import Callable
from pathlib import Path

from .world import WORDS, Document, Person


class TakingDocument(Document):
    """A document whose operations take the names of those that are gone, and other paths."""

    def changes(self) -> list[Callable[[], None]]:
        """What can be changed."""
        return [*super().changes(), *[self.take_name, self.bring_one, self.new_path] * 2]

    def take_name(self) -> None:
        if self._removed:
            gone = self._rng.choice(list(self._removed.values()))
            self._any()["operationId"] = gone["operationId"]

    def bring_one(self) -> None:
        if self._removed:
            key = self._rng.choice(list(self._removed))
            self.operations[key] = self._removed.pop(key)

    def new_path(self) -> None:
        key = self._rng.choice(list(self.operations))
        method = key.partition(" ")[0]
        self.operations[f"{method} /{self._fresh()}/{{id}}"] = self.operations.pop(key)


class NamingPerson(Person):
    """A person who gives names that are taken or soon will be, and who copies handlers."""

    def __init__(self, rng: random.Random, folder: Path, package: str) -> None:
        super().__init__(rng, folder, package)
        self._copies = 0

    def choices(self) -> list[Callable[[str], str]]:
        """What can be done to a handler."""
        more = [self.give, self.give, self.thing, self.copy, self.carry, self.comment_below]
        return [*super().choices(), *more * 4]

    def fits(self, text: str) -> bool:
        """Whether a module can be left like this: every name is there once."""
        if not super().fits(text):
            return False
        names = [name for node in ast.parse(text).body if (name := getattr(node, "name", ""))]
        return len(names) == len(set(names))

    def _name(self) -> str:
        texts = [path.read_text() for path in sorted(self._handlers.glob("*.py"))]
        taken = re.findall(r"(?m)^async def (\w+)", "".join(texts))
        words = [f"get_{word}{number}" for word in WORDS for number in (1, 2, 3)]
        return self._rng.choice([*taken * 9, *words, "list", "Own", "_own"])

    def give(self, text: str) -> str:
        name = self._name()
        return self._sub(r"^async def \w+", text, lambda m: f"async def {name}")

    def thing(self, text: str) -> str:
        name = self._name()
        if re.search(rf"\b{name}\b", text):
            return text
        kinds = ("{} = 1", "class {}: ...", "def {}() -> None: ...", "import json as {}")
        kind = self._rng.choice(kinds).format(name)
        return self._sub(r"^@tool", text, lambda m: f"{kind}\n\n\n@tool")

    def copy(self, text: str) -> str:
        """Copy a handler under another name, here or to another module."""
        _, *handlers = self._parts(text)
        if not handlers:
            return text
        self._copies += 1
        handler = self._rng.choice(handlers)
        copied = re.sub(r"async def \w+", f"async def copy_{self._copies}", handler, count=1)
        if self._rng.random() < 0.5:
            return f"{text.rstrip()}\n\n\n{copied}"
        self._add(copied, text)
        return text

    def move(self, text: str) -> str:
        """Nothing: see `carry`."""
        return text

    def carry(self, text: str) -> str:
        """Move a handler to another module, where its name is free there."""
        head, *handlers = self._parts(text)
        if not handlers:
            return text
        moved = handlers.pop(self._rng.randrange(len(handlers)))
        return "".join([head, *handlers]) if self._add(moved, text) else text

    def _add(self, handler: str, text: str) -> bool:
        """Whether a handler could be added to another module than one with this text."""
        others = [p for p in sorted(self._handlers.glob("*.py")) if p.stem != "__init__"]
        path = self._rng.choice(others)
        there = path.read_bytes().decode()
        after = f"{there.rstrip()}\n\n\n{handler}"
        if there.replace("\r\n", "\n") == text or not self.fits(after):
            return False
        path.write_bytes(after.encode())
        return True

    def comment_below(self, text: str) -> str:
        return self._sub(r"^    return .*\n(?! )", text, lambda m: f"{m[0]}    # {self._mark()}\n")
