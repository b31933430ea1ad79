"""Three-way merge of Python modules that people edit, definition by definition.

For the last generated version, only hashes are known (`snapshot`, kept in the lock). A part that
nobody edited is replaced by the generator's, and an edited part stays. A part that both sides
changed also stays, and is reported as a conflict.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import libcst as cst
from msgspec.structs import replace

from . import imports as merge_imports
from .conflicts import Conflict, Unplaced, lines_of
from .function import merge_function, takes_all
from .lists import follows, insert
from .names_used import bound_in, own_names_in
from .parts import Definition, bare, code, definitions, statements
from .snapshot import DOCSTRING, HANDLER, IMPORTS, Snapshot, handler_keys, is_edited, offer_keys

_OF = f"{DOCSTRING} of "
_UNKNOWN = "libcst, which merges edits, cannot parse this, though Python can; write it another way"


class MergeError(Exception):
    """Raised for a module that cannot be parsed."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason


@dataclass
class Merged:
    """The merged module, and its conflicts."""

    text: str
    conflicts: list[Conflict] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Definitions that the generator no longer writes and that stay because they were edited."""
    used: list[str] = field(default_factory=list)
    """Those that stay because other code in the module uses them."""
    notes: list[str] = field(default_factory=list)
    """What no longer fits, and what was put back."""
    back: list[str] = field(default_factory=list)
    """The handlers that were put back."""
    empty: bool = False
    """Nothing is left but imports that we wrote."""


def merge(
    base: Snapshot,
    there: str,
    new: str,
    *,
    elsewhere: Snapshot | None = None,
    renamed: Mapping[str, str] | None = None,
    own_keys: Collection[str] = (),
    theirs: bool = False,
) -> Merged:
    """Merge a module; `renamed` maps old keys of definitions to new ones.

    `elsewhere` has the handlers of all modules, since a person may have moved one of them into this
    module. `own_keys` holds the old keys of definitions that a person renamed, which counts as an
    edit. If both sides changed a part, the person's version stays; with `theirs` the generator's
    version is taken. Raises MergeError if `there` does not parse.
    """
    keys, elsewhere = renamed or {}, elsewhere or {}
    base = _by_subject(base)
    module, offered = _parse(there), _parse(new)
    keyed_base, others = (
        {keys.get(key, key): parts for key, parts in each.items()} for each in (base, elsewhere)
    )
    own = {keys.get(key, key) for key in own_keys}
    present = _with_base_keys(module, base, elsewhere, keys)
    merger = _Merger(keyed_base, others, _taken(module, present), own, theirs)
    done = merger.run(present, _definitions(offered))
    merged = module.with_changes(body=_with_imports(module, present, done))
    imported = base.get(IMPORTS, {})
    rivals = merger.rivals(imported, merged, offered, done)
    merged = merge_imports.follow({**imported, **rivals}, merged, offered)
    out = merger.out
    out.text = merged.code
    ours = merge_imports.are_ours(imported, merged)
    out.empty = ours and not statements(merged) and "#" not in out.text
    if merger.clashes:
        spots = {id(each.node): each.key for each in (*_definitions(merged), *done)}
        names = {each.part for each in merger.clashes if each.key == IMPORTS}
        spots |= {id(each): IMPORTS for each in merge_imports.binding(merged, names)}
        lines = lines_of(merged, spots)
        out.conflicts = [each.placed(lines) for each in merger.clashes]
    return out


def _definitions(module: cst.Module) -> list[Definition]:
    entries = definitions(module)
    subjects = _subjects([each.key for each in entries])
    return [replace(each, key=subjects.get(each.key, each.key)) for each in entries]


def _by_subject(base: Snapshot) -> Snapshot:
    """The hashes in a lock; the docstring of a variable gets a key made of the variable's name."""
    subjects = _subjects(list(base))
    return {subjects.get(key, key): parts for key, parts in base.items()}


def _subjects(keys: Sequence[str]) -> dict[str, str]:
    """New keys for docstrings of variables, made of the variables' names.

    Keys that only count the docstrings would shift as soon as a variable further up gets one.
    """
    return {
        key: f"{_OF}{above.removesuffix(' =')}"
        for above, key in pairwise(keys)
        if above.endswith(" =") and (key == DOCSTRING or key.startswith(f"{DOCSTRING} #"))
    }


