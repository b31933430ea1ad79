"""Update and check servers by their own settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from .. import lock as locks
from .. import settings
from ..bundled.parts import HTTP
from ..bundled.runtime_wheel import requirement
from ..diagnostics import Diagnostic, Diagnostics, Failure, GenerationError, Severity
from ..hashes import file_digest
from ..lock import Lock
from ..merge import named_parts
from ..paths import workspace_file
from ..processes import parallel
from ..processes.garbage import collector_at_rest
from ..publish import bundle_files
from ..regeneration import package_rename, up_to_date
from ..regeneration.notes import Note
from ..regeneration.outcome import Policy
from ..regeneration.ownership import is_handlers
from ..regeneration.server_folder import ServerFolder
from ..regeneration.textfile import encoded
from ..settings import Settings, locations
from ..settings import toml_edits as settings_text
from ..settings.values import without_http
from ..writing import server
from ..writing.all_or_nothing import OutputError
from ..writing.server import Report

if TYPE_CHECKING:
    from ..catalogue.tools_json import Differing
    from ..diff.changes import Change, Risk
    from ..diff.reach import Reach
    from ..generate import Generated

Stage = Callable[[str], None]
_UNNAMED = f"{settings.FILE_NAME}: no document is named"
_ABSENT = "is missing, but a resource or prompt reads it: add it"


class Result(Struct, frozen=True):
    """The result of a run on one server."""

    folder: str
    mcpgen: str = ""
    """The version of mcpgen that generated the server before this run."""
    report: Report = field(default_factory=Report)
    changes: tuple[Change, ...] = ()
    """The changes of its tools, prompts and resources."""
    missing: tuple[str, ...] = ()
    """Files that are to be written and did not exist."""
    diagnostics: tuple[Diagnostic, ...] = ()
    errors: tuple[str, ...] = ()
    generated: Generated | None = None
    totals: tuple[int, int, int] | None = None
    """The number of a written server's tools, the number that clients list, and their tokens."""
    surface: str = ""
    """How the written server lists its tools: `tools` or `search`."""

    @property
    def failed(self) -> bool:
        """Whether the run reported an error."""
        return bool(self.errors) or any(d.severity is Severity.ERROR for d in self.diagnostics)

    @property
    def risk(self) -> Risk | None:
        """The greatest risk of the changes for callers of the tools; None if nothing changes."""
        return max((change.risk for change in self.changes), default=None)


def generate_into(folder: Path, flags: Mapping[str, Any], policy: Policy, stage: Stage) -> Result:
    """Generate a server, or update the existing one; `flags` override its settings."""
    return _guarded(folder, partial(_update, folder, flags, policy, stage))


def generate_to_try(folder: Path, flags: Mapping[str, Any], stage: Stage) -> Result:
    """Generate a temporary server; an earlier temporary server is replaced."""
    return _guarded(folder, partial(_generate_to_try, folder, flags, stage))


def update(
    folder: Path, policy: Policy, stage: Stage, flags: Mapping[str, Any] | None = None
) -> Result:
    """Regenerate a server from its settings; with `policy.force` even if nothing has changed.

    `flags` override its settings.
    """
    return _guarded(folder, partial(_update, folder, flags or {}, policy, stage))


def check(folder: Path, stage: Stage, *, whole: bool = False) -> Result:
    """The result that an update would have; `whole`: generate even if all hashes match."""
    return _guarded(folder, partial(_check, folder, stage, whole=whole))


def bundle(folder: Path) -> tuple[bytes, tuple[Note, ...]]:
    """The bundle of an up-to-date server, and notes on files that it leaves out.

    Raises GenerationError, Failure or OSError.
    """
    server.refuse_unfinished(folder)
    _refuse_others(folder)
    old_lock = server.check_target(folder)
    server_settings, _ = _settings_with(folder, {}, old_lock)
    from ..generate import generate
    from ..publish.bundle import BundleError
    from ..publish.bundle import bundle as bundle_of

    generated = generate(server_settings, folder, Diagnostics(), old_lock=old_lock)
    report = server.compare(
        folder, generated.files, generated.lock, Policy(force=True), generated.server_folder
    )
    if old_lock is None or not report.clean:
        raise BundleError(f"{folder} is not up to date; run `mcpgen update {folder}`")
    notes = [*_left_out(folder, generated.package.name)]
    changed: dict[str, bytes | None] = {}
    if server_settings.http:
        without = generate(without_http(server_settings), folder, Diagnostics(), old_lock=old_lock)
        changed, names = _over_stdio(folder, without)
        notes += names
    package = generated.package
    return bundle_of(folder, package, generated.api, server_settings, changed), tuple(notes)


