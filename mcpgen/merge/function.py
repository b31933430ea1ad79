"""Merging an edited function with its newly generated version, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Any

import libcst as cst

from . import marks, parts
from .lists import Clash, Keyed, follows, merge_lists
from .names_used import names_in, variables_in
from .tokens import comments_in, fingerprint


@dataclass
class MergedFunction:
    """The merged function, its conflicts, and notes on what a person still has to adapt."""

    node: cst.FunctionDef
    clashes: list[Clash[cst.CSTNode]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def merge_function(
    base: Mapping[str, str], there: cst.FunctionDef, new: cst.FunctionDef, *, theirs: bool
) -> MergedFunction:
    """Merge a function; `base` has the hashes of its last generated version.

    If both sides changed a part of the function, the person's version stays; if `theirs` is set,
    the new version replaces it.
    """
    merger = _Merger(base, there, new, theirs)
    if rivals := merger.rivals():
        merger.out.clashes += [Clash(f"argument {each.key}", None, each.value) for each in rivals]
        merger.out.node = new if theirs else there
        return merger.out
    merger.name()
    merger.body()
    merger.docstring()
    merger.decorators()
    merger.returns()
    merger.signature()
    return merger.out


def takes_all(there: cst.FunctionDef, new: cst.FunctionDef, hashes: Mapping[str, str]) -> bool:
    """Whether a generated function can be merged into `there` without a conflict or a note."""
    done = merge_function(hashes, there, new, theirs=False)
    return not (done.clashes or done.notes)


class _Merger:
    def __init__(
        self, base: Mapping[str, str], there: cst.FunctionDef, new: cst.FunctionDef, theirs: bool
    ) -> None:
        self._base = base
        self._there = there
        self._new = new
        self._there_hashes = parts.hashes(there, base.get("call"))
        self._new_hashes = parts.hashes(self._new)
        self._theirs = theirs
        self.out = MergedFunction(there)
        self._brought: set[str] = set()
        """Variables that the merged call uses, and that the person's call did not."""

    def _follows(self, part: str) -> bool | None:
        hashes = (self._base, self._there_hashes, self._new_hashes)
        return follows(*(each.get(part, "") for each in hashes))

    def _takes(self, part: str, there: cst.CSTNode | None, new: cst.CSTNode | None) -> bool:
        """Whether to take the new version of a part; adds a conflict if both sides changed it."""
        is_new = self._follows(part)
        if is_new is None:
            self.out.clashes.append(Clash(part, there, new))
            return self._theirs
        return is_new

    def _change(self, **changes: object) -> None:
        self.out.node = self.out.node.with_changes(**changes)

    def name(self) -> None:
        if self._takes("name", self._there.name, self._new.name):
            self._change(name=self._new.name)

    def returns(self) -> None:
        there, new = (each.returns and each.returns.annotation for each in (self._there, self._new))
        if self._takes("returns", there, new):
            self._change(returns=self._new.returns)

    def decorators(self) -> None:
        """Merge the decorators; the tool's name in a handler's decorator is always the new one."""
        there = parts.decorators(self._there)
        before, now = parts.tool_literal(self._there), parts.tool_literal(self._new)
        new = parts.as_handler(self._new, before)
        base, offered = self._below("decorator "), parts.decorators(new)
        merged = merge_lists(base, there, offered, theirs=self._theirs, mix=self._mark)
        self._clashes("decorator ", merged.clashes)
        own = {each.key: each.value for each in there}
        self._change(decorators=[_in_place(e.value, own.get(e.key)) for e in merged.elements])
        self.out.node = parts.as_handler(self.out.node, now)

    def _mark(
        self, there: Keyed[cst.Decorator], new: Keyed[cst.Decorator]
    ) -> Keyed[cst.Decorator] | None:
        arguments = {each.key for each in parts.parameters(self._new)}
        before = set(self._below("argument "))
        mark = marks.merged(there.value, new.value, before, arguments, self._brought)
        return None if mark is None else Keyed(there.key, "", mark)

    def body(self) -> None:
        edited = self._base.get("body") != self._there_hashes["body"]
        if edited and "call" not in self._base and parts.is_stub(self._new):
            return  # What the stub asks for was written; only its words change, with its names.
        there = parts.send_call(self._there, self._base.get("call"))
        new = parts.send_call(self._new)
        if there is None and new is not None and edited:
            # Written anew without the call that follows the document.
            if self._base.get("call") == self._new_hashes["call"]:
                return
            self._clash_of_bodies()
            return
        if there is not None and new is None and not edited and self._follows("call") is None:
            self._clash_of_bodies()  # All that was edited is the call, which goes.
            return
        is_new = self._takes("body", self._there.body, self._new.body)
        self._take_body(self._new if is_new else self._there)
        if there is not None and new is not None:
            call = self._call(there, new)
            before, after = (variables_in(parts.code(each)) for each in (there, call))
            self._brought = after - before
            self._change(body=self.out.node.body.deep_replace(new if is_new else there, call))

    def _clash_of_bodies(self) -> None:
        self.out.clashes.append(Clash("body", self._there.body, self._new.body))
        if self._theirs:
            self._take_body(self._new)

    def _take_body(self, source: cst.FunctionDef) -> None:
        """Take the body of one side, without its docstring, which is merged separately."""
        self._change(body=_with_docstring(source.body, parts.docstring(self._there), source))

    def _call(self, there: cst.Call, new: cst.Call) -> cst.Call:
        is_new = self._follows("call")
        if is_new is not None:
            return new if is_new else there
        base = {k: h for k, h in self._below("call ").items() if "." not in k}
        own, offered = parts.arguments(there), parts.arguments(new)
        merged = merge_lists(base, own, offered, theirs=self._theirs, mix=self._mixed)
        self._clashes("call ", merged.clashes)
        return there.with_changes(args=_apart([each.value for each in merged.elements]))

    def _mixed(self, there: Keyed[cst.Arg], new: Keyed[cst.Arg]) -> Keyed[cst.Arg] | None:
        one, other = parts.members(there.value.value), parts.members(new.value.value)
        alike = type(there.value.value) is type(new.value.value)
        if one is None or other is None or not alike:
            return None
        prefix = f"call {there.key}."
        merged = merge_lists(
            self._below(prefix), parts.entries(one), parts.entries(other), theirs=self._theirs
        )
        self._clashes(prefix, merged.clashes)
        entries = _with_entries(one, [each.value for each in merged.elements])
        return Keyed(there.key, "", there.value.with_deep_changes(one, **entries))

    def docstring(self) -> None:
        there, new = parts.docstring(self._there), parts.docstring(self._new)
        if self._takes("docstring", there, new):
            body = _with_docstring(self.out.node.body, new, self.out.node)
            self._change(body=body)

    def signature(self) -> None:
        new = parts.parameters(self._new)
        there = parts.parameters(self._there)
        there[1:] = map(self._as_ours, there[1:])  # The first is the context, and no argument.
        edited = self._there_hashes["body"] != self._base.get("body")
        if edited:
            unset = {each.key for each in there if _is_unset(each.value)}
            new = [_as_unset(each) if each.key in unset else each for each in new]
        own = {each.key: each.value.name for each in there}
        if marks.takes_rest(parts.renames(self._there)):
            new = [each for each in new if each.key in self._brought.union(own)]
        merged = merge_lists(self._below("argument "), there, new, theirs=self._theirs)
        self._clashes("argument ", merged.clashes)
        used = names_in(_actions(self.out.node))
        left = {each.key for each in merged.elements}
        for each in there:
            if each.key not in left and each.value.name.value in used:
                self.out.clashes.append(Clash(f"argument {each.key}", each.value, None))
                if not self._theirs:
                    merged.elements.append(each)
        for each in merged.elements:
            if each.key not in own:
                self._tell_new(each, used, edited)
        self._misfits(merged.elements, parts.parameters(self._new))
        self._arrange(
            [e.value.with_changes(name=own.get(e.key, e.value.name)) for e in merged.elements]
        )

    def _tell_new(self, argument: Keyed[cst.Param], used: set[str], edited: bool) -> None:
        """Report a new argument that the edited body does not use, or that a variable hides."""
        name = argument.key
        if edited and name not in used:
            self.out.notes.append(f"its edited body does not use the new `{name}`")
        if name in variables_in(_actions(self._there)):
            self.out.clashes.append(Clash(f"argument {name}", None, argument.value))
            self.out.notes.append(f"its body already uses `{name}` for something else")

    def rivals(self) -> list[Keyed[cst.Param]]:
        """The new parameters whose keywords a person already uses for other arguments."""
        parameters = parts.parameters(self._there)[1:]
        own = {each.key for each in parameters} - {self._as_ours(each).key for each in parameters}
        return [each for each in parts.parameters(self._new) if each.key in own]

    def _as_ours(self, parameter: Keyed[cst.Param]) -> Keyed[cst.Param]:
        """A parameter that a person renamed, keyed by the keyword that mcpgen generated for it."""
        ours = {argument: keyword for keyword, argument in parts.renames(self._new).items()}
        argument = parts.renames(self._there).get(parameter.key, parameter.key)
        key = ours.get(argument, argument)
        if key == parameter.key or not self._is_ours(key):
            return parameter
        renamed = parameter.value.with_changes(name=cst.Name(key))
        return Keyed(key, fingerprint(parts.code(renamed)), parameter.value)

    def _is_ours(self, key: str) -> bool:
        """Whether mcpgen generated a keyword, now or in the last generation."""
        now = {each.key for each in parts.parameters(self._new)}
        return key in now or f"argument {key}" in self._base

    def _misfits(self, merged: list[Keyed[cst.Param]], new: list[Keyed[cst.Param]]) -> None:
        """Note arguments that only the tool or only the function has."""
        arguments = {each.key for each in new[1:]}  # The first is the context, and no argument.
        renamed = parts.renames(self.out.node)
        if self.out.node.params.star_kwarg is None and not marks.takes_rest(renamed):
            for name in sorted(arguments - {each.key for each in merged}):
                self.out.notes.append(f"it has no parameter for the argument `{name}`")
        for each in merged[1:]:
            is_rest = renamed.get(each.key) == "*"
            if each.key not in arguments and each.value.default is None and not is_rest:
                self.out.notes.append(f"it requires `{each.key}`, which the tool does not have")

    def _arrange(self, merged: Sequence[cst.Param]) -> None:
        """Order the parameters: first those that are positional in the existing or new function."""
        params = self.out.node.params
        positional = {each.name.value for each in (*params.params, *self._new.params.params)}
        first = {each.name.value for each in params.posonly_params}
        by_position = [e for e in merged if e.name.value in positional - first]
        late = _without_default_late([*params.posonly_params, *by_position])
        by_keyword = [e for e in merged if e.name.value not in (positional | first) - late]
        star = params.star_arg
        if not by_keyword and isinstance(star, cst.ParamStar):
            self._put_above(comments_in(parts.code(star)))
            star = cst.MaybeSentinel.DEFAULT
        self._change(
            params=params.with_changes(
                params=_apart([e for e in by_position if e.name.value not in late]),
                kwonly_params=_apart(by_keyword),
                star_arg=star,
            )
        )

    def _put_above(self, comments: Sequence[str]) -> None:
        """Put comments between the decorators and the function."""
        lines = [cst.EmptyLine(comment=cst.Comment(each)) for each in comments]
        self._change(lines_after_decorators=[*self.out.node.lines_after_decorators, *lines])

    def _below(self, prefix: str) -> dict[str, str]:
        return {
            key.removeprefix(prefix): value
            for key, value in self._base.items()
            if key.startswith(prefix)
        }

    def _clashes(self, prefix: str, clashes: Sequence[Clash[cst.CSTNode]]) -> None:
        self.out.clashes += [Clash(prefix + each.key, each.there, each.new) for each in clashes]