def _with_base_keys(
    module: cst.Module, base: Snapshot, elsewhere: Snapshot, renamed: Mapping[str, str]
) -> list[Definition]:
    """The definitions of an edited module, each keyed as in the newly generated module."""
    entries = _definitions(module)
    hashes = {each.key: each.hashes for each in entries}
    keys = offer_keys(hashes, base) | handler_keys(hashes, base, elsewhere)
    entries = [replace(each, key=keys.get(each.key, each.key)) for each in entries]
    return [replace(each, key=renamed.get(each.key, each.key)) for each in entries]


def _parse(text: str) -> cst.Module:
    try:
        bound_in(text)  # Python itself: it knows no later syntax, and no argument twice
        return cst.parse_module(text)
    except SyntaxError as error:
        raise MergeError(error.lineno or 1, error.offset or 1, error.msg) from None
    except cst.ParserSyntaxError as error:
        # "error at 9:7"; its `raw_line` is the line below
        line, column, *_ = [*map(int, re.findall(r"\d+", error.message)), 1, 0]
        raise MergeError(line, column + 1, _UNKNOWN) from None


class _Merger:
    def __init__(
        self,
        base: Snapshot,
        elsewhere: Snapshot,
        taken: Mapping[str, str],
        own_keys: Collection[str],
        theirs: bool,
    ) -> None:
        self._base = base
        self._elsewhere = elsewhere
        self._taken = taken
        self._own_keys = own_keys
        self._theirs = theirs
        self.out = Merged("")
        self.clashes: list[Unplaced] = []

    def run(self, there: list[Definition], new: list[Definition]) -> list[Definition]:
        """Merge the definitions; those that exist already keep their order."""
        offered = {each.key: each for each in new}
        left: list[Definition | None] = []
        for each in there:
            offer = offered.get(each.key)
            left.append(self._without(each) if offer is None else self._with(each, offer))
        out = self._with_used(there, left, {_bound(each) for each in new})
        present = {each.key for each in there}
        for index, each in enumerate(new):
            if each.key in present or not self._wants(each):
                continue
            if each.key.startswith(_OF) and new[index - 1].key not in {d.key for d in out}:
                continue  # the variable is gone that it tells of
            insert(out, each, new[:index])
        return out

    def _wants(self, new: Definition) -> bool:
        """Whether to write a missing definition: not if a person removed it.

        A tool would fail without its handler, so a handler is written again, unless a person
        defined something else under its name.
        """
        if _name(new) in self._taken:
            if self._base.get(new.key, {}).get("whole") != new.hashes["whole"]:
                at = self._taken[_name(new)]
                self.clashes.append(Unplaced(new.key, "name", None, bare(new.node), at))
            return False
        if new.key not in self._base:
            return True
        if new.key.startswith(HANDLER):
            self.out.notes.append(f"the handler of {new.key} was gone; it was put back")
            self.out.back.append(new.key)
            return True
        return False

    def _without(self, there: Definition) -> Definition | None:
        """The definition, if a person wrote or edited it; None if it is to be removed."""
        base = self._base.get(there.key)
        if base is None:
            return there
        if not is_edited(base, there.hashes) and there.key not in self._own_keys:
            return None
        self.out.kept.append(there.key)
        return there

    def _with_used(
        self, there: list[Definition], left: list[Definition | None], offered: set[str]
    ) -> list[Definition]:
        """Put back into `left` each removed definition that is still used; returns the result."""
        while True:
            out = [each for each in left if each is not None]
            if len(out) == len(left):
                return out
            bound = offered.union(map(_bound, out))
            used = own_names_in("".join(code(each.node) for each in out)) - bound
            back = [i for i, each in enumerate(there) if left[i] is None and _bound(each) in used]
            if not back:
                return out
            for place in back:
                left[place] = there[place]
                self.out.used.append(there[place].key)

    def rivals(
        self,
        imported: Mapping[str, str],
        there: cst.Module,
        new: cst.Module,
        merged: list[Definition],
    ) -> dict[str, str]:
        """Report each new import whose name hand-written code already uses for something else.

        Returns the hand-written imports among these, which the new imports replace.
        """
        own = {name: each for each in merged for name in _all_bound(each)}
        nodes = {name: each.node for name, each in own.items()}
        pairs = merge_imports.rivals(imported, there, new, nodes)
        for name, sides in pairs.items():
            self.clashes.append(Unplaced(own[name].key if name in own else IMPORTS, name, *sides))
        imports = merge_imports.imports(there) if self._theirs else {}
        return {name: imports[name].source for name in pairs if name in imports}

    def _with(self, there: Definition, new: Definition) -> Definition:
        base = self._base.get(there.key) or self._elsewhere.get(there.key, {})
        taken = follows(base.get("whole"), there.hashes["whole"], new.hashes["whole"])
        if taken is False:
            return there
        if taken:
            return replace(there, node=_in_place(new.node, there.node))
        if not (isinstance(there.node, cst.FunctionDef) and isinstance(new.node, cst.FunctionDef)):
            self.clashes.append(Unplaced(there.key, "", bare(there.node), bare(new.node)))
            return replace(there, node=_in_place(new.node, there.node)) if self._theirs else there
        was_gone = not base and there.key.startswith(HANDLER) and (self._base or self._elsewhere)
        if was_gone and takes_all(there.node, new.node, new.hashes):
            self.out.notes.append(f"{new.key} is back, with the handler that was kept")
            return there
        done = merge_function(base, there.node, new.node, theirs=self._theirs)
        self.clashes += [Unplaced(there.key, c.key, c.there, c.new) for c in done.clashes]
        self.out.notes += [f"{there.key}: {note}" for note in done.notes]
        return replace(there, node=_in_place(done.node, there.node))


