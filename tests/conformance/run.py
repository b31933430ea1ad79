"""Run the official conformance suite against a server generated from `tools.yaml`.

    python tests/conformance/run.py NODE_MODULES [SCENARIO ...]

`--revision`, `--surface` and `--stateless` say which revision, and what server it is.

NODE_MODULES holds `@modelcontextprotocol/conformance` and `node`, 22.19 or later, as after `npm ci`
in this folder. Every scenario that a revision requires is run, and every one that is run without
being scored; without sessions, those that need one are not. Exit code 1 on a failure, or on a pass
that did not happen: a scenario without a check that succeeded, or that could not be tested.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hosting import installed, served

REVISIONS = ("2026-07-28", "2025-11-25")
KNOWN: dict[str, Any] = tomllib.loads(
    (Path(__file__).parent / "scenarios.toml").read_text(encoding="utf-8")
)
"""The scenarios by revision, and those of features that generated servers leave out."""
UNWRITTEN = ("tasks-status-notifications",)
"""Scenarios in which the suite checks nothing yet and says so: they skip whatever a server does."""
TIMEOUT = 60
"""Seconds for one scenario."""


@dataclass(frozen=True)
class Outcome:
    """One scenario on one revision."""

    name: str
    statuses: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether something was checked and nothing failed."""
        return not self.problems and ("SUCCESS" in self.statuses or self.name in UNWRITTEN)


@dataclass(frozen=True)
class Suite:
    """The installed suite, and the server that it is run against."""

    node: str
    script: str
    url: str

    @classmethod
    def at(cls, modules: Path, url: str) -> Suite:
        """The suite in a `node_modules`."""
        node, script = installed(modules, "@modelcontextprotocol/conformance/dist/index.js")
        return cls(node, script, url)

    def scenarios(self, revision: str) -> tuple[list[str], list[str]]:
        """The server's scenarios of a revision: those it requires, and those that score nothing."""
        text = self._run("list", "--requirements", revision).stdout
        required, _, unscored = text.partition("Run and reported, but never scored")
        server = required.partition("Client scenarios")[0]
        names = re.findall(r"^  - (\S+)$", server, re.MULTILINE)
        return names, re.findall(r"^    - (\S+) \[server\]$", unscored, re.MULTILINE)

    def run(self, scenario: str, revision: str, folder: Path) -> Outcome:
        """Run one scenario and read each of its checks."""
        out = folder / revision / scenario
        options = ("--scenario", scenario, "--spec-version", revision, "--force", "-o", str(out))
        done = self._run("server", "--url", self.url, *options)
        checks = [
            check
            for path in out.rglob("checks.json")
            for check in json.loads(path.read_text(encoding="utf-8"))
        ]
        problems = [_told(check) for check in checks if _is_problem(check)]
        if done.returncode and not problems:
            problems = [f"exit code {done.returncode}: {(done.stdout + done.stderr)[-1500:]}"]
        return Outcome(scenario, tuple(check["status"] for check in checks), tuple(problems))

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [self.node, self.script, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT)


def _is_problem(check: dict[str, Any]) -> bool:
    """Whether a check failed, or says that there was nothing to test."""
    untestable = bool((check.get("details") or {}).get("untestable"))
    return check["status"] == "FAILURE" or untestable


def _told(check: dict[str, Any]) -> str:
    reason = check.get("errorMessage") or check.get("description", "")
    return f"{check['status']} {check['id']}: {reason}"


def judge(suite: Suite, revision: str, chosen: list[str], scratch: Path, *, stateless: bool) -> int:
    """Run a revision's scenarios; return how many did not pass."""
    required, unscored = suite.scenarios(revision)
    known = KNOWN[revision]
    if (required, unscored) != (known["required"], known["unscored"]):
        raise SystemExit(f"the suite has other scenarios for {revision} than scenarios.toml")
    needing = known.get("needs_session", ()) if stateless else ()
    excused = {**known["left_out"], **dict.fromkeys(needing, "it needs a session")}
    names = [
        name
        for name in (*required, *unscored)
        if name not in excused
        if not chosen or name in chosen
    ]
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda name: suite.run(name, revision, scratch), names))
    for outcome in outcomes:
        print(f"{revision} {outcome.name}: {'ok' if outcome.passed else 'FAILED'}")
        for problem in outcome.problems:
            print(f"  {problem}")
    passed = {outcome.name for outcome in outcomes if outcome.passed}
    for title, group in (("required", required), ("not scored", unscored)):
        print(f"{revision}: {len(passed.intersection(group))} of {len(group)} {title}")
    for name, reason in excused.items():
        print(f"{revision} {name}: not run, {reason}")
    return len(names) - len(passed)


def main() -> int:
    """Run every scenario, or those that are named; the number of failures decides the exit code."""
    parser = argparse.ArgumentParser(description="Run the official conformance suite.")
    parser.add_argument("modules", type=Path)
    parser.add_argument("scenario", nargs="*")
    parser.add_argument("--revision", choices=REVISIONS, action="append")
    parser.add_argument("--surface", choices=("tools", "search"), default="tools")
    parser.add_argument("--stateless", action="store_true", help="no client has a session")
    given = parser.parse_intermixed_args()
    scratch_folder = tempfile.TemporaryDirectory()
    bare = given.stateless
    with scratch_folder as scratch, served(Path(scratch), given.surface, stateless=bare) as server:
        suite = Suite.at(given.modules, server.url)
        revisions = given.revision or REVISIONS
        failed = sum(
            judge(suite, r, given.scenario, Path(scratch), stateless=bare) for r in revisions
        )
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