def _is_unset(parameter: cst.Param) -> bool:
    return isinstance(parameter.default, cst.Name) and parameter.default.value == "UNSET"


def _as_unset(parameter: Keyed[cst.Param]) -> Keyed[cst.Param]:
    """The parameter with its default replaced by `UNSET`, which an edited body may test for."""
    there = parameter.value
    if there.annotation is None or there.default is None or _is_unset(there):
        return parameter
    kind = cst.parse_expression(f"{parts.code(there.annotation.annotation)} | Unset")
    annotation = there.annotation.with_changes(annotation=kind)
    unset = there.with_changes(annotation=annotation, default=cst.Name("UNSET"))
    return Keyed(parameter.key, fingerprint(parts.code(unset)), unset)


def _without_default_late(parameters: Sequence[cst.Param]) -> set[str]:
    """The parameters that must become keyword-only, since they follow one with a default."""
    late = dropwhile(lambda each: each.default is None, parameters)
    return {each.name.value for each in late if each.default is None}


def _in_place(node: cst.Decorator, there: cst.Decorator | None) -> cst.Decorator:
    """A copy of the new decorator with the comments of the decorator that it replaces."""
    if there is None:
        return node
    return node.with_changes(
        leading_lines=there.leading_lines, trailing_whitespace=there.trailing_whitespace
    )


