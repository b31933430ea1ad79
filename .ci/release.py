"""What a release needs to know: whether the names are ours, and the licences of what comes along.

`release.py names VERSION`, `release.py licences BILL...` and `release.py notes VERSION`.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

NAMES = ("mcpgen", "mcpgen-runtime")
PYPI = os.environ.get("PYPI", "https://pypi.org")
REPOSITORY = os.environ.get("GITHUB_REPOSITORY", "")
STRONG = re.compile(r"\bA?GPL|GNU (Affero )?General Public", re.IGNORECASE)
"""Licences that a program with an MIT licence cannot depend on unseen."""
CHANGES = Path(__file__).parents[1] / "CHANGELOG.md"


def names(version: str) -> Iterator[str]:
    """Why the names cannot be published under, a line each."""
    for name in NAMES:
        project = _json(f"/pypi/{name}/json")
        if project is None:
            print(f"{name}: free")
        elif version in project["releases"]:
            yield f"{name}: {version} is there already"
        elif REPOSITORY and REPOSITORY in _publishers(name, project):
            print(f"{name}: ours")
        else:
            yield f"{name}: another's, for no provenance names {REPOSITORY or 'GITHUB_REPOSITORY'}"


def _publishers(name: str, project: Any) -> set[str]:
    """The repositories whose workflows published the newest version, as PyPI has verified."""
    version = project["info"]["version"]
    found = set()
    for each in project["urls"]:
        provenance = _json(f"/integrity/{name}/{version}/{each['filename']}/provenance")
        for bundle in (provenance or {}).get("attestation_bundles", ()):
            found.add(bundle["publisher"].get("repository", ""))
    return found


def _json(path: str) -> Any:
    """What PyPI answers; None where there is none."""
    headers = {"Accept": "application/json, application/vnd.pypi.integrity.v1+json"}
    try:
        with urlopen(Request(PYPI + path, headers=headers), timeout=30) as answer:
            return json.load(answer)
    except HTTPError as error:
        if error.code == 404:
            return None
        raise


def licences(*bills: str) -> Iterator[str]:
    """The components of bills of materials without a licence that is taken, a line each."""
    for bill in bills:
        components = json.loads(Path(bill).read_text("utf-8")).get("components", [])
        if not components:
            yield f"{bill}: there are no components"
        for each in sorted(components, key=lambda each: str(each["name"]).lower()):
            said = sorted({*_licences(each)})
            line = f"{each['name']} {each.get('version', '')}: {', '.join(said) or 'no licence'}"
            print(line)
            if not said or all(map(STRONG.search, said)):
                yield line


def _licences(component: Any) -> Iterator[str]:
    for each in component.get("licenses", ()):
        licence = each.get("license", {})
        name = each.get("expression") or licence.get("id") or licence.get("name")
        if name:
            yield name.removeprefix("License :: OSI Approved :: ")


def notes(version: str) -> Iterator[str]:
    """The part of CHANGELOG.md about a version, which is printed."""
    parts = re.split(r"^## ", CHANGES.read_text("utf-8"), flags=re.MULTILINE)[1:]
    part = next((each for each in parts if each.split()[0].rstrip(",") == version), None)
    if part is None:
        yield f"{CHANGES.name} does not tell of {version}"
    else:
        print(part.partition("\n")[2].strip())


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    problems = [*{"names": names, "licences": licences, "notes": notes}[command](*arguments)]
    sys.exit("\n".join(problems) or None)
