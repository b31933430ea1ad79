"""JSONPath with a limit on steps, which includes the queries within filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jsonpath_rfc9535 import JSONPathEnvironment
from jsonpath_rfc9535.filter_expressions import (
    ComparisonExpression,
    Expression,
    FilterContext,
    FilterExpressionLiteral,
)
from jsonpath_rfc9535.node import JSONPathNode, JSONPathNodeList
from jsonpath_rfc9535.parse import Parser
from jsonpath_rfc9535.segments import (
    JSONPathChildSegment,
    JSONPathRecursiveDescentSegment,
    JSONPathSegment,
)
from jsonpath_rfc9535.selectors import FilterSelector
from jsonpath_rfc9535.tokens import TokenStream

from ..source.limits import Limits
from ..source.sourcefile import measure

_CHARACTERS_PER_STEP = 20
"""Characters of a filter that count as a step for each value that it is asked of."""


class _Operand(Expression):
    """A filter's operand that counts the values its own query visits."""

    __slots__ = ("operand",)

    def __init__(self, operand: Expression) -> None:
        super().__init__(operand.token)
        self.operand = operand

    def __str__(self) -> str:
        return str(self.operand)

    def evaluate(self, context: FilterContext) -> object:
        """The operand's value; its size is subtracted from the remaining steps."""
        value = self.operand.evaluate(context)
        inner = value.values() if isinstance(value, JSONPathNodeList) else value
        env: Any = context.env
        env.take(measure(inner)[0])
        return value


class _Filter(FilterSelector):
    __slots__ = ("cost",)
    env: Environment

    def __init__(self, selector: FilterSelector) -> None:
        super().__init__(env=selector.env, token=selector.token, expression=selector.expression)
        self.cost = 1 + len(str(self.expression)) // _CHARACTERS_PER_STEP

    def resolve(self, node: JSONPathNode) -> Iterable[JSONPathNode]:
        """The values in a node for which the filter is true."""
        if isinstance(node.value, (dict, list)):
            self.env.take(self.cost * len(node.value))
        return super().resolve(node)


class _Child(JSONPathChildSegment):
    __slots__ = ()
    env: Environment

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterator[JSONPathNode]:
        """The nodes that the selectors select."""
        for node in nodes:
            yield from _selected(self, node)


class _Descendant(JSONPathRecursiveDescentSegment):
    __slots__ = ()
    env: Environment

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterator[JSONPathNode]:
        """The nodes that the selectors select, here and in all descendants."""
        for node in nodes:
            for each in self._visit(node):
                yield from _selected(self, each)


def _selected(segment: _Child | _Descendant, node: JSONPathNode) -> Iterator[JSONPathNode]:
    take = segment.env.take
    for selector in segment.selectors:
        take(1)
        for each in selector.resolve(node):
            take(1)
            yield each


class _Parser(Parser):
    def parse_query(self, stream: TokenStream, **options: bool) -> Iterator[JSONPathSegment]:
        for each in super().parse_query(stream, **options):
            is_child = isinstance(each, JSONPathChildSegment)
            kind: Any = _Child if is_child else _Descendant
            yield kind(env=each.env, token=each.token, selectors=each.selectors)

    def parse_filter_selector(self, stream: TokenStream) -> FilterSelector:
        return _Filter(super().parse_filter_selector(stream))

    def parse_infix_expression(self, stream: TokenStream, left: Expression) -> Expression:
        parsed = super().parse_infix_expression(stream, left)
        if isinstance(parsed, ComparisonExpression) and not any(
            isinstance(side, FilterExpressionLiteral) for side in (parsed.left, parsed.right)
        ):
            parsed.left, parsed.right = _Operand(parsed.left), _Operand(parsed.right)
        return parsed


class Environment(JSONPathEnvironment):
    """A JSONPath environment whose queries report the number of their steps to `take`."""

    parser_class = _Parser
    max_recursion_depth = 3 * Limits().max_depth

    take: Callable[[int], None]