def _taken(module: cst.Module, definitions: Iterable[Definition]) -> dict[str, str]:
    """The names used for something other than a handler, each with its definition's key."""
    names = dict.fromkeys(merge_imports.imports(module), IMPORTS)
    for each in definitions:
        if not each.key.startswith(HANDLER):
            names |= dict.fromkeys(_all_bound(each), each.key)
    return names


def _all_bound(definition: Definition) -> set[str]:
    """All names that a definition binds, also in its branches."""
    return {_bound(definition)} | bound_in(code(definition.node))


def _bound(definition: Definition) -> str:
    """The name that a definition binds."""
    return _name(definition) or definition.key.removesuffix(" =")


def _name(definition: Definition) -> str:
    node = definition.node
    return node.name.value if isinstance(node, (cst.FunctionDef, cst.ClassDef)) else ""


def _in_place(node: cst.BaseStatement, there: cst.BaseStatement) -> cst.BaseStatement:
    """A copy of the new statement, with the blank lines and comments above the old one."""
    changed: cst.BaseStatement = node.with_changes(
        leading_lines=getattr(there, "leading_lines", ())
    )
    return changed


def _with_imports(
    module: cst.Module, there: list[Definition], merged: list[Definition]
) -> list[cst.BaseStatement]:
    """The statements of the module, in which the merged definitions replace the old ones.

    Imports keep their positions between the definitions.
    """
    ahead = {each.key: index for index, each in enumerate(there)}
    own = {id(each.node) for each in there}
    is_new = DOCSTRING not in ahead
    order = [each.node for each in merged[:1] if is_new and each.key == DOCSTRING]
    queue = merged[len(order) :]
    position = 0
    for statement in module.body:
        if id(statement) in own:
            position += 1
            continue
        order += _until(queue, ahead, position)
        order.append(statement)
    return order + [each.node for each in queue]


def _until(queue: list[Definition], ahead: Mapping[str, int], end: int) -> list[cst.BaseStatement]:
    """Remove and return the first definitions, up to the last one that was before `end`.

    `ahead` has the earlier position of each definition.
    """
    count = 0
    for index, each in enumerate(queue):
        if ahead.get(each.key, end) < end:
            count = index + 1
    taken = [each.node for each in queue[:count]]
    del queue[:count]
    return taken
