"""One API and one server for each document and each tool file, for the whole session."""

import sys
from pathlib import Path

import pytest

from . import calling_tasks, changing, three_sources
from .servers import PACKAGE, SPECS, Server, generate
from .upstream import listening

FILLED = Path(__file__).parent / "filled"


@pytest.fixture(scope="session")
def upstream():
    """The recording API."""
    with listening() as found:
        yield found


@pytest.fixture(scope="session")
def generated(upstream, tmp_path_factory):
    """Generate the server of a document in `specs/`, once; that of the bookshop is vendored."""
    servers: dict[str, Server] = {}
    path = list(sys.path)

    def get(document: str) -> Server:
        if document not in servers:
            runtime = () if document == "bookshop.yaml" else PACKAGE
            folder = tmp_path_factory.mktemp("servers") / Path(document).parts[0].split(".")[0]
            servers[document] = generate(SPECS / document, folder, upstream, *runtime)
        return servers[document]

    yield get
    sys.path[:] = path


@pytest.fixture(scope="session")
def almanac(upstream, tmp_path_factory):
    """The server of resources and prompts whose functions a person has written."""
    folder = tmp_path_factory.mktemp("almanac") / "server"
    made = generate(SPECS / "tools-resources.yaml", folder, upstream, command="from-schema")
    package = folder / made.package
    for name in ("resources", "prompts"):
        (package / f"{name}.py").write_bytes((FILLED / f"almanac_{name}.py").read_bytes())
    (package / "handlers/tools.py").write_bytes((FILLED / "almanac.py").read_bytes())
    (package / "files/notes").mkdir(parents=True)
    (package / "files/rules.md").write_text("# Rules\n", encoding="utf-8")
    (package / "files/notes/buoys.md").write_text("Red to port.\n", encoding="utf-8")
    (package / "files/notes/deep").mkdir()
    (package / "secret.md").write_text("secret\n", encoding="utf-8")
    (package / "files/notes/link.md").symlink_to(package / "secret.md")
    return made


@pytest.fixture(scope="session")
def chandler(upstream, tmp_path_factory):
    """The server of tools in Python whose handlers a person has written."""
    folder = tmp_path_factory.mktemp("tools") / "python"
    made = generate(SPECS / "tools-python.yaml", folder, upstream, *PACKAGE, command="from-schema")
    handlers = folder / made.package / "handlers" / "tools.py"
    handlers.write_bytes((FILLED / "chandler.py").read_bytes())
    return made


@pytest.fixture(scope="session")
def quay(upstream, tmp_path_factory):
    """The server whose tools change."""
    return changing.make(tmp_path_factory.mktemp("quay"), upstream)


@pytest.fixture(scope="session")
def yard(upstream, tmp_path_factory):
    """The server whose tools run as tasks."""
    return calling_tasks.make(tmp_path_factory.mktemp("yard"), upstream)


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """The files of three sources, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    three_sources.write_all()


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch):
    """A proxy of the machine that runs the tests is none of theirs."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
