"""Names that a server no longer has are told where people's own code still takes them."""

from msgspec.structs import replace
from tables import table
from written_folders import LOCK

from mcpgen.regeneration.names_used_elsewhere import taken
from mcpgen.regeneration.outcome import Policy
from mcpgen.writing import server


def test_variables_that_a_server_no_longer_reads_are_told(tmp_path):
    """They are set where it runs, which no other message reaches before it runs there."""
    same = "# Seconds.\nP_TIMEOUT=60\n"
    old = (
        f"{same}\n# A token.\nP_O_AUTH2_TOKEN=\n\n# Path in the URL.\n"
        "# P_PATH_A0AF9F is unset by default.\n\n# Bytes.\nP_MAX_BYTES=10\n"
    )
    new = f"{same}\n# Another text.\nP_OAUTH2_TOKEN=\n\n# Path in the URL.\nP_URL_PATH=v1\n"
    server.write(tmp_path, {".env.example": old}, LOCK)
    (tmp_path / ".env.example").write_text(f"# Ours.\nOUR_KEY=\n\n{old}")
    for report in (
        server.compare(tmp_path, {".env.example": new}, LOCK),
        server.write(tmp_path, {".env.example": new}, LOCK),
    ):
        assert [str(note) for note in report.notes] == [
            ".env.example: variables of the server have changed:"
            "\n    `P_O_AUTH2_TOKEN` is `P_OAUTH2_TOKEN` now"
            "\n    `P_PATH_A0AF9F` is `P_URL_PATH` now"
            "\n    `P_MAX_BYTES` is not read any more"
        ]
    assert server.write(tmp_path, {".env.example": new}, LOCK).notes == ()


def test_variables_may_move_from_one_file_to_the_other(tmp_path):
    """The file to fill in once had all of them, and its settings beside those of the page."""
    table = "| scheme | header | |\n|---|---|---|\n| `{}` | `X-Key` | sent |\n\n" + (
        "| variable | default | meaning |\n|---|---|---|\n| `{}` | {} | Seconds for `_`. |\n"
    )
    key = "# A key.\nP_KEY=\n"
    old = {
        ".env.example": f"{key}\n# Seconds for _.\n# P_TIMEOUT=60\n\n# Bytes.\n# P_BYTES=9\n",
        "DEPLOY.md": table.format("A_KEY", "P_TIMEOUT", "`60`") + "| `P_BYTES` |  | Bytes. |\n",
    }
    server.write(tmp_path, old, LOCK)
    new = {
        ".env.example": key,
        "DEPLOY.md": table.format("B_KEY", "P_TIMEOUT", "`60`") + "| `P_BYTES` |  | Bytes. |\n",
    }
    assert server.write(tmp_path, new, LOCK).notes == ()
    renamed = {".env.example": key, "DEPLOY.md": table.format("B_KEY", "P_LIMIT", "")}
    (note,) = server.write(tmp_path, renamed, LOCK).notes
    assert str(note) == (
        ".env.example: variables of the server have changed:"
        "\n    `P_TIMEOUT` is `P_LIMIT` now"
        "\n    `P_BYTES` is not read any more"
    )


def test_variables_of_a_further_source_are_followed_when_it_has_another_name(tmp_path):
    def of(source: str) -> str:
        start = source.upper()
        return (
            f"# For `{source}`: Where it is.\n{start}_BASE_URL=\n\n"
            f"# `P_TIMEOUT` for `{source}` alone.\n# {start}_TIMEOUT is unset by default.\n\n"
            f"# `P_READ_TIMEOUT` for `{source}` alone.\n"
            f"# {start}_READ_TIMEOUT is unset by default.\n"
        )

    server.write(tmp_path, {".env.example": of("copy")}, LOCK)
    report = server.write(tmp_path, {".env.example": of("shop")}, LOCK)
    assert [str(note) for note in report.notes] == [
        ".env.example: variables of the server have changed:"
        "\n    `COPY_BASE_URL` is `SHOP_BASE_URL` now"
        "\n    `COPY_TIMEOUT` is `SHOP_TIMEOUT` now"
        "\n    `COPY_READ_TIMEOUT` is `SHOP_READ_TIMEOUT` now"
    ]


def test_a_variable_that_is_described_otherwise_is_known_by_the_role_that_only_it_has(tmp_path):
    """FastAPI's login: its scheme's name is no part of the variables any more."""
    old = "# Sent with tokens.\nP_LOGIN_OF_FAST_API_CLIENT_ID=\n"
    server.write(tmp_path, {".env.example": old}, LOCK)
    report = server.write(tmp_path, {".env.example": "# An id.\nP_LOGIN_CLIENT_ID=\n"}, LOCK)
    told = ".env.example: the variable `P_LOGIN_OF_FAST_API_CLIENT_ID` is `P_LOGIN_CLIENT_ID` now"
    assert [str(note) for note in report.notes] == [told]


