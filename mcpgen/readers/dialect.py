"""Turns the schemas of a document into one pool of JSON Schema 2020-12.

Each schema that a `$ref` names becomes a definition of its own; nothing is inlined, and each schema
is converted once. Values (`enum`, `const`, `default`, `examples`) are data and stay as they are.
Invalid keywords are removed with a warning, unknown keywords without a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from ..api import Schema
from ..diagnostics import Diagnostic, Diagnostics, Severity, diagnostic
from ..hashes import fingerprint
from ..schemas.definitions import Definitions
from ..schemas.subschemas import REFERENCE, VALUES, reference_to, references
from ..source.document import Document, Node, ReferenceProblem
from . import typed_values
from .closed_objects import CLOSING, closes, forbids, is_closed
from .conversion_host import Host
from .dialect_rules import DRAFT_2020, OPENAPI_2_AND_3_0, Rules, odd_dialect, rules_of
from .discriminators import discriminator, end_of, is_pinned, mapped
from .dynamic_scope import EMPTY, DynamicScopes, Scope
from .inheritance import Extensions
from .keywords import CHECKS, DATA
from .misspelled_keywords import Spelling
from .overlapping import open_choices
from .schema_conversion import Conversion
from .schema_keys import SchemaKeys
from .schema_loops import LoopKind, break_loops
from .unenforced import is_weak

_MAX_KEYS_OF_A_CHAIN = 12
_READ = frozenset(CHECKS) - VALUES | DATA | {"enum"}
"""Keywords without schemas that decide which values fit or are sent."""
_LOOPS = {
    LoopKind.ENDLESS: (
        Severity.WARNING,
        "schemas that refer only to each other; whatever uses them is left out",
        "Put a schema in place of one of the references.",
    ),
    LoopKind.EXTENSION: (
        Severity.WARNING,
        "schemas whose `allOf` extends a schema that lists them as alternatives",
        "The extended schema is read without its alternatives; move what they share to a new one.",
    ),
    LoopKind.ALTERNATIVE: (
        Severity.WARNING,
        "schemas that list themselves as an alternative; that alternative is left out",
        "Remove the references that lead back to the schema.",
    ),
}


class Dialect(StrEnum):
    """The versions of OpenAPI's schema objects, each of which reads keywords in its own way."""

    OAS20 = "2.0"
    OAS30 = "3.0"
    OAS31 = "3.1"
    """JSON Schema 2020-12, or the dialect in `jsonSchemaDialect` or `$schema`: OpenAPI 3.1, 3.2."""