def _over_stdio(folder: Path, without: Generated) -> tuple[dict[str, bytes | None], Iterable[Note]]:
    """The files that would differ if the server had no HTTP, and a note if an edit needs HTTP.

    Each path has its new content; None means that the server without HTTP lacks the file. People's
    edits are merged in.
    """
    out = server.outcome_of(
        *(folder, without.files, without.lock, Policy(force=True), without.server_folder)
    )
    path = f"{without.package.name}/server.py"
    kept = f"{without.package.name}/_runtime/parts/http/__init__.py"
    changed: dict[str, bytes | None] = dict.fromkeys(p for p in out.remove if "/_runtime/" in p)
    changed |= {p: data for p, data in out.write.items() if p == path or "/_runtime/" in p}
    text = (out.write.get(path) or (folder / path).read_bytes()).decode(errors="replace")
    is_there = (folder / kept).is_file() and kept not in changed
    if is_there or HTTP in named_parts.names_in(text):
        return changed, [
            Note(path, "an edit lists the part `http`, so the bundle contains that part too")
        ]
    return changed, []


def run_all(work: Callable[[Path], Result], folders: list[Path]) -> Iterable[Result]:
    """The results for many folders, in order; several folders are processed at once."""
    return parallel.each(partial(_alone, work) if len(folders) > 1 else work, folders)


def _alone(work: Callable[[Path], Result], folder: Path) -> Result:
    return replace(work(folder), generated=None)


def silent(stage: str) -> None:
    """Report no progress."""


def _guarded(folder: Path, work: Callable[[Diagnostics], Result]) -> Result:
    """The result of work on a server; an exception becomes an error of the result."""
    diagnostics, result = Diagnostics(), Result(str(folder))
    errors: tuple[str, ...] = ()
    try:
        with collector_at_rest():
            result = work(diagnostics)
    except GenerationError as error:
        diagnostics.extend(error.diagnostics)
        errors = _unsaid(error)
    except Failure as error:
        errors = (str(error),)
    except OSError as error:
        errors = (f"{error.filename or folder}: {error.strerror or error}",)
    except KeyboardInterrupt:
        errors = (_interrupted(folder),)
    shared = workspace_file(folder)
    items = locations.placed(diagnostics.items, folder / settings.FILE_NAME, shared)
    return replace(result, diagnostics=items, errors=errors)


def _interrupted(folder: Path) -> str:
    """The message of an interrupted run; it says whether files were already being written."""
    try:
        server.refuse_unfinished(folder)
    except OutputError:
        return f"{folder}: interrupted; run `mcpgen update` again to finish the update"
    return f"{folder}: interrupted; nothing is half written"


def _unsaid(error: GenerationError) -> tuple[str, ...]:
    """The message that `strict` stopped the run; empty if the diagnostics contain an error."""
    if any(diagnostic.severity is Severity.ERROR for diagnostic in error.diagnostics):
        return ()
    return ("`strict` is set, and there are warnings",)


def _update(
    folder: Path, flags: Mapping[str, Any], policy: Policy, stage: Stage, diagnostics: Diagnostics
) -> Result:
    server.finish(folder)
    if not flags:
        _refuse_others(folder)
    old_lock = server.check_target(folder, force=policy.force)
    server_settings, changed = _settings_with(folder, flags, old_lock)
    if flags.get("runtime") == "package":
        _tell_unpublished(diagnostics)
    before = Result(str(folder), mcpgen=old_lock.mcpgen if old_lock else "")
    whole = bool(flags) or policy.force
    if (
        not whole
        and old_lock is not None
        and up_to_date.is_fresh(folder, old_lock, server_settings)
    ):
        return replace(before, report=_unmended(folder, old_lock, server_settings))
    from ..generate import generate  # of no use where nothing has changed

    generated = generate(
        server_settings, folder, diagnostics, old_lock=old_lock, afresh=policy.force, progress=stage
    )
    changes = _changes(folder, old_lock, generated)
    policy = replace(policy, asked=changed)
    report = server.write(folder, generated.files, generated.lock, policy, generated.server_folder)
    report = _with_own(report, folder, generated, server_settings)
    return replace(
        before, report=report, changes=changes, generated=generated, **_totals(generated)
    )


def _generate_to_try(
    folder: Path, flags: Mapping[str, Any], stage: Stage, diagnostics: Diagnostics
) -> Result:
    from ..generate import generate

    server_settings, _ = _settings_with(folder, flags, None)
    generated = generate(server_settings, folder, diagnostics, lasting=False, progress=stage)
    server.overwrite(folder, generated.files)
    return Result(str(folder), generated=generated, **_totals(generated))


