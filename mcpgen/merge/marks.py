"""The decorators of handlers, which map keywords to arguments with other names."""

from __future__ import annotations

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
    """A handler's edited decorator, updated to the new arguments; None if both sides changed it.

    `before` has the keywords of the last generation, `parameters` those of this one. `brought` has
    the new keywords that need an entry of their own, even if one keyword takes all remaining
    arguments.
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
    """Whether a handler's decorator maps a keyword to all remaining arguments."""
    return "*" in renamed.values()


def _keyword(argument: cst.Arg) -> str:
    return argument.keyword.value if argument.keyword is not None else ""
