"""Do the unit tests notice a fault in what encodes, places and masks? mutmut's mutants, by module.

    python -m bench.mutation [--processes 1] [--target 0.9] [MODULE...]

MODULE such as `runtime.backend.urls` runs its mutants again and keeps what is known of the others;
without one all are made and run anew. `[tool.mutmut]` in pyproject.toml says which modules are
mutated and which tests must notice; `mutmut show MUTANT` prints one that survived. Needs the extra
`mutation`.
Exit code 1: fewer than `--target` of all mutants were killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
_KILLED = ("killed", "timeout")


def mutmut(*arguments: str, quiet: bool = False) -> str:
    """Run mutmut in the project; what it prints, where that is wanted instead of shown."""
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=ROOT,
        env=os.environ | {"CI": "1"},  # hypothesis then tries the same examples for each mutant
        stdout=subprocess.PIPE if quiet else None,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"mutmut {arguments[0]} ended with exit code {done.returncode}")
    return done.stdout or ""


def by_module(results: str) -> Mapping[str, Counter[str]]:
    """How many mutants of each module ended how, out of what `mutmut results` prints."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for line in results.splitlines():
        mutant, colon, status = line.strip().rpartition(": ")
        if colon:
            found[mutant.removeprefix("mcpgen.").rpartition(".")[0]][status] += 1
    return found


def report(found: Mapping[str, Counter[str]], target: float) -> int:
    """Print a line for each module and one for all; the exit code."""
    every = sum(found.values(), Counter[str]())
    for name, counts in [*sorted(found.items()), ("in all", every)]:
        killed, total = sum(counts[status] for status in _KILLED), counts.total()
        rest = ", ".join(f"{counts[s]} {s}" for s in sorted({*counts} - {*_KILLED}))
        share = killed / (total or 1)
        print(f"{killed:5}/{total:<5} {share:6.1%} killed  {name:20} {rest}".rstrip())
    return 0 if share >= target else 1


def main(argv: Sequence[str] | None = None) -> int:
    """Make the mutants, run the tests on each, and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--target", type=float, default=0.9)
    asked = parser.parse_args(argv)
    if asked.modules:
        # It says by id which tests run a function, and after an edit an id may be another test's.
        (ROOT / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)
    else:
        shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    names = [f"mcpgen.{module}.*" for module in asked.modules]
    mutmut("run", "--max-children", str(asked.processes), *names)
    return report(by_module(mutmut("results", "--all", "true", quiet=True)), asked.target)


if __name__ == "__main__":
    sys.exit(main())
