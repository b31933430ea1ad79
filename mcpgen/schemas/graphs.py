"""Graphs, given as a dict from each node to its target nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def strongly_connected(graph: Mapping[str, Collection[str]]) -> Iterator[list[str]]:
    """The sets of nodes that reach each other, and each single node with an edge to itself.

    `graph` has the targets of each node; a target that is not a node is ignored. The algorithm is
    Tarjan's; the function does not call itself.
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    rest: dict[str, Iterator[str]] = {}
    path: list[str] = []
    for start in graph:
        stack = [start] if start not in number else []
        while stack:
            node = stack[-1]
            if node not in number:
                number[node] = low[node] = len(number)
                rest[node] = (other for other in graph[node] if other in graph)
                path.append(node)
            for other in rest[node]:
                if other not in number:
                    stack.append(other)
                    break
                low[node] = min(low[node], low[other])
            else:
                stack.pop()
                if stack:
                    low[stack[-1]] = min(low[stack[-1]], low[node])
                if low[node] == number[node]:
                    component = [node]
                    while (other := path.pop()) != node:
                        component.append(other)
                    low |= dict.fromkeys(component, len(graph))
                    if len(component) > 1 or node in graph[node]:
                        yield component
