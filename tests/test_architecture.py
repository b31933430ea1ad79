"""The shape of the generator: each third-party package has one home, and stages import only IRs."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from mcpgen.runtime import PARTS
from mcpgen.schemas.graphs import strongly_connected

STDLIB = sys.stdlib_module_names | {"annotationlib"}
"""The standard library, with what came in Python 3.14."""
ROOT = Path(__file__).parent.parent / "mcpgen"
HOMES = {
    "typer": ("cli/",),
    "rich": ("cli/",),
    "openapi_spec_validator": ("readers/validate.py",),
    "datamodel_code_generator": ("models/",),
    "jinja2": ("render/templating.py",),
    "ruff": ("format.py",),
    "libcst": ("merge/",),
    "jsonpath_rfc9535": ("overlay/",),
    "yaml": ("source/parse_yaml.py", "source/yaml_places.py"),
    "mcp": ("runtime/",),
    "mcp_types": ("runtime/",),
    "httpx": ("source/fetch.py",),
    "httpx2": ("runtime/",),
    "anyio": ("runtime/",),
    "msgspec": ("",),
    "orjson": ("text/literals.py",),
    "packaging": ("settings/checks.py", "publish/bundle.py"),
    "tomlkit": ("settings/toml_edits.py",),
    "pydantic_core": ("",),
    "starlette": ("runtime/",),
    "uvicorn": ("runtime/",),
    "jsonschema": ("",),
    "jsonschema_rs": ("schemas/violations.py",),
    "referencing": ("",),
}
RUNTIME_BRINGS = {
    *("anyio", "httpcore2", "httpx2", "jsonschema", "jwt", "mcp", "mcp_types", "opentelemetry"),
    *("prometheus_client", "pydantic", "pydantic_core", "redis", "referencing"),
    *("sse_starlette", "starlette", "typing_extensions", "uvicorn"),
}
"""What installing `mcp` installs, and an extra of some servers."""
EXTRAS = {"opentelemetry", "prometheus_client", "redis"}
"""What servers have as extras, but for OpenTelemetry's API."""
PURE = (
    *("values/errors", "values/parameters", "values/style", "values/arguments"),
    "bodies/encoding",
)
"""Modules of the runtime that the generator itself uses: nothing but the standard library."""
FOLDERS = (
    *("values", "schemas", "bodies", "credentials", "backend", "results", "calls", "app", "parts"),
)
"""The runtime's folders: a module imports from its own and from those above it."""
READING = ("source", "overlay", "readers")
AFTER_IR_1 = ("python_names", "lifting", "models", "plan", "cases", "render", "format")