class SchemaPool(Host):
    """The converted schemas of a document; each is converted when first added or referred to."""

    formats_are_types = True

    def __init__(
        self,
        document: Document,
        dialect: Dialect,
        diagnostics: Diagnostics,
        *,
        closed_whole: bool = False,
    ) -> None:
        """Take the document.

        `closed_whole`: if closed schemas in an `allOf` contradict each other, close them together,
        as one schema.
        """
        self.closed_whole = closed_whole
        self._document = document
        self._diagnostics = diagnostics
        self._dialect = dialect
        self._rules = _document_rules(document.root, dialect)
        self._definitions = Definitions()
        self._definitions.sends_required = dialect is Dialect.OAS31
        self._keys = SchemaKeys(document)
        self._scopes = DynamicScopes(document)
        self._extensions = Extensions(document)
        self._extended: set[str] = set()
        self._broken: dict[str, Diagnostic] = {}
        self._unusable: dict[str, str] = {}
        self._added: dict[tuple[str, str, bool], Schema] = {}
        self._todo: list[tuple[str, Node, Scope, bool]] = []
        self._nodes: dict[str, Node] = {}
        self._discriminated: list[dict[str, Any]] = []
        self._with_values: list[tuple[Node, dict[str, Any]]] = []
        self._with_choices: list[tuple[Node, dict[str, Any]]] = []
        self._weak: dict[tuple[str, str], bool] = {}
        self._first_warnings: dict[str, Diagnostic] = {}
        self._spelling = Spelling()
        self._check_dialect()

    @property
    def schemas(self) -> Definitions:
        """Every definition so far, by key."""
        return self._definitions

    def add(self, node: Node, *, parameter: bool = False) -> Schema:
        """Convert the schema at a node; then `schemas` also has every schema that it refers to.

        `parameter`: the node is a 2.0 parameter or header, whose `required` and `description` do
        not belong to a schema. A dangling reference is reported and allows any value; `broken`
        returns its report.
        """
        place = (node.file, node.pointer, parameter)
        if place not in self._added:
            schema = self._convert(node, self._scopes.enter(node, EMPTY), parameter=parameter)
            self._drain()
            self._added[place] = schema
        return self._added[place]

    def broken(self, schema: Schema) -> Diagnostic | None:
        """The diagnostic of the first dangling reference that a schema reaches, or None."""
        if not self._broken:
            return None
        return self.dangling(self._definitions.closure(references(schema)))

    def dangling(self, keys: Set[str]) -> Diagnostic | None:
        """The diagnostic of the first of these definitions with a dangling reference, or None."""
        return next((self._broken[key] for key in sorted(keys & self._broken.keys())), None)

    def unusable(self, schema: Schema) -> str:
        """Why a schema is unusable: it refers to itself endlessly, or has numbers that JSON lacks.

        Empty if it can be used.
        """
        if not self._unusable:
            return ""
        keys = self._definitions.closure(references(schema)) & self._unusable.keys()
        return self._unusable[min(keys)] if keys else ""

    def refused(self, node: Node) -> dict[str, Any] | None:
        """If the schema has numbers that JSON lacks, a reference to an unusable definition; else
        None.
        """
        read = (name for name in node.value if name in _READ) if node.has_odd_numbers else ()
        at = next((name for name in read if node.child(name).has_odd_numbers), "")
        if not at:
            return None
        key = self._keys.key(node.file, f"{node.pointer}/{at}")
        self._unusable[key] = f"`{at}` holds a number unknown to JSON"
        self._definitions.add(key, {})
        return reference_to(key)

    def key_at(self, node: Node) -> str:
        """The key of the schema at a node, outside of any dynamic scope."""
        return self._keys.key(node.file, node.pointer)

    def refer(self, node: Node, reference: str, scope: Scope, *, opened: bool = False) -> str:
        """The key of the definition that a reference points to; it is converted if it is new."""
        try:
            inner, target = self._scopes.enter(node, scope), node.follow(reference)
            if isinstance(target.value, bool | dict):
                return self._define(target, inner, opened=opened)
        except ReferenceProblem as problem:
            return self._nowhere(node, problem)
        key = self._keys.key(node.file, f"{node.pointer}/$ref")
        self._definitions.add(key, {})  # where references are checked, it was told
        return key

    def dynamic(self, node: Node, reference: str, scope: Scope) -> str:
        """The key of the definition that a dynamic reference points to in a scope."""
        try:
            inner = self._scopes.enter(node, scope)
            return self._define(self._scopes.target(node, reference, inner), inner)
        except ReferenceProblem as problem:
            return self._nowhere(node, problem)

    def meant(self, keyword: str) -> str:
        """The known keyword closest to an unknown one; empty if none is close."""
        return self._spelling.meant(keyword)

    def _define(self, target: Node, scope: Scope, *, opened: bool = False) -> str:
        inner = self._scopes.enter(target, scope)
        key = self.key_at(target)
        opened = opened and is_closed(target, siblings=self._rules_at(target).siblings)
        if opened:
            key = self._keys.derived(key, "open")
        if inner:
            key = self._keys.derived(key, self._fingerprint(inner))
        if key not in self._nodes:
            self._nodes[key] = target
            self._todo.append((key, target, inner, opened))
        return key

    def _fingerprint(self, scope: Scope) -> str:
        """Eight hexadecimal digits that identify a dynamic scope on any machine."""
        name = self._keys.file_name
        anchors = sorted((anchor, (name(file), at)) for anchor, (file, at) in scope)
        return fingerprint(repr(anchors), 8)

    def _nowhere(self, node: Node, problem: ReferenceProblem) -> str:
        """The key of an empty definition, which replaces the missing target of a reference."""
        key = self._keys.key(node.file, f"{node.pointer}/$ref")
        self._broken[key] = problem.diagnostic
        self._diagnostics.extend([problem.diagnostic])
        self._definitions.add(key, {})
        return key

    def discriminate(self, node: Node, schema: dict[str, Any]) -> None:
        """Copy the discriminator at a node into a schema; it is removed later if nothing needs it.

        If the schema has no `oneOf` or `anyOf` (OpenAPI 2.0 has neither), it is a base that other
        schemas extend. It then also allows the properties of those schemas, even if it is closed.
        """
        base = dict(schema)
        if closes(schema) and self._extensions.has_any(node):
            for name in CLOSING:
                schema.pop(name, None)
        if {"oneOf", "anyOf"}.isdisjoint(schema):
            if "properties" in schema:
                schema.setdefault("additionalProperties", True)
            self._offer_extensions(node, schema, base)
        if self._dialect is Dialect.OAS20:
            return
        chosen_by = node.below("discriminator", "propertyName")
        if chosen_by is not None and isinstance(chosen_by.value, str):
            self._hold_values(node, schema, chosen_by.value)
        choice = discriminator(node, schema, self.key_at, self.warn)
        if choice is not None:
            schema["discriminator"] = choice
            self._discriminated.append(schema)

    def values_of(self, node: Node, base: Node) -> tuple[str, list[str]] | None:
        """The discriminator property of a closed base, and the values that stand for an extension.

        `node` is the extension. The result is None if there is no property or value.
        """
        keyword = base.value["discriminator"]
        name = keyword.get("propertyName") if isinstance(keyword, Mapping) else keyword
        place = (node.file, node.pointer)
        values = [value for value, to in mapped(base) if (to.file, to.pointer) == place]
        if not values:
            extensions = self._extensions.of(base).items()
            values = [value for value, to in extensions if (to.file, to.pointer) == place]
        return (name, values) if isinstance(name, str) and values else None

    def _hold_values(self, node: Node, schema: dict[str, Any], name: str) -> None:
        """Declare the discriminator's property in closed alternatives that do not declare it."""
        for keyword in ("oneOf", "anyOf"):
            branches = schema.get(keyword, ())
            nodes = node.optional(keyword).elements()
            for at, (branch, _) in enumerate(zip(nodes, branches, strict=False)):
                target = end_of(branch)
                siblings = self._rules_at(target).siblings
                if not (branch.is_ref and forbids(target, name, siblings=siblings)):
                    continue
                place = (target.file, target.pointer)
                values = [value for value, to in mapped(node) if (to.file, to.pointer) == place]
                own = {"properties": {name: {"enum": values or [target.key]}}}
                opened = reference_to(self._define(target, EMPTY, opened=True))
                branches[at] = {"allOf": [opened, own], "unevaluatedProperties": False}
                message = f"an alternative forbids the discriminator `{name}`; it is allowed anyway"
                self.warn(node.child("discriminator"), message, once=True)

    def _offer_extensions(
        self, node: Node, schema: dict[str, Any], base: Mapping[str, Any]
    ) -> None:
        """Add a base's extensions to the schema as alternatives, and one more for any other value.

        The alternatives show which values are useful but reject none, since this discriminator does
        not validate. If the base is closed, the last alternative is the base without its
        extensions.
        """
        if closes(schema):
            return
        extensions = self._extensions.of(node)
        if not extensions:
            return
        keys = {value: self._define(extension, EMPTY) for value, extension in extensions.items()}
        alone: Schema = _alone(node, base, keys) if closes(base) else {}
        if closes(base):
            schema.pop("additionalProperties", None)
        schema["anyOf"] = [*map(reference_to, keys.values()), alone]
        self._extended.add(self.key_at(node))
        if self._dialect is Dialect.OAS20:
            mapping = {value: REFERENCE + key for value, key in keys.items()}
            schema["discriminator"] = {
                "propertyName": node.value["discriminator"],
                "mapping": mapping,
            }

    def warn(self, node: Node, message: str, hint: str = "", *, once: bool = False) -> None:
        """Report a keyword; with `once`, equal messages are reported once, at the first pointer.

        This makes the messages independent of the order in which schemas are read.
        """
        earlier = self._first_warnings.get(message) if once else None
        if earlier is not None:
            if _place(earlier) <= (node.file, node.pointer):
                return
            self._diagnostics.remove(earlier)
        warning = diagnostic(Severity.WARNING, "schema-keyword", message, node, hint)
        self._diagnostics.add(warning)
        if once:
            self._first_warnings[message] = warning

    def _check_dialect(self) -> None:
        dialect = self._document.root.get("jsonSchemaDialect")
        if dialect is None or self._dialect is not Dialect.OAS31:
            return
        if not isinstance(dialect.value, str):
            return  # what breaks the specification is told by the check against it
        if problem := odd_dialect(dialect.value):
            self.warn(dialect, problem, once=True)

    def _convert(
        self, node: Node, scope: Scope, *, parameter: bool = False, opened: bool = False
    ) -> Schema:
        conversion = Conversion(self, scope)
        return conversion.run(node, self._rules_at(node), parameter=parameter, opened=opened)

    def _rules_at(self, node: Node) -> Rules:
        if node.file != self._document.root.file:
            root = self._document.files[node.file].value
            if isinstance(root, Mapping) and "$schema" in root:
                return rules_of(root["$schema"], self._rules)
        return self._rules

    def _drain(self) -> None:
        new: list[str] = []
        while self._todo:
            key, node, scope, opened = self._todo.pop()
            self._definitions.add(key, self._convert(node, scope, opened=opened))
            new.append(key)
        self._settle_values()
        for kind, keys in break_loops(self._definitions, new, self._keys.derived):
            self._report_loop(kind, keys)
        while self._discriminated:
            schema = self._discriminated.pop()
            if "discriminator" in schema and is_pinned(schema, self._definitions):
                del schema["discriminator"]
        if self._with_choices:
            choices, self._with_choices = self._with_choices, []
            open_choices(choices, Definitions(self._definitions), self._is_weak)

    def _settle_values(self) -> None:
        """Check the noted enums, defaults and examples, now that all references are converted."""
        pairs, self._with_values = self._with_values, []
        pool = MappingProxyType(self._definitions)  # nothing of it is to be kept yet
        for settle in (typed_values.settle_choices, typed_values.settle_examples):
            for node, schema in pairs:
                settle(node, schema, pool, self.warn)

    def has_values(self, node: Node, schema: dict[str, Any]) -> None:
        """Remember a schema whose values must be checked after all references are converted."""
        self._with_values.append((node, schema))

    def has_choice(self, node: Node, schema: dict[str, Any]) -> None:
        """Register a schema whose branches must be compared once its references are converted."""
        self._with_choices.append((node, schema))

    def _is_weak(self, branch: Node) -> bool:
        end = end_of(branch) if branch.is_ref and len(branch.value) == 1 else branch
        place = (end.file, end.pointer)
        if place not in self._weak:
            self._weak[place] = is_weak(branch)
        return self._weak[place]

    def _report_loop(self, kind: LoopKind, keys: list[str]) -> None:
        if kind is LoopKind.EXTENSION and not self._extended.isdisjoint(keys):
            return  # the alternatives are not the document's
        excerpt = (
            keys if len(keys) <= _MAX_KEYS_OF_A_CHAIN else [*keys[:_MAX_KEYS_OF_A_CHAIN], "..."]
        )
        severity, message, hint = _LOOPS[kind]
        text = f"{message}: {', '.join(excerpt)}"
        at = self._nodes.get(keys[0])
        if kind is LoopKind.ENDLESS:
            self._unusable |= dict.fromkeys(keys, f"a loop of references: {', '.join(excerpt)}")
        self._diagnostics.add(diagnostic(severity, "reference-loop", text, at, hint))


def _alone(node: Node, base: Mapping[str, Any], values: Iterable[str]) -> Schema:
    """A closed base that only accepts discriminator values which select no extension."""
    keyword = node.value["discriminator"]
    name = keyword.get("propertyName") if isinstance(keyword, Mapping) else keyword
    own = dict.fromkeys(base.get("properties", {}), True)
    own_place = (node.file, node.pointer)
    mapped_values = (value for value, to in mapped(node) if (to.file, to.pointer) != own_place)
    others = list(dict.fromkeys((*values, *mapped_values)))
    closed = {"properties": {**own, name: {"not": {"enum": others}}}}
    patterns = {key: base[key] for key in ("patternProperties",) if key in base}
    return {**closed, **patterns, "additionalProperties": False}


def _place(warning: Diagnostic) -> tuple[str, str]:
    return ("" if warning.location is None else warning.location.file, warning.pointer)


def _document_rules(root: Node, dialect: Dialect) -> Rules:
    if dialect is not Dialect.OAS31:
        return OPENAPI_2_AND_3_0
    uri = root.value.get("jsonSchemaDialect") if isinstance(root.value, Mapping) else None
    return rules_of(uri, DRAFT_2020)
