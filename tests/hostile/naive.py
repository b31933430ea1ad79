"""A generator that pastes text into files: the control that the judge sees what it looks for."""

from __future__ import annotations

from typing import Any

import jinja2

from .judge import PACKAGE


def generate(document: dict[str, Any]) -> dict[str, str]:
    """Some files of a server for a document of `documents.planted`, written without any care."""
    info, item = document["info"], document["paths"]["/items"]
    create, choice = item["post"], item["get"]["parameters"][0]
    path = list(document["paths"])[2]
    readme = jinja2.Environment().from_string(f"# {info['title']}\n\n{info['description']}\n")
    return {
        f"{PACKAGE}/__init__.py": f'"""{info["title"]}"""\n',
        f"{PACKAGE}/api.py": _api(document),
        f"{PACKAGE}/handlers/items.py": _handlers(path, create, choice),
        f"{PACKAGE}/server.py": f"# {info['title']}\nAPP = '{info['version']}'\n",
        "pyproject.toml": f'[project]\nname = "x"\ndescription = "{info["title"]}"\n',
        "README.md": readme.render(),
        ".env.example": f"# {info['title']}\nREGION={choice['schema']['default']}\n",
        "Dockerfile": f"FROM python\nLABEL title={info['title']}\n",
    }


def _api(document: dict[str, Any]) -> str:
    scheme = next(iter(document["components"]["securitySchemes"]))
    return f'API = Api(schemes={{"{scheme}": "key"}})\n'


def _handlers(path: str, create: dict[str, Any], choice: dict[str, Any]) -> str:
    prefix = "f" if "{" in path else ""
    default = choice["schema"]["default"]
    return (
        f'"""Tools."""\n\nDEFAULT = \'{default}\'\n\n\n'
        f"# {create['summary']}\n"
        f"async def create(ctx: Context, *, kind: str = '{default}') -> Response:\n"
        f'    """{create["description"]}"""\n'
        f'    return await ctx.api.send("GET", {prefix}"{path}")\n'
    )