@cache
def modules() -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.rglob("*.py"))]


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """What is below a node, at any depth, but for expressions: they import nothing."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from statements(child)


@cache
def imports(module: str) -> frozenset[str]:
    """Absolute names of everything a module imports, also under TYPE_CHECKING and in functions."""
    path = ROOT / module
    found = set()
    package = ["mcpgen", *path.relative_to(ROOT).parent.parts]
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            base = [*base, *(node.module.split(".") if node.module else [])]
            found |= {".".join([*base, alias.name]) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def imported(of_the_runtime: bool) -> set[tuple[str, str]]:
    """Each module of the runtime or of the rest with each name that it imports."""
    chosen = (m for m in modules() if m.startswith("runtime/") == of_the_runtime)
    return {(module, name) for module in chosen for name in imports(module)}


@cache
def file_of(name: str) -> str:
    """The file of ours that a dotted name is in: the module of that name, or what holds it."""
    place = name.split(".")[1:]
    starts = (place, place[:-1])
    paths = (path for s in starts for path in ("/".join([*s, "__init__.py"]), f"{'/'.join(s)}.py"))
    return next(path for path in paths if path in modules())


@cache
def generator_imports() -> dict[str, set[str]]:
    """The files that each file of the generator imports, the runtime left out."""
    ours = [module for module in modules() if not module.startswith("runtime/")]
    return {
        module: {file_of(name) for name in imports(module) if name.startswith("mcpgen.")} & {*ours}
        for module in ours
    }


def test_no_files_of_the_generator_import_each_other_in_a_circle() -> None:
    graph = generator_imports()
    assert sum(map(len, graph.values())) > 1000
    assert list(strongly_connected(graph)) == []


def test_no_folders_of_the_generator_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, found in generator_imports().items():
        own = module.partition("/")[0]
        graph.setdefault(own, set()).update({each.partition("/")[0] for each in found} - {own})
    assert list(strongly_connected(graph)) == []


def test_each_package_has_one_home() -> None:
    for module, name in imported(of_the_runtime=False):
        top = name.split(".")[0]
        if top not in STDLIB and top != "mcpgen":
            assert module.startswith(HOMES.get(top, ())), f"{module} imports {top}"


def test_the_runtime_stands_alone() -> None:
    for module, name in imported(of_the_runtime=True):
        top = name.split(".")[0]
        own = name.startswith("mcpgen.runtime")
        assert own or top in STDLIB or top in RUNTIME_BRINGS, f"{module} imports {name}"


def test_servers_ask_for_an_sse_starlette_that_lets_streams_end_by_themselves() -> None:
    """What `mcp` asks for admits versions without that, with which no server over HTTP starts."""
    asked = (ROOT.parent / "templates" / "pyproject.toml.jinja").read_text(encoding="utf-8")
    serving = (ROOT / "runtime" / "parts" / "http" / "asgi.py").read_text(encoding="utf-8")
    assert "AppStatus.enable_automatic_graceful_drain" in serving  # since 3.2.0
    assert '"sse-starlette>=3.2,' in asked


def test_a_server_declares_what_it_imports() -> None:
    """`mcp` brings them all, but may stop, and admits a PyJWT with known faults (before 2.12)."""
    brought_by = {"jwt": "pyjwt[crypto]", "mcp_types": "mcp", "pydantic_core": "pydantic"}
    tops = {name.split(".")[0] for _, name in imported(of_the_runtime=True)}
    tops -= {"mcpgen", *EXTRAS, *STDLIB}
    server = (ROOT.parent / "templates" / "pyproject.toml.jinja").read_text(encoding="utf-8")
    shared = (ROOT / "runtime" / "pyproject.toml").read_text(encoding="utf-8")
    declared = set(re.findall(r'"([a-z0-9\[\]-]+)>=[^"]+,<\d', server)) - {"pytest"}
    assert declared >= {brought_by.get(top, top.replace("_", "-")) for top in tops}
    assert '"pyjwt[crypto]>=2.12,<3"' in server
    listed = re.findall(r'    "(.+<\d)"', server)
    assert listed == re.findall(r'    "(.+<\d)"', shared)


def test_servers_tell_mypy_which_packages_have_no_types_or_may_be_absent() -> None:
    told = (ROOT.parent / "templates" / "pyproject.toml.jinja").read_text(encoding="utf-8")
    tops = {name.split(".")[0] for m in modules() if "runtime/" in m for name in imports(m)}
    for top in tops - {"mcpgen", *STDLIB}:
        found = find_spec(top)
        typed = found and found.origin and Path(found.origin).with_name("py.typed").is_file()
        installed = top not in EXTRAS
        assert (typed and installed) or f'"{top}.*"' in told, top


@cache
def of_the_runtime(path: str) -> frozenset[str]:
    """The paths of the runtime's own modules that one of them imports."""
    names = {name for name in imports(path) if name.startswith("mcpgen.runtime.")}
    ours = {each.removesuffix(".py").replace("/", "."): each for each in modules()}
    parts = {name.removeprefix("mcpgen.") for name in names}
    return frozenset(ours[m] for part in parts if (m := module_of(part, ours)))


def module_of(name: str, ours: Mapping[str, str]) -> str | None:
    """The module that a dotted name is, or that has it; None for the runtime's own exports."""
    return next((each for each in (name, name.rpartition(".")[0]) if each in ours), None)


def reached(path: str, seen: set[str]) -> set[str]:
    """Paths of the runtime's modules that one of them imports, however far away."""
    if path not in seen:
        seen.add(path)
        for each in of_the_runtime(path):
            reached(each, seen)
    return seen


