"""A generator that pastes text into files: the control that the judge sees what it looks for."""

from typing import Any

import jinja2

from .judge import PACKAGE


def generate(document: dict[str, Any]) -> dict[str, str]:
    """Some files of a server for a document of `documents.planted`, written without any care."""
    info, item = document["info"], document["paths"]["/items"]
    create, choice = item["post"], item["get"]["parameters"][0]["schema"]
    path = list(document["paths"])[2]
    scheme = next(iter(document["components"]["securitySchemes"]))
    escaped = path.replace('"', '\\"')
    prefix = "f" if "{" in path else ""
    readme = jinja2.Environment().from_string(f"# {info['title']}\n\n{info['description']}\n")
    return {
        f"{PACKAGE}/api.py": f'SCHEMES = {{"{scheme}": "key"}}\n',
        f"{PACKAGE}/handlers/paths.py": f'PATH = {prefix}"{escaped}"\n',
        f"{PACKAGE}/handlers/defaults.py": f"DEFAULT = '{choice['default']}'\n",
        f"{PACKAGE}/handlers/create.py": f'"""{create["description"]}"""\n',
        f"{PACKAGE}/handlers/search.py": f"# {create['summary']}\n",
        "pyproject.toml": f'[project]\nname = "x"\ndescription = "{info["title"]}"\n',
        "README.md": readme.render(),
        ".env.example": f"# {info['title']}\nREGION={choice['default']}\n",
        "Dockerfile": f"FROM python\nLABEL title={info['title']}\n",
    }