def _apart(elements: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    """The elements, each except the last followed by a comma and a space."""
    nodes = list(elements)
    match [getattr(each, "comma", None) for each in nodes]:
        case [*_, cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))]:  # of the same line
            nodes[-1] = nodes[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    for index, element in enumerate(nodes[:-1]):
        comma = element.comma  # type: ignore[attr-defined]  # all have one
        if isinstance(comma, cst.MaybeSentinel) or comma.whitespace_after.empty:
            space = cst.SimpleWhitespace(" ")
            nodes[index] = element.with_changes(comma=cst.Comma(whitespace_after=space))
    return nodes


def _with_entries(display: cst.Dict, entries: list[cst.BaseDictElement]) -> dict[str, Any]:
    """The changed fields of a dict display with new `entries`; a comment stays after its entry."""
    brace = display.rbrace
    end = brace.whitespace_before
    last = [place for place, each in enumerate(entries[:-1]) if each in display.elements[-1:]]
    if last and isinstance(end, cst.ParenthesizedWhitespace) and end.first_line.comment:
        comma = cst.Comma(whitespace_after=end.with_changes(empty_lines=()))
        entries[last[0]] = entries[last[0]].with_changes(comma=comma)
        end = end.with_changes(first_line=cst.TrailingWhitespace())
    return {"elements": _apart(entries), "rbrace": brace.with_changes(whitespace_before=end)}


def _with_docstring(
    body: cst.BaseSuite, text: cst.SimpleStatementLine | None, owner: cst.FunctionDef
) -> cst.BaseSuite:
    """The function's body with another docstring, or without a docstring."""
    if isinstance(body, cst.SimpleStatementSuite):
        if text is None:
            return body
        line = cst.SimpleStatementLine(body.body, trailing_whitespace=body.trailing_whitespace)
        body = cst.IndentedBlock([line])
    has = parts.docstring(owner.with_changes(body=body)) is not None
    rest = body.body[1:] if has else body.body
    return body.with_changes(body=rest if text is None else [text, *rest])


def _actions(function: cst.FunctionDef) -> str:
    """The body of a function without its docstring, as a block below `if True:`."""
    return f"if True:{parts.code(_with_docstring(function.body, None, function))}"