SEAMS = ("runtime/__init__.py", "runtime/values/seams.py")
"""What exports the public names, and where the core says which part brings what."""
SCHEMES = ("runtime/values/urls.py", "runtime/values/environment.py")
"""Modules that name the scheme of URLs, which is called as a part is."""


def test_the_core_imports_no_part_and_knows_no_name_of_one() -> None:
    core = [m for m in modules() if m.startswith("runtime/") and not m.startswith("runtime/parts/")]
    assert len(core) > 40
    for path in sorted({*core} - {*SEAMS}):
        assert not any(name.startswith("mcpgen.runtime.parts") for name in imports(path)), path
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert not texts & ({*PARTS} - ({"http"} if path in SCHEMES else set())), path


ASKS_FOR = {
    "catalogue/tools_json.py": {"completion", "prompts", "resources"},
    "generate.py": {"cards", "skills"},
    "plan/planning.py": {"search"},
    "publish/bundle_manifest.py": {"changes"},
    "skills/first_skill.py": {"search"},
}
"""The modules of the generator that ask whether a server has a part: what a part has goes there."""


def test_the_generator_asks_for_parts_in_few_places_and_for_their_settings_in_one() -> None:
    """What is told about each part is in `bundled`, and when a server has it in `plan/parts.py`."""
    asking: dict[str, set[str]] = {}
    for path in (m for m in modules() if not m.startswith(("runtime/", "bundled/", "readers/"))):
        settings = r"mcpgen\.runtime\.parts\..*\bsettings\b.*"
        assert not [name for name in imports(path) if re.match(settings, name)], path
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            match node:
                case ast.Compare(ast.Constant(str(name)), [ast.In() | ast.NotIn()]):
                    if name in PARTS:
                        asking.setdefault(path, set()).add(name)
    assert asking == ASKS_FOR


def test_a_module_of_the_runtime_imports_from_its_own_folder_and_those_above_it() -> None:
    for path in modules():
        folder, _, rest = path.removeprefix("runtime/").partition("/")
        if rest and path.startswith("runtime/"):
            above = FOLDERS[: FOLDERS.index(folder) + 1]
            for other in of_the_runtime(path):
                assert other.split("/")[1] in above, f"{path} imports {other}"


def test_every_module_of_the_runtime_is_in_a_folder() -> None:
    own = [path.split("/")[1] for path in modules() if path.startswith("runtime/")]
    assert set(own) == {*FOLDERS, "__init__.py"}


def test_no_modules_of_the_runtime_import_each_other_in_a_circle() -> None:
    for path in modules():
        if path.startswith("runtime/"):
            below = [reached(other, set()) for other in of_the_runtime(path)]
            assert path not in set().union(*below), path


@pytest.mark.parametrize("module", PURE)
def test_what_the_generator_uses_of_the_runtime_needs_nothing(module: str) -> None:
    for path in reached(f"runtime/{module}.py", set()):
        tops = {name.split(".")[0] for name in imports(path)}
        assert tops <= STDLIB | {"mcpgen"}, path


@pytest.mark.parametrize("stage", AFTER_IR_1)
def test_a_later_stage_knows_nothing_of_reading(stage: str) -> None:
    for module in [m for m in modules() if m.startswith((f"{stage}.py", f"{stage}/"))]:
        for name in imports(module):
            if name.startswith("mcpgen."):
                assert name.split(".")[1] not in READING, f"{module} imports {name}"


def test_the_irs_import_nothing_of_ours() -> None:
    for module in ("api.py", "package.py"):
        ours = {name for name in imports(module) if name.startswith("mcpgen.")}
        assert not ours


def test_no_module_is_long() -> None:
    """About 500 lines: one that has more does a second job, or tests another matter too."""
    folders = (ROOT, ROOT.parent / "tests", ROOT.parent / "bench")
    modules = [module for folder in folders for module in folder.rglob("*.py")]
    assert len(modules) > 500
    lines = {module: module.read_text().count("\n") for module in modules}
    assert [str(module) for module, count in lines.items() if count > 520] == []