def _totals(generated: Generated) -> dict[str, Any]:
    from ..catalogue import search_index, tools_json
    from ..text import literals

    tools = listed = literals.parsed(generated.tools_json)["tools"]
    lock, package = generated.lock, generated.names.package
    if lock.surface == "search":
        index = encoded(generated.files[f"{package}/search.json"])
        pages = f"{package}/pages.json" in generated.files
        listed = search_index.shown(tools, index, lock.server, pages=pages)
    totals = (len(tools), len(listed), tools_json.tokens(listed))
    return {"totals": totals, "surface": lock.surface}


def _tell_unpublished(diagnostics: Diagnostics) -> None:
    """Note that the runtime is not on a package index: anyone could register its name there."""
    message = f"the server depends on `{requirement()}`, which is not on PyPI yet"
    hint = (
        "`mcpgen runtime-wheel -o wheels` writes it without network. Install it from there: "
        "`pip install --no-deps wheels/mcpgen_runtime-*.whl`, then the server."
    )
    diagnostics.note("runtime-unpublished", message, hint=hint)


def _refuse_others(folder: Path) -> None:
    """Raise OutputError if the folder does not contain a server of mcpgen."""
    if not any((folder / name).is_file() for name in (locks.FILE_NAME, settings.FILE_NAME)):
        raise OutputError(
            f"{folder} holds no server of mcpgen: it has no {locks.FILE_NAME}; "
            "name the folder of one, or several: `servers/*`"
        )


def _check(folder: Path, stage: Stage, diagnostics: Diagnostics, whole: bool) -> Result:
    server.refuse_unfinished(folder)
    _refuse_others(folder)
    old_lock = server.check_target(folder)
    if old_lock is None:
        raise OutputError(f"{folder} has settings but no server yet; run `mcpgen update`")
    server_settings, _ = _settings_with(folder, {}, old_lock)
    before = Result(str(folder), mcpgen=old_lock.mcpgen)
    if not whole and up_to_date.is_fresh(folder, old_lock, server_settings):
        return replace(before, report=_unmended(folder, old_lock, server_settings))
    from ..generate import generate  # of no use where nothing has changed

    generated = generate(
        server_settings, folder, diagnostics, old_lock=old_lock, afresh=whole, progress=stage
    )
    report = server.compare(
        folder, generated.files, generated.lock, Policy(force=True), generated.server_folder
    )
    return replace(
        before,
        report=_with_own(report, folder, generated, server_settings),
        changes=_changes(folder, old_lock, generated),
        missing=tuple(path for path in report.written if not (folder / path).exists()),
        generated=generated,
    )


def _unmended(folder: Path, old_lock: Lock, server_settings: Settings) -> Report:
    """The report on an up-to-date server, with the problems in people's code."""
    from ..regeneration import broken_edits  # of no use where the server is generated

    broken = broken_edits.of_folder(ServerFolder(folder, old_lock), old_lock)
    own = _of_own_files(folder, package_rename.package_of(old_lock.files), server_settings)
    return Report(notes=(*broken, *own))


def _left_out(folder: Path, package: str) -> Iterator[Note]:
    return (Note(path, why) for path, why in bundle_files.left_out(folder, package))


def _of_own_files(folder: Path, package: str, server_settings: Settings) -> Iterator[Note]:
    """The notes on files that a bundle would lack, and on the server's skills."""
    yield from _left_out(folder, package)
    if server_settings.skills:
        from ..skills import checking

        yield from checking.notes(folder)


def _with_own(
    report: Report, folder: Path, generated: Generated, server_settings: Settings
) -> Report:
    """The report, with notes on missing and bad files of the user."""
    offers = (*generated.api.resources, *generated.api.prompts)
    names = dict.fromkeys(str(o.served["file"]) for o in offers if "file" in o.served)
    paths = [f"{generated.names.package}/files/{name}" for name in names if "{" not in name]
    absent = [Note(path, _ABSENT) for path in paths if not (folder / path).is_file()]
    broken = _of_own_files(folder, generated.names.package, server_settings)
    return replace(report, notes=(*report.notes, *absent, *broken))