def test_imports_of_runtime_modules_that_moved_are_told_where_people_wrote_them(tmp_path):
    old = {
        **{f"p/_runtime/{name}.py": f"{name} = 1\n" for name in ("errors", "media", "urls")},
        "p/_runtime/__init__.py": "",
        "p/hooks.py": "",
        "p/handlers/a.py": "from .._runtime.media import media\n\na = 1\n",
        "p/handlers/b.py": "b = 1\n",
    }
    server.write(tmp_path, old, LOCK)
    mine = "import p._runtime.media\nfrom ._runtime import errors, urls\nfrom . import _runtime\n"
    (tmp_path / "p/hooks.py").write_text(mine)
    (tmp_path / "p/handlers/b.py").write_text("from .._runtime.errors import *\n\nb = 2\n")
    new = {
        path: text.replace("_runtime.media", "_runtime.wire.media")
        for path, text in old.items()
        if path not in ("p/_runtime/media.py", "p/_runtime/urls.py")
    }
    new |= {"p/_runtime/wire/media.py": "media = 1\n", "p/_runtime/wire/__init__.py": ""}
    report = server.write(tmp_path, new, LOCK)
    assert report.conflicts == ()
    assert [str(note) for note in report.notes] == [
        "p/hooks.py:1: imports `p/_runtime/media.py`, which is `p/_runtime/wire/media.py` now",
        "p/hooks.py:2: imports `p/_runtime/urls.py`, which is gone",
    ]
    assert server.compare(tmp_path, new, LOCK).clean


def test_names_that_generated_modules_lost_are_told_where_people_take_them(tmp_path):
    old = {
        "p/__init__.py": "",
        "p/_runtime/__init__.py": "from .errors import Fault\n",
        "p/_runtime/errors.py": "class Fault(Exception): ...\nHINT = old_hint = older = 1\n",
        "p/_runtime/results/__init__.py": "",
        "p/_runtime/results/pages.py": "",
        "p/api.py": "API = 1\n",
        "p/hooks.py": "",
        "tests/conftest.py": "def text_of(): ...\n",
    }
    server.write(tmp_path, old, LOCK)
    helpers = [
        "from typing import TYPE_CHECKING",
        "import p._runtime.errors as errors",
        "from ._runtime import Fault, errors as same, results",
        "from ._runtime.results import pages",
        "from ._runtime.errors import HINT, old_hint",
        "from .api import API, KEY",
        "from .api import Fault",
        "from . import _version, hooks",
        "try:",
        "    from ._runtime.ancient import age",
        "except ImportError:",
        "    from ._runtime.errors import age",
        "def pick(errors_of, results):",
        "    print(errors.older)",
        "    return errors.old_hint, same.HINT, Fault.args, results.mine, results.pages",
    ]
    (tmp_path / "p/helpers.py").write_text("\n".join(helpers))
    (tmp_path / "tests/test_mine.py").write_text(
        "from .conftest import text_of\nfrom p.api import VALUE\n"
    )
    (tmp_path / "check.py").write_text("from p._runtime.late import wait\nimport q._runtime.x\n")
    new = {
        **old,
        "p/_runtime/errors.py": "class Fault(Exception): ...\n\nif 1:\n    HINT: int = 1\n",
        "p/_runtime/hints.py": "def old_hint() -> None: ...\n",
        "p/_runtime/listing/pages.py": "",
        "tests/conftest.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "    from .texts import text_of\n",
        "tests/texts.py": "text_of = str\n",
    }
    del new["p/_runtime/results/pages.py"]
    told = [
        "check.py:1: imports `p/_runtime/late.py`, which is gone",
        "p/helpers.py:4: imports `p/_runtime/results/pages.py`, which is "
        "`p/_runtime/listing/pages.py` now",
        "p/helpers.py:5: uses `old_hint` of `p/_runtime/errors.py`, which does not have it; "
        "`p/_runtime/hints.py` has it",
        "p/helpers.py:6: uses `KEY` of `p/api.py`, which does not have it",
        "p/helpers.py:7: uses `Fault` of `p/api.py`, which does not have it; "
        "`p/_runtime/__init__.py` has it",
        "p/helpers.py:14: uses `older` of `p/_runtime/errors.py`, which does not have it",
        "tests/test_mine.py:1: uses `text_of` of `tests/conftest.py`, which does not have it; "
        "`tests/texts.py` has it",
        "tests/test_mine.py:2: uses `VALUE` of `p/api.py`, which does not have it",
    ]
    assert [str(note) for note in server.write(tmp_path, new, LOCK).notes] == told
    again = server.compare(tmp_path, new, LOCK)
    assert again.clean
    assert [str(note) for note in again.notes] == told, "as long as it is so"


