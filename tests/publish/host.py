"""A host that installs a bundle: it fills the configuration in, starts the server and calls it.

`python tests/publish/host.py BUNDLE` does so with uv, as Claude Desktop would.
"""

import json
import os
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


def filled(place: Path, values: Mapping[str, str]) -> StdioServerParameters:
    """How a host starts the bundle unpacked at `place`, with what its user typed in."""
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
    options = manifest["user_config"]
    missing = [k for k, option in options.items() if option["required"] and k not in values]
    assert not missing, missing
    given = {key: option["default"] for key, option in options.items() if "default" in option}
    texts = {f"${{user_config.{key}}}": text(value) for key, value in {**given, **values}.items()}
    config = manifest["server"]["mcp_config"]
    return StdioServerParameters(
        command=config["command"],
        args=[each.replace("${__dirname}", str(place)) for each in config["args"]],
        env={name: texts[value] for name, value in config["env"].items()},
    )


def text(value: Any) -> str:
    """A value as the host writes it into the environment."""
    return str(value).lower() if isinstance(value, bool) else str(value)


async def titles(parameters: StdioServerParameters) -> list[str]:
    """The titles of the bookshop's books, by a call of the server that is started so."""
    async with Client(stdio_client(parameters)) as client:
        assert len((await client.list_tools()).tools) == 10
        result = await client.call_tool("listBooks", {})
    assert result.structured_content is not None
    return [book["title"] for book in result.structured_content["items"]]


def main(bundle: str) -> None:
    """Install a bundle and call it."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(bundle) as archive:
            archive.extractall(folder)
        parameters = filled(Path(folder), {"BOOKSHOP_SHOP_KEY": "k"})
        parameters.args.append("--mock")
        parameters.env = {**os.environ, **(parameters.env or {})}
        print(anyio.run(titles, parameters))


if __name__ == "__main__":
    main(sys.argv[1])