def _settings_with(
    folder: Path, flags: Mapping[str, Any], old_lock: Lock | None
) -> tuple[Settings, dict[str, str]]:
    """The server's settings, and the new text of their file if `flags` change the settings."""
    there = folder / settings.FILE_NAME
    if not there.is_file():
        if not flags:
            raise OutputError(
                f"{folder} has no {settings.FILE_NAME}; restore it from version control, or make a "
                "new one: `mcpgen from-openapi` (or `from-schema`) with the server's document"
            )
        shared = settings.seen_from_here(settings.of_workspace(folder), folder)
        return settings.override(shared, flags), {}
    is_known = partial(up_to_date.knows, folder, old_lock)
    base = settings.seen_from_here(settings.load(there, is_known), folder)
    server_settings = settings.override(base, flags)
    if not flags:
        _refuse_nothing(server_settings, folder)
    if server_settings == base or settings.relative_to(
        server_settings, folder
    ) == settings.relative_to(base, folder):
        return server_settings, {}
    text = settings_text.changed(there, settings.relative_to(server_settings, folder))
    return server_settings, {settings.FILE_NAME: text}


def _refuse_nothing(server_settings: Settings, folder: Path) -> None:
    """Raise GenerationError if the settings name no document, or a document that is gone."""
    source = server_settings.source
    if source == "-" or "://" in source or (source and Path(source).exists()):
        return
    message = f"{source}, the document of {folder}, is not there" if source else _UNNAMED
    hint = (
        f"Say where it is: run `mcpgen from-openapi` (or `from-schema`) `PLACE -o {folder}`, or "
        f"set `source` in {folder / settings.FILE_NAME}."
    )
    raise GenerationError.of("not-found", message, hint=hint, setting=("source",))


def _changes(folder: Path, old_lock: Lock | None, generated: Generated) -> tuple[Change, ...]:
    """The changes that affect callers of the tools and users of prompts and resources."""
    try:
        tools = _differing(folder, generated)
        offered = _offered(folder, generated)
        was, now = _reaches(folder, old_lock, generated)
        if old_lock is None:
            return ()
        from ..diff import answers

        others = answers.changed(old_lock.answers, generated.lock.answers)
        same = not any(tools) and offered[0] == offered[1] and was == now and not others
        if same and old_lock.tools == generated.lock.tools:
            return ()
        from ..diff import access, offers
        from ..diff.tool_changes import ToolList, compare

        before, after = (
            ToolList(
                "",
                listed,
                {name: key for key, name in lock.tools.items()},
                prompts=offers.entries("prompts.json", texts["prompts.json"]),
                resources=offers.entries("resources.json", texts["resources.json"]),
                reach=reach,
                scopes=access.scopes(texts[access.FILE_NAME]),
            )
            for listed, lock, texts, reach in zip(
                tools, (old_lock, generated.lock), offered, (was, now), strict=True
            )
        )
        changes = compare(before, after).changes
        return (*changes, *answers.hidden(others, changes))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ()  # the list that is there is not what we wrote


def _reaches(
    folder: Path, old_lock: Lock | None, generated: Generated
) -> tuple[Reach | None, Reach | None]:
    """The targets of the calls in unedited files, before and after.

    Both are None if these files stay the same, or cannot be read.
    """
    from ..diff import reach

    name = f"{generated.names.package}/api.py"
    texts = {path: text for path, text in generated.files.items() if isinstance(text, str)}
    paths = [path for path in texts if is_handlers(path)]
    there = {path: folder / path for path in (name, *paths) if (folder / path).is_file()}
    files = old_lock.files if old_lock is not None else {}
    old = {p: file.read_text("utf-8") for p, file in there.items() if _is_ours(file, files.get(p))}
    if name not in old or old == {path: texts[path] for path in old}:
        return None, None
    changed = [path for path in paths if path in old and old[path] != texts[path]]
    try:
        before = reach.of_texts(old[name], [old[path] for path in changed])
        return before, reach.of_texts(texts[name], [texts[path] for path in changed])
    except reach.UNREADABLE:  # of a template of the user's
        return None, None


def _is_ours(file: Path, digest: str | None) -> bool:
    return digest is not None and file_digest(file) == digest


def _offered(folder: Path, generated: Generated) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files for prompts, resources and scopes, as they exist and as generated."""
    old: dict[str, bytes] = {}
    new: dict[str, bytes] = {}
    for name in ("prompts.json", "resources.json", "access.json"):
        path = f"{generated.names.package}/{name}"
        there = (folder / path).read_bytes() if (folder / path).is_file() else b""
        old[name] = there.replace(b"\r\n", b"\n")
        new[name] = encoded(generated.files.get(path, b""))
    return old, new


def _differing(folder: Path, generated: Generated) -> Differing:
    from ..catalogue.tools_json import differing

    file = folder / generated.names.package / "tools.json"
    if not file.is_file():  # a link may lead to a device without end
        raise FileNotFoundError
    return differing(file.read_bytes().replace(b"\r\n", b"\n"), generated.tools_json)
