"""Converts one schema object of a document to JSON Schema 2020-12; references stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct, field

from ..api import Schema
from ..patterns import advertised as patterns
from ..schemas.subschemas import ANNOTATIONS, LISTS, MAPS, SINGLE, VALUES, reference_to
from ..schemas.types import ALL, declared_types
from ..source.document import Node, ReferenceProblem
from ..source.suggestions import QUOTED
from . import spelled_examples, unenforced
from .closed_objects import CLOSING, OPENED, closed_base, closing_of
from .conversion_host import Host
from .dialect_rules import NULLABLE, Rules, odd_dialect, rules_of
from .dynamic_scope import EMPTY, Scope
from .enum_values import as_written, with_value_lines
from .keywords import CHECKS, DATA, Unfit, distinct, type_meant
from .misspelled_keywords import hint_for, misspelled
from .nullable import may_be_null, means_null, or_null


class _Work(NamedTuple):
    """A schema that is yet to be converted, with the place to put the result."""

    node: Node
    rules: Rules
    holder: Any
    place: Any
    opened: bool = False
    """It closes no object; the schema that it is a part of does."""


class _Part(Struct):
    """A schema while it is converted."""

    node: Node
    rules: Rules
    opens: bool
    """Neither it nor the schemas of its `allOf` close an object."""
    unmet: Set[str] = frozenset()
    """Names that neither it nor its `allOf` may require, since it forbids them."""
    out: dict[str, Any] = field(default_factory=dict)
    pattern_text: str = ""
    """The sentence in its description about a pattern that is not advertised."""


_NOT_IN_PARAMETERS = frozenset({"required", "description"})
_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_LIMITS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_NUMBERS = {
    **dict.fromkeys((f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "decimal128"), "number"),
}
"""Types by their formats: .NET leaves out the type of what may be written as text too."""
_SAYING = frozenset({"type", "$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const"})
_NO_ITEMS = "an array without `items`, which models' APIs refuse; it is advertised with `items: {}`"
_OTHER_TYPE = "`type` cannot be `{}`; it is read as `{}`"
_REQUIRED_IN_PROPERTY = (
    "`required` belongs beside `properties`, as a list of names; it is read as if it were there"
)
_ITEMS = frozenset({"items", "unevaluatedItems"})
_MAY_BE_EMPTY = ANNOTATIONS | {"format", "$comment"}


class Conversion:
    """Converts the schema at one node and all its subschemas, without recursion."""

    def __init__(self, host: Host, scope: Scope = EMPTY) -> None:
        self._host = host
        self._scope = scope
        self._work: list[_Work] = []
        self._discriminated: list[tuple[Node, dict[str, Any]]] = []

    def run(
        self, node: Node, rules: Rules, *, parameter: bool = False, opened: bool = False
    ) -> Schema:
        """The converted schema of a node.

        `parameter`: the node is a 2.0 parameter, whose `required` and `description` are not the
        schema's. `opened`: allow undeclared properties; the schema that refers to the result
        forbids them.
        """
        ignored = _NOT_IN_PARAMETERS if parameter else frozenset[str]()
        result = self._schema(node, rules, ignored, opened=opened)
        while self._work:
            work = self._work.pop()
            work.holder[work.place] = self._schema(work.node, work.rules, opened=work.opened)
        for holder, schema in self._discriminated:
            self._host.discriminate(holder, schema)
        return result

    def _schema(
        self,
        node: Node,
        rules: Rules,
        ignored: frozenset[str] = frozenset(),
        *,
        opened: bool,
    ) -> Schema:
        source = node.value
        if isinstance(source, bool):
            return source
        if not isinstance(source, dict):
            self._host.warn(node, "a schema must be an object or a boolean; this accepts anything")
            return {}
        if (refused := self._host.refused(node)) is not None:
            return refused
        if "$schema" in source:
            rules = rules_of(source["$schema"], rules)
            if problem := odd_dialect(source["$schema"]):
                self._host.warn(node.child("$schema"), problem, once=True)
        whole = self._host.closed_whole
        closing = OPENED
        if not opened:
            closing = closing_of(node, siblings=rules.siblings, closed_whole=whole)
        if closing.text:
            self._host.warn(node.child(closing.keyword), closing.text, closing.hint)
        part = _Part(node, rules, opened or closing.is_whole, closing.unmet)
        ignored |= self._ignored(part, opened=opened)
        for keyword, reason in unenforced.left_out(node).items():
            ignored |= {keyword}
            if reason:
                self._host.warn(node.child(keyword), reason)
        if self._reference(part) and not rules.siblings:
            ignored |= source.keys() - ANNOTATIONS - {"example"}
        for keyword, value in source.items():
            if keyword not in ignored:
                self._keyword(part, keyword, value)
        self._draft_4_limits(part)
        _describe(part)
        if closing.is_whole:
            part.out["unevaluatedProperties"] = False
            self._say_value(part)
        if "required" in part.out and part.unmet:
            own = [name for name in part.out.pop("required") if name not in part.unmet]
            part.out |= {"required": own} if own else {}
        self._add_types(part)
        if "oneOf" in part.out:
            self._host.has_choice(node, part.out)
        return self._or_null(part)

    def _ignored(self, part: _Part, *, opened: bool) -> frozenset[str]:
        """The keywords of a schema to leave out, such as those that would close an object."""
        source, names = part.node.value, frozenset({"discriminator"} if opened else ())
        if part.opens:
            names |= {name for name in CLOSING if source.get(name) is False}
        patterned = part.node.optional("patternProperties").items()
        if any(not patterns.key_of(key) for key, _ in patterned):
            names |= {*CLOSING}  # a name of that pattern would be refused
        return names

    def _add_types(self, part: _Part) -> None:
        """Add types that the schema omits but clients need, such as the type of items."""
        out = part.out
        kind = _NUMBERS.get(out.get("format", ""))
        if kind is not None and self._host.formats_are_types and _SAYING.isdisjoint(out):
            out["type"] = [kind, "string"] if "pattern" in part.node.value else kind
        if "array" in declared_types(out.get("type", ())) and not _ITEMS & out.keys():
            out["items"] = {}
            self._host.warn(part.node, _NO_ITEMS, once=True)

    def _or_null(self, part: _Part) -> Schema:
        """The converted schema, changed to allow null if the document has `nullable: true`."""
        out = part.out
        whole = or_null(out) if self._nullable(part.node, part.rules) else out
        for schema in (out,) if whole is out else (out, whole):
            if not VALUES.isdisjoint(schema):
                self._host.has_values(part.node, schema)
        return whole

    def _nullable(self, node: Node, rules: Rules) -> bool:
        """Whether the schema has `nullable: true`; reported if its dialect has no such keyword."""
        keyword = next((name for name in NULLABLE if node.value.get(name) is True), None)
        if keyword is not None and not rules.nullable:
            message = "`nullable` is OpenAPI 3.0's; it is read as `null` among the types"
            self._host.warn(node.child(keyword), message, once=True)
        return keyword is not None

    def _reference(self, part: _Part) -> bool:
        node, out, source = part.node, part.out, part.node.value
        if _REFERENCES.isdisjoint(source):
            return False
        for keyword, refer in (
            ("$ref", partial(self._host.refer, opened=part.opens)),
            ("$dynamicRef", self._host.dynamic),
            ("$recursiveRef", self._host.dynamic),
        ):
            if keyword not in source:
                continue
            reference = source[keyword]
            if not isinstance(reference, str):
                message = f"`{keyword}` must be a string; it is ignored"
                self._host.warn(node.child(keyword), message, QUOTED if reference is None else "")
            elif "$ref" in out:
                out.setdefault("allOf", []).append(
                    reference_to(refer(node, reference, self._scope))
                )
            else:
                out.update(reference_to(refer(node, reference, self._scope)))
        return "$ref" in out

    def _keyword(self, part: _Part, keyword: str, value: Any) -> None:
        node, out = part.node, part.out
        if keyword in DATA:
            out[keyword] = value
        elif value is None and keyword in _MAY_BE_EMPTY:
            return
        elif keyword == "example":
            if value is not None or may_be_null(node.value):
                out.setdefault("examples", [value])
        elif keyword == "type" and value == "file":
            out.update(type="string", format="binary")
        elif keyword == "type" and isinstance(value, str) and (meant := type_meant(value)):
            out["type"], kind = meant
            if value not in ALL:
                self._host.warn(node.child(keyword), _OTHER_TYPE.format(value, meant[0]))
            if kind and "format" not in node.value:
                out["format"] = kind
        elif keyword in _LIMITS and isinstance(value, bool):
            out[keyword] = value
        elif keyword == "pattern" and isinstance(value, str):
            pattern = patterns.read(value)
            for name, rule in pattern.keywords.items():
                out.setdefault(name, rule)
            if pattern.problem:
                self._host.warn(node.child(keyword), f"`pattern` {pattern.problem}")
            if not pattern.keywords:
                part.pattern_text = patterns.in_words(value)
        elif keyword in CHECKS:
            try:
                fit = CHECKS[keyword](value)
                before = out.get(keyword, ()) if keyword == "required" else ()
                out[keyword] = distinct([*before, *fit]) if before else fit
            except Unfit as problem:
                message = f"`{keyword}` {problem}; it is ignored"
                self._host.warn(node.child(keyword), message, problem.hint)
        else:
            self._applicator(part, keyword)

    def _applicator(self, part: _Part, keyword: str) -> None:
        node, source = part.node, part.node.value
        if keyword == "items" and isinstance(source["items"], list):
            if source["items"] and not part.rules.tuples:
                self._host.warn(
                    node.child("items"),
                    "`items` as a list belongs to older drafts; it is read as `prefixItems`",
                    once=True,
                )
            self._list(part, "items", "prefixItems")
        elif keyword == "additionalItems":
            if isinstance(source.get("items"), list):
                self._single(part, keyword, "items")
        elif keyword == "dependencies":
            self._dependencies(part)
        elif keyword == "discriminator":
            self._discriminated.append((node, part.out))
        elif keyword in SINGLE:
            self._single(part, keyword, keyword)
        elif keyword in LISTS:
            self._list(part, keyword, keyword)
        elif keyword in MAPS:
            self._map(part, keyword)
        elif near := self._host.meant(keyword):
            self._host.warn(node.child(keyword), misspelled(keyword), hint_for(keyword, near))

    def _single(self, part: _Part, keyword: str, place: str) -> None:
        child = part.node.child(keyword)
        if isinstance(child.value, (bool, Mapping)):
            part.out[place] = None
            self._work.append(_Work(child, part.rules, part.out, place))
        else:
            self._host.warn(child, f"`{keyword}` must be a schema; it is ignored")

    def _list(self, part: _Part, keyword: str, place: str) -> None:
        child, out = part.node.child(keyword), part.out
        if not isinstance(child.value, list) or not child.value:
            self._host.warn(
                child, f"`{keyword}` must be a list of at least one schema; it is ignored"
            )
            return
        elements = list(child.elements())
        schemas = [item for item in elements if isinstance(item.value, (bool, Mapping))]
        if len(schemas) < len(elements):
            if keyword != "allOf" or not schemas:
                self._host.warn(child, f"`{keyword}` must hold only schemas; it is ignored")
                return
            self._host.warn(child, "`allOf` must hold only schemas; anything else is ignored")
        before = out.get(place, []) if place == "allOf" else []
        holder = [*before, *([None] * len(schemas))]
        out[place] = holder
        for index, item in enumerate(schemas, len(before)):
            if place in ("anyOf", "oneOf") and means_null(item.value):
                self._nullable(item, part.rules)
                rest = {name: value for name, value in item.value.items() if name not in NULLABLE}
                item = item.with_value({**rest, "type": "null"})
            opened = part.opens and place == "allOf"
            item = _requiring_less(item, part.unmet) if place == "allOf" and part.unmet else item
            self._work.append(_Work(item, part.rules, holder, index, opened))

    def _map(self, part: _Part, keyword: str) -> None:
        child, out = part.node.child(keyword), part.out
        if not isinstance(child.value, Mapping):
            self._host.warn(child, f"`{keyword}` must be an object of schemas; it is ignored")
            return
        holder: dict[str, Any] = out.setdefault(keyword, {})
        for name, item in self._members(child, out):
            if keyword == "properties" and item.optional("required").value is True:
                self._host.warn(item.child("required"), _REQUIRED_IN_PROPERTY)
                rest = {key: each for key, each in item.value.items() if key != "required"}
                item = item.with_value(rest)
                out["required"] = distinct([*out.get("required", ()), name])
            if keyword == "patternProperties":
                key, why = patterns.key_of(name), patterns.read(name).problem
                if key and why:
                    self._host.warn(item, f"this pattern {why}")
                if not key:
                    self._host.warn(item, f"this pattern {why.partition(';')[0]}; it is left out")
                    continue
                name = key
            holder[name] = None
            self._work.append(_Work(item, part.rules, holder, name))

    def _members(self, node: Node, out: dict[str, Any]) -> Iterator[tuple[str, Node]]:
        """The members of a map of schemas (such as `properties`), and those of its `$ref`'s target.

        JSON Schema allows no reference there, but some documents have one. A `$ref` with a string
        is never a property, since a string is not a schema. A dangling reference makes the schema
        unusable, as elsewhere.
        """
        own = {name: item for name, item in node.items() if not (name == "$ref" and node.is_ref)}
        try:
            others = node.resolve().items() if node.is_ref else ()
        except ReferenceProblem:
            others = ()
            out.setdefault("allOf", []).append(
                reference_to(self._host.refer(node, node.reference, self._scope))
            )
        yield from ((name, item) for name, item in others if name not in own)
        yield from own.items()

    def _dependencies(self, part: _Part) -> None:
        """Convert draft 7's `dependencies` to `dependentRequired` and `dependentSchemas`."""
        node, out = part.node.child("dependencies"), part.out
        if not isinstance(node.value, Mapping):
            self._host.warn(node, "`dependencies` must be an object; it is ignored")
            return
        for name, item in node.items():
            if isinstance(item.value, (bool, Mapping)):
                holder = out.setdefault("dependentSchemas", {})
                holder[name] = None
                self._work.append(_Work(item, part.rules, holder, name))
            elif isinstance(item.value, list) and all(isinstance(x, str) for x in item.value):
                out.setdefault("dependentRequired", {})[name] = list(dict.fromkeys(item.value))
            else:
                self._host.warn(
                    item, "a dependency must be a list of names or a schema; it is ignored"
                )

    def _draft_4_limits(self, part: _Part) -> None:
        """Convert `exclusiveMinimum: true` beside `minimum` to `exclusiveMinimum: <minimum>`."""
        out = part.out
        for exclusive, limit in _LIMITS.items():
            if not isinstance(out.get(exclusive), bool):
                continue
            if not part.rules.flags:
                self._host.warn(
                    part.node.child(exclusive),
                    f"`{exclusive}` must be a number; it is read as in OpenAPI 3.0",
                    once=True,
                )
            if out.pop(exclusive) and limit in out:
                out[exclusive] = out.pop(limit)

    def _say_value(self, part: _Part) -> None:
        """Restrict a closed base's discriminator to the values of the schema that extends it."""
        base = closed_base(part.node, siblings=part.rules.siblings)
        told = None if base is None else self._host.values_of(part.node, base)
        if told is not None:
            name, values = told
            value = {"const": values[0]} if len(values) == 1 else {"enum": values}
            part.out.setdefault("allOf", []).append({"properties": {name: value}})


def _requiring_less(node: Node, names: Set[str]) -> Node:
    """The schema without `names` in `required`, because the object around it forbids them."""
    source = node.value
    if not (isinstance(source, dict) and isinstance(source.get("required"), list)):
        return node
    left = [name for name in source["required"] if name not in names]
    rest = {name: value for name, value in source.items() if name != "required"}
    return node.with_value({**rest, "required": left} if left else rest)


def _describe(part: _Part) -> None:
    """Add patterns and enum values to the description, and parse an example given as a string."""
    out, source = part.out, part.node.value
    if part.pattern_text:
        out["description"] = "\n\n".join(filter(None, (out.get("description"), part.pattern_text)))
    example = source.get("example")
    if isinstance(example, str) and out.get("examples") == [example]:
        out["examples"] = [spelled_examples.of_schema(example, out)]
    if "enum" in out:
        description = with_value_lines(as_written(part.node), out.get("description", ""))
        out |= {"description": description} if description else {}
