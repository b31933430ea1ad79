"""The marks of handlers: which keyword takes which argument, where their names differ."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

import libcst as cst

from . import parts


def merged(
    there: cst.Decorator,
    new: cst.Decorator,
    before: Collection[str],
    parameters: Collection[str],
    brought: Collection[str],
) -> cst.Decorator | None:
    """An edited mark, changed for the arguments of the new one; None if both sides changed it.

    `before` holds the keywords that were generated last time, `parameters` those of now, and
    `brought` the new ones that must be keywords of their own even if another one takes the rest.
    """
    call, offer = there.decorator, new.decorator
    if not (parts.is_mark(there) and isinstance(call, cst.Call) and isinstance(offer, cst.Call)):
        return None
    own, offered = parts.renamed_in(there), parts.renamed_in(new)
    arguments = {offered.get(each, each) for each in parameters}
    gone = {each for each, name in own.items() if each in before and name not in arguments}
    added = {each for each in offered if each not in own or each in gone}
    added -= {each for each in added if offered[each] in own.values()}
    if takes_rest(own):
        added &= gone.union(brought)
    if added & {*before} - gone:
        return None
    own_args = [each for each in call.args if _keyword(each) not in gone]
    new_args = [each for each in offer.args if _keyword(each) in added]
    args = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in (*own_args, *new_args)]
    return there.with_changes(decorator=call.with_changes(args=args))


def takes_rest(renamed: Mapping[str, str]) -> bool:
    """Whether one of the keywords is marked as taking all arguments that no other takes."""
    return "*" in renamed.values()


def apart(
    function: cst.FunctionDef, taken: Collection[str], used: Collection[str]
) -> cst.FunctionDef:
    """The handler with new keywords in place of those that are `taken`; none is among `used`."""
    keywords = [each.key for each in parts.parameters(function) if each.key in taken]
    if not keywords:
        return function
    names = {each: _free(each, used) for each in keywords}
    changed = function.visit(_Renaming(names))
    assert isinstance(changed, cst.FunctionDef)
    renames = parts.renames(function)
    says = {names[each]: renames.get(each, each) for each in keywords}
    return changed.with_changes(
        decorators=[
            _saying(each, says, names) if parts.is_mark(each) else each
            for each in function.decorators
        ]
    )


def _saying(
    mark: cst.Decorator, says: Mapping[str, str], instead: Collection[str]
) -> cst.Decorator:
    call = mark.decorator
    assert isinstance(call, cst.Call)
    args = [each for each in call.args if _keyword(each) not in instead]
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    args += [
        cst.Arg(cst.SimpleString(json.dumps(name)), keyword=cst.Name(keyword), equal=equal)
        for keyword, name in says.items()
    ]
    return mark.with_changes(decorator=call.with_changes(args=args))


def _keyword(argument: cst.Arg) -> str:
    return argument.keyword.value if argument.keyword is not None else ""


def _free(name: str, used: Collection[str]) -> str:
    while name in used:
        name += "_"
    return name


class _Renaming(cst.CSTTransformer):
    """Gives variables other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        name = original_node.value
        return updated_node.with_changes(value=self._names.get(name, name))

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        return updated_node.with_changes(name=original_node.name)
