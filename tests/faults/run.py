"""Generate a server from each document of a folder, and see that it keeps what it promises.

    python tests/faults/run.py FOLDER|LIST.tsv [NAME ...] [--no-tests] [--jobs 2]

Each document gives a server, or problems with their places. The server's own tests pass, and its
tools keep the promises of `promises.py`. A list has a name and a path on each line. Exit code 1 if
anything does not hold.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # also where this file is the program
from faults.promises import broken

TIMEOUT = 600
"""Seconds for one document."""
SUFFIXES = (".yaml", ".yml", ".json")


def main() -> int:
    """Try the documents, and say what does not hold."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--no-tests", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    found = documents(given.source)
    wanted = {name: found[name] for name in given.names or found}
    with ThreadPoolExecutor(given.jobs) as pool:
        results = pool.map(lambda path: tried(path, tests=not given.no_tests), wanted.values())
    bad = 0
    for name, problems in zip(wanted, results, strict=True):
        bad += bool(problems)
        print(f"{name}: {'; '.join(problems[:5]) or 'good'}")
        if len(problems) > 5:
            print(f"  and {len(problems) - 5} more")
    print(f"{len(wanted)} documents, {bad} not good")
    return 1 if bad or not wanted else 0


def documents(source: Path) -> dict[str, Path]:
    """The documents of a folder or a list, by name."""
    if source.is_dir():
        return {each.stem: each for each in sorted(source.iterdir()) if each.suffix in SUFFIXES}
    rows = (line.split("\t") for line in source.read_text(encoding="utf-8").splitlines() if line)
    return {name: source.parent / path for name, path in rows}


def tried(path: Path, *, tests: bool) -> list[str]:
    """What does not hold of the server of one document."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "server")
        command = ["-m", "mcpgen", "from-openapi", str(path), "-o", str(out), "--json"]
        made = _run(Path(folder), *command)
        if made.returncode:
            return _refusal(made)
        [listed] = out.glob("*/tools.json")
        tools = json.loads(listed.read_text(encoding="utf-8"))["tools"]
        problems = [str(each) for each in broken(tools)]
        if tests:
            done = _run(out, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
            if done.returncode:
                problems.append(f"its tests: {done.stdout.strip()[-300:]}")
        return problems


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    own = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=own,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def _refusal(made: subprocess.CompletedProcess[str]) -> list[str]:
    """What is wrong with how a document was refused: errors have a place and a reason."""
    try:
        told = json.loads(made.stdout)["diagnostics"]
    except (ValueError, KeyError):
        return [f"no report: {made.stderr.strip()[-300:]}"]
    errors = [each for each in told if each["severity"] == "error"]
    lost = [each["message"] for each in errors if "line" not in each]
    return [f"no place: {message}" for message in lost] if errors else ["refused without an error"]


if __name__ == "__main__":
    sys.exit(main())