@table(
    "top, encoding", ("", "utf-8"), ("", "utf-8-sig"), ("# coding: latin-1\n# \xe4\n", "latin-1")
)
def test_what_modules_take_is_told_whatever_their_encoding(tmp_path, top, encoding):
    old = {"p/a.py": "a = 1\n", "p/b.py": "b = 1\n"}
    server.write(tmp_path, old, LOCK)
    (tmp_path / "p/b.py").write_bytes(f"{top}from .a import mine\n\nb = 1\n".encode(encoding))
    (tmp_path / "p/a.py").write_bytes(f"{top}a = 1\nmine = 2\n".encode(encoding))
    assert server.write(tmp_path, {**old, "c.py": ""}, LOCK).notes == ()
    (tmp_path / "p/a.py").write_bytes(f"{top}a = 1\n".encode(encoding))
    [note] = server.write(tmp_path, old, LOCK).notes
    assert (note.path, note.text) == ("p/b.py", "uses `mine` of `p/a.py`, which does not have it")


def test_what_a_module_has_whose_conflicts_are_marked_is_not_known(tmp_path):
    server.write(tmp_path, {"p/a.py": "a = 1\n"}, LOCK)
    (tmp_path / "p/a.py").write_text("a = 2\n")
    (tmp_path / "p/b.py").write_text("from .a import b\n")
    report = server.write(tmp_path, {"p/a.py": "a = 3\n"}, LOCK, Policy(conflicts="markers"))
    assert (len(report.conflicts), report.notes) == (1, ())


def test_what_is_not_for_type_checkers_is_run():
    text = "if {}TYPE_CHECKING:\n    from .models import Pet\n"
    tests = ("", "t.", "not ", "not t.")
    typed = [taken("p/helpers.py", text.format(test))[0].typed for test in tests]
    assert typed == [True, True, False, False]


def test_imports_that_nobody_misses_are_not_told(tmp_path):
    old = {
        "p/_runtime/__init__.py": "",
        "p/_runtime/errors.py": "if TYPE_CHECKING:\n    from .ages import Age\n"
        "else:\n    from .ages import Year\n",
        "p/_runtime/results.py": "",
        "p/hooks.py": "",
    }
    server.write(tmp_path, old, LOCK)
    helpers = [
        "if typing.TYPE_CHECKING:",
        "    from ._runtime.errors import Age",
        "from ._runtime.errors import Year",
        "with contextlib.suppress(ImportError):",
        "    from ._runtime.errors import Month",
        "    from ._runtime.months import Month",
        "from . import hooks",
        "from ._runtime import errors, results",
        "from .soil import PH",
        "hooks.found = 1",
        "print(hooks.found, hooks.__file__)",
        "def results(): ...",
        "print(results.cache)",
        "def pick():",
        "    from mine import errors",
        "    return errors.late",
    ]
    (tmp_path / "p/helpers.py").write_text("\n".join(helpers))
    (tmp_path / "p/soil.py").write_text("from mine import *\n")
    assert server.write(tmp_path, {**old, "p/new.py": ""}, LOCK).notes == ()
    (tmp_path / "p/helpers.py").write_text("from ._runtime.errors import Age\n")
    [note] = server.compare(tmp_path, {**old, "p/new.py": ""}, LOCK).notes
    assert note.text == "uses `Age` of `p/_runtime/errors.py`, which does not have it"


def test_imports_of_types_that_are_gone_are_told_where_people_wrote_them(tmp_path):
    old = {
        "p/models.py": "Pet = Toy = dict\n",
        "p/handlers/a.py": "from ..models import Toy\n\na = 1\n",
        "p/handlers/b.py": "b = 1\n",
        "p/hooks.py": "",
    }
    server.write(tmp_path, old, replace(LOCK, classes={"pet": "Pet", "toy": "Toy"}))
    twice = "from ..models import Pet, Toy\nfrom p.models import Toy as Same\n\nb = 2\n"
    (tmp_path / "p/handlers/b.py").write_text(twice)
    (tmp_path / "p/hooks.py").write_text("from toys import Toy\n")
    new = {**old, "p/models.py": "Pet = dict\n", "p/handlers/a.py": "a = 1\n"}
    now = replace(LOCK, classes={"pet": "Pet"})
    report = server.write(tmp_path, new, now)
    assert [str(note) for note in report.notes] == [
        "p/handlers/b.py:1: imports `Toy`, which `models` no longer has"
    ]
    assert server.compare(tmp_path, new, now).clean
