"""One schema object of a document as JSON Schema 2020-12, without following its references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import partial
from typing import Any, NamedTuple

from ..api import Schema
from ..schemas.subschemas import ANNOTATIONS, LISTS, MAPS, SINGLE, VALUES, reference_to
from ..schemas.types import ALL, listed
from ..source.document import Node, ReferenceProblem
from ..source.suggestions import QUOTED
from . import patterns, spelled_examples, unenforced
from .closed_objects import CLOSING, OPENED, closed_base, closing_of
from .dialect_rules import NULLABLE, Rules, odd_dialect, rules_of
from .dynamic_scope import EMPTY, Scope
from .enum_values import as_written, with_value_lines
from .keywords import CHECKS, DATA, Unfit, distinct, type_meant
from .misspelled_keywords import hint_for, misspelled
from .nullable import may_be_null, means_null, or_null


class Host:
    """What a conversion needs to know about the rest of the document."""

    formats_are_types = False
    """Whether a `format` of numbers stands for a `type` that is not said."""
    closed_whole = False
    """Whether objects that forbid what they have are read as closed as a whole."""

    def refer(self, node: Node, reference: str, scope: Scope, *, opened: bool = False) -> str:
        """The key of the definition that a reference standing at a node names.

        `opened`: of a form of it that closes no object; what refers to it says which properties
        there are.
        """
        raise NotImplementedError  # each host has definitions of its own

    def dynamic(self, node: Node, reference: str, scope: Scope) -> str:
        """The key of the definition that a dynamic reference standing at a node names."""
        return self.refer(node, reference, scope)

    def discriminate(self, node: Node, schema: dict[str, Any]) -> None:
        """Give the converted schema the discriminator that stands at a node, if it is of use."""

    def values_of(self, node: Node, base: Node) -> tuple[str, list[str]] | None:
        """A base's discriminator, and its values that mean what extends it, if they are known."""
        return None

    def has_values(self, node: Node, schema: dict[str, Any]) -> None:
        """Note that the converted schema has values, which are judged by all that it says."""

    def meant(self, keyword: str) -> str:
        """The keyword that was probably meant by one that nothing knows; empty for none."""
        return ""

    def warn(self, node: Node, message: str, hint: str = "", *, once: bool = False) -> None:
        """Report what is left out or read otherwise than it is written."""


class _Work(NamedTuple):
    """A schema still to be converted, and where the result goes."""

    node: Node
    rules: Rules
    holder: Any
    place: Any
    opened: bool = False
    """It closes no object: what it is a part of says which properties there are."""


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
    "`required` is a list of names, and stands beside `properties`; it is read as that"
)
_ITEMS = frozenset({"items", "unevaluatedItems"})
_MAY_BE_EMPTY = ANNOTATIONS | {"format", "$comment"}


