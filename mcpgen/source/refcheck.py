"""Checks all references of a document, and reads the files that they lead to."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ..diagnostics import Diagnostics, GenerationError, Severity
from ..text.kinds import json_type
from . import suggestions
from .access import SUFFIXES, Refused, no_part
from .document import Document, LoopProblem, Node, Place, ReferenceProblem
from .refparts import is_part
from .refscan import Reference, Scanner, component_kind

_MAX_REFUSALS = 200
_CALLED = {
    "schema": "schema",
    "response": "response",
    "parameter": "parameter",
    "body": "request body",
    "header": "header",
    "link": "link",
    "path": "path item",
}
"""The names that people use for kinds of components."""
_Start = tuple[str, str, str]
_InFile = tuple[str, Reference]


def check_references(document: Document, diagnostics: Diagnostics) -> None:
    """Report every refused reference and every loop; read all files that are referred to.

    No further file is opened once a reference is refused, except in examples. A reference to a
    resource that the document itself contains (`$id`) is never refused. A dangling reference is
    reported when its target is needed.
    """
    scanners: dict[str, Scanner] = {}
    starts: list[_Start] = [(document.root.file, "", "document")]
    entries: set[Place] = set()
    while starts:
        references = [
            (file, item)
            for file, pointer, kind in starts
            for item in scanners.setdefault(file, Scanner()).scan(
                pointer, kind, document.node(file, pointer).value
            )
        ]
        allowed = _allowed(document, references, diagnostics)
        if allowed is None:
            return
        starts = list(dict.fromkeys(_targets(document, allowed, entries, diagnostics)))
    document.admit(entries)


def _allowed(
    document: Document, references: Iterable[_InFile], diagnostics: Diagnostics
) -> list[_InFile] | None:
    """The permitted references; None if a reference outside of examples is refused."""
    refusals = 0
    allowed = []
    for file, item in references:
        if item.reference.startswith("#") or (item.kind == "mapping" and _is_name(document, item)):
            allowed.append((file, item))
            continue
        node = Node(document, file, item.pointer, item.value)
        try:
            document.check(node, item.reference)
            allowed.append((file, item))
        except Refused as refused:
            within = suggestions.component(document.node(file, "").value, item.reference)
            hint = suggestions.hint(within) or refused.hint
            refusals += _refuse(item, refused, node.reference_site, hint, diagnostics)
            if refusals == _MAX_REFUSALS:
                break
    return None if refusals else allowed


def _refuse(
    item: Reference, refused: Refused, at: Node, hint: str, diagnostics: Diagnostics
) -> bool:
    """Report a refused reference; returns whether that is fatal, which it is not in an example."""
    message = refused.message(item.reference)
    if item.kind != "example":
        diagnostics.error(refused.code, message, at, hint)
        return True
    diagnostics.warning(refused.code, f"{message}; the example is left out", at, refused.hint)
    return False


def _is_name(document: Document, item: Reference) -> bool:
    """Whether a discriminator maps to a schema's name, not a URI (OpenAPI 3.1.1, 4.8.25)."""
    schemas = document.root.below("components", "schemas")
    if schemas is not None and item.reference in schemas:
        return True
    return not set(item.reference) & set("/#:\\") and not item.reference.endswith(tuple(SUFFIXES))


def _targets(
    document: Document,
    references: Iterable[_InFile],
    entries: set[Place],
    diagnostics: Diagnostics,
) -> Iterable[_Start]:
    """The targets of the references; allowed targets in neighbouring folders go into `entries`."""
    for file, item in references:
        if item.kind == "mapping" and _is_name(document, item):
            continue
        node = Node(document, file, item.pointer, item.value)
        kind = "schema" if item.kind in ("mapping", "dynamic") else item.kind
        try:
            target = node.follow(item.reference)
            if item.kind != "mapping":
                node.resolve()
        except LoopProblem as loop:
            diagnostics.add(loop.diagnostic)
            continue
        except ReferenceProblem:
            continue
        except GenerationError as error:
            is_needed = item.kind != "example"
            severity = Severity.ERROR if is_needed else Severity.WARNING
            diagnostics.extend(replace(d, severity=severity) for d in error.diagnostics)
            continue
        root = document.root.file
        if item.reference.startswith("#") and target.file == root != file:
            message = "`#/...` names a place that its file lacks: that of the first file is used"
            diagnostics.warning("reference-to-first-file", message, node.reference_site)
        if kind == "schema":
            document.referred_schemas.add((target.file, target.pointer))
        enters = document.files[target.file].borrowed and target.file != file
        if enters:
            whole, little = document.files[target.file].value, document.files[file].borrowed
            if not is_part(kind, target.pointer, target.value, whole, little=little):
                refused = no_part()
                _refuse(item, refused, node.reference_site, refused.hint, diagnostics)
                continue
            entries.add(document.place(node, item.reference))
        if target == document.root:
            message = (
                f"the reference {item.reference!r} leads to the whole document, not to a schema"
            )
            hint = "Refer to a component."
            diagnostics.warning("reference-to-document", message, node.reference_site, hint)
        else:
            _tell_kind(node, item.reference, kind, target, diagnostics)
            yield target.file, target.pointer, kind


def _tell_kind(
    node: Node, reference: str, kind: str, target: Node, diagnostics: Diagnostics
) -> None:
    """Warn of a reference whose target is not of the expected kind."""
    if kind not in _CALLED:
        return
    of_component = component_kind(target.pointer)
    actual = f"a {_CALLED[of_component]}" if of_component in _CALLED else ""
    if of_component == kind or not actual:
        actual = "" if isinstance(target.value, dict | bool) else json_type(target.value)
    if actual:
        message = (
            f"the reference {reference!r} leads to {actual}, but should lead to a {_CALLED[kind]}"
        )
        diagnostics.warning("reference-kind", message, node.reference_site)