class Conversion:
    """Converts the schema at one node with everything inside it, without recursion."""

    def __init__(self, host: Host, scope: Scope = EMPTY) -> None:
        self._host = host
        self._scope = scope
        self._work: list[_Work] = []
        self._discriminated: list[tuple[Node, dict[str, Any]]] = []
        self._pattern_texts: dict[int, str] = {}
        """What descriptions say of patterns, by the schemas that are being read."""

    def run(
        self, node: Node, rules: Rules, *, parameter: bool = False, opened: bool = False
    ) -> Schema:
        """The converted schema; `parameter`: `required` and `description` are not the schema's.

        `opened`: it closes no object; what refers to it says which properties there are.
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
        if "$schema" in source:
            rules = rules_of(source["$schema"], rules)
            if problem := odd_dialect(source["$schema"]):
                self._host.warn(node.child("$schema"), problem, once=True)
        out: dict[str, Any] = {}
        closing = (
            OPENED
            if opened
            else closing_of(node, siblings=rules.siblings, closed_whole=self._host.closed_whole)
        )
        if closing.text:
            self._host.warn(node.child(closing.keyword), closing.text, closing.hint)
        if opens := opened or closing.is_whole:
            ignored |= {name for name in CLOSING if source.get(name) is False}
        if opened:
            ignored |= {"discriminator"}
        if any(not patterns.key_of(key) for key, _ in node.optional("patternProperties").items()):
            ignored |= {*CLOSING}  # a name of that pattern would be refused
        if skipped := unenforced.left_out(node):
            ignored |= skipped.keys()
            for keyword, reason in skipped.items():
                if reason:
                    self._host.warn(node.child(keyword), reason)
        put_off = len(self._work)
        referred = self._reference(node, out, opens)
        for keyword, value in source.items():
            if keyword in ignored:
                continue
            if referred and not rules.siblings and keyword not in ANNOTATIONS | {"example"}:
                continue
            self._keyword(node, keyword, value, rules, out)
        self._draft_4_limits(node, rules, out)
        if pattern_text := self._pattern_texts.pop(id(out), ""):
            out["description"] = "\n\n".join(filter(None, (out.get("description"), pattern_text)))
        example = source.get("example")
        if isinstance(example, str) and out.get("examples") == [example]:
            out["examples"] = [spelled_examples.of_schema(example, out)]
        if "enum" in out:
            description = with_value_lines(as_written(node), out.get("description", ""))
            out |= {"description": description} if description else {}
        if opens:
            self._open_members(out, put_off)
        if closing.is_whole:
            out["unevaluatedProperties"] = False
            self._say_value(node, rules, out)
        if closing.unmet:
            self._require_less(closing.unmet, out, put_off)
        kind = _NUMBERS.get(out.get("format", ""))
        if kind is not None and self._host.formats_are_types and _SAYING.isdisjoint(out):
            out["type"] = [kind, "string"] if "pattern" in source else kind
        if "array" in listed(out.get("type", ())) and not _ITEMS & out.keys():
            out["items"] = {}
            self._host.warn(node, _NO_ITEMS, once=True)
        whole = or_null(out) if self._nullable(node, rules) else out
        for schema in (out,) if whole is out else (out, whole):
            if not VALUES.isdisjoint(schema):
                self._host.has_values(node, schema)
        return whole

    def _nullable(self, node: Node, rules: Rules) -> bool:
        """Whether the schema says `nullable: true`, which is reported where it is no keyword."""
        keyword = next((name for name in NULLABLE if node.value.get(name) is True), None)
        if keyword is not None and not rules.nullable:
            message = "`nullable` is OpenAPI 3.0's; it is read as `null` among the types"
            self._host.warn(node.child(keyword), message, once=True)
        return keyword is not None

    def _reference(self, node: Node, out: dict[str, Any], opened: bool) -> bool:
        source = node.value
        if _REFERENCES.isdisjoint(source):
            return False
        for keyword, refer in (
            ("$ref", partial(self._host.refer, opened=opened)),
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

    def _keyword(
        self, node: Node, keyword: str, value: Any, rules: Rules, out: dict[str, Any]
    ) -> None:
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
                self._pattern_texts[id(out)] = patterns.in_words(value)
        elif keyword in CHECKS:
            try:
                fit = CHECKS[keyword](value)
                before = out.get(keyword, ()) if keyword == "required" else ()
                out[keyword] = distinct([*before, *fit]) if before else fit
            except Unfit as problem:
                message = f"`{keyword}` {problem}; it is ignored"
                self._host.warn(node.child(keyword), message, problem.hint)
        else:
            self._applicator(node, keyword, rules, out)

    def _applicator(self, node: Node, keyword: str, rules: Rules, out: dict[str, Any]) -> None:
        source = node.value
        if keyword == "items" and isinstance(source["items"], list):
            if source["items"] and not rules.tuples:
                self._host.warn(
                    node.child("items"),
                    "`items` as a list is an older draft's; it is read as `prefixItems`",
                    once=True,
                )
            self._list(node, "items", "prefixItems", rules, out)
        elif keyword == "additionalItems":
            if isinstance(source.get("items"), list):
                self._single(node, keyword, "items", rules, out)
        elif keyword == "dependencies":
            self._dependencies(node.child(keyword), rules, out)
        elif keyword == "discriminator":
            self._discriminated.append((node, out))
        elif keyword in SINGLE:
            self._single(node, keyword, keyword, rules, out)
        elif keyword in LISTS:
            self._list(node, keyword, keyword, rules, out)
        elif keyword in MAPS:
            self._map(node, keyword, rules, out)
        elif near := self._host.meant(keyword):
            self._host.warn(node.child(keyword), misspelled(keyword), hint_for(keyword, near))

    def _single(
        self, node: Node, keyword: str, place: str, rules: Rules, out: dict[str, Any]
    ) -> None:
        child = node.child(keyword)
        if isinstance(child.value, (bool, Mapping)):
            out[place] = None
            self._work.append(_Work(child, rules, out, place))
        else:
            self._host.warn(child, f"`{keyword}` must be a schema; it is ignored")

    def _list(
        self, node: Node, keyword: str, place: str, rules: Rules, out: dict[str, Any]
    ) -> None:
        child = node.child(keyword)
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
            self._host.warn(child, "`allOf` must hold only schemas; what is none is ignored")
        before = out.get(place, []) if place == "allOf" else []
        holder = [*before, *([None] * len(schemas))]
        out[place] = holder
        for index, item in enumerate(schemas, len(before)):
            if place in ("anyOf", "oneOf") and means_null(item.value):
                self._nullable(item, rules)
                rest = {name: value for name, value in item.value.items() if name not in NULLABLE}
                item = item.with_value({**rest, "type": "null"})
            self._work.append(_Work(item, rules, holder, index))

    def _map(self, node: Node, keyword: str, rules: Rules, out: dict[str, Any]) -> None:
        child = node.child(keyword)
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
                if not key:
                    self._host.warn(item, f"this pattern {why.partition(';')[0]}; it is left out")
                    continue
                name = key
            holder[name] = None
            self._work.append(_Work(item, rules, holder, name))

    def _members(self, node: Node, out: dict[str, Any]) -> Iterator[tuple[str, Node]]:
        """The members of a map of schemas, and those of the map that a `$ref` in it names.

        JSON Schema has no references there; but a text is no schema, so that a `$ref` with one is
        never a property. A reference that leads nowhere breaks the schema as any other does.
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

    def _dependencies(self, node: Node, rules: Rules, out: dict[str, Any]) -> None:
        """Draft 7's `dependencies`: names or a schema for each property."""
        if not isinstance(node.value, Mapping):
            self._host.warn(node, "`dependencies` must be an object; it is ignored")
            return
        for name, item in node.items():
            if isinstance(item.value, (bool, Mapping)):
                holder = out.setdefault("dependentSchemas", {})
                holder[name] = None
                self._work.append(_Work(item, rules, holder, name))
            elif isinstance(item.value, list) and all(isinstance(x, str) for x in item.value):
                out.setdefault("dependentRequired", {})[name] = list(dict.fromkeys(item.value))
            else:
                self._host.warn(item, "a dependency must be names or a schema; it is ignored")

    def _draft_4_limits(self, node: Node, rules: Rules, out: dict[str, Any]) -> None:
        """`exclusiveMinimum: true` beside `minimum` is `exclusiveMinimum: <minimum>`."""
        for exclusive, limit in _LIMITS.items():
            if not isinstance(out.get(exclusive), bool):
                continue
            if not rules.flags:
                self._host.warn(
                    node.child(exclusive),
                    f"`{exclusive}` must be a number; it is read as OpenAPI 3.0 has it",
                    once=True,
                )
            if out.pop(exclusive) and limit in out:
                out[exclusive] = out.pop(limit)

    def _say_value(self, node: Node, rules: Rules, out: dict[str, Any]) -> None:
        """Let what extends a closed base say its value of the base's discriminator."""
        base = closed_base(node, siblings=rules.siblings)
        told = None if base is None else self._host.values_of(node, base)
        if told is not None:
            name, values = told
            value = {"const": values[0]} if len(values) == 1 else {"enum": values}
            out.setdefault("allOf", []).append({"properties": {name: value}})

    def _require_less(self, names: Set[str], out: dict[str, Any], put_off: int) -> None:
        """Let neither an object nor the parts that are its own require names that it forbids."""
        own = [name for name in out.pop("required", ()) if name not in names]
        out |= {"required": own} if own else {}
        for index, work in enumerate(self._work[put_off:], put_off):
            source = work.node.value
            if work.holder is out.get("allOf") and isinstance(source.get("required"), list):
                left = [name for name in source["required"] if name not in names]
                rest = {name: value for name, value in source.items() if name != "required"}
                node = work.node.with_value({**rest, "required": left} if left else rest)
                self._work[index] = work._replace(node=node)

    def _open_members(self, out: dict[str, Any], put_off: int) -> None:
        """Let no schema of an `allOf` close the object; their work comes after `put_off`."""
        members = out.get("allOf")
        for index, work in enumerate(self._work[put_off:], put_off):
            if work.holder is members:
                self._work[index] = work._replace(opened=True)
