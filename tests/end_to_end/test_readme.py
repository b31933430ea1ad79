"""What a generated DEPLOY.md says about HTTP is true of its server."""

import json
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from mcp import Client
from prepared import python

from .servers import Server, of_spec, openapi, packaged

shop = of_spec("bookshop.yaml")


def blocks(server: Server, kind: str) -> list[str]:
    """The code of that kind in the part of DEPLOY.md about HTTP."""
    page = (server.folder / "DEPLOY.md").read_text(encoding="utf-8")
    part = page.partition("## Serve it over HTTP\n")[2].partition("\n## ")[0]
    assert part
    return re.findall(rf"```{kind}\n(.*?)```", part, re.DOTALL)


def console(server: Server) -> list[str]:
    """The commands of that part."""
    return [line for block in blocks(server, "console") for line in block.splitlines()]


async def list_tools(url: str) -> list[str]:
    async with Client(url, read_timeout_seconds=20) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


def test_its_commands_serve(shop):
    commands = [
        c for c in console(shop) if not c.startswith(("docker ", "printf ", "kubectl ", "uv "))
    ]
    assert len(commands) == 2
    for command in commands:
        # Each further worker would import everything once more.
        command = command.replace(" --workers 2 ", " --workers 1 ")
        env = {"PATH": os.environ["PATH"]}
        words = shlex.split(command)
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            env[name] = value
        module = "uvicorn" if words[0] == "uvicorn" else shop.package
        arguments = [re.sub(r"\b8000$", "0", word) for word in words[1:]]
        process = subprocess.Popen(
            python("-m", module, *arguments),
            cwd=shop.folder,
            env=env,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                assert process.stderr is not None
                found = None
                while found is None and (line := process.stderr.readline()):
                    found = re.search(r"http://127\.0\.0\.1:\d+", line)
                assert anyio.run(list_tools, f"{found[0]}/mcp") == list(shop.tools)
                served = ("--http", found[0].removeprefix("http://"))
                assert is_healthy(shop, *served)
            finally:
                process.terminate()
        assert not is_healthy(shop, *served)


def is_healthy(server: Server, *arguments: str) -> bool:
    """What its container's health check says of a process that was started so."""
    lines = (server.folder / "Dockerfile").read_text(encoding="utf-8").splitlines()
    (check,) = (line.partition(" CMD ")[2] for line in lines if line.startswith("HEALTHCHECK"))
    _, flag = json.loads(check)
    command = python("-m", server.package, flag, *arguments)
    return subprocess.run(command, cwd=server.folder, capture_output=True).returncode == 0


def test_its_container_and_deployment_fit_the_server(shop):
    (text,) = blocks(shop, "yaml")
    deployment, service = yaml.safe_load_all(text)
    assert_valid(text)
    assert service["spec"]["selector"] == deployment["spec"]["selector"]["matchLabels"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    build, run = [command.split() for command in console(shop) if command.startswith("docker ")]
    assert run[-2:] == container["args"] == ["--http", "0.0.0.0:8000"]
    assert build[build.index("-t") + 1] == run[-3] == container["image"]
    (secret,) = [command.split() for command in console(shop) if command.startswith("kubectl ")]
    assert container["envFrom"] == [{"secretRef": {"name": secret[4]}}]
    listed = {f"{shop.api.env_prefix}_{name.upper()}" for name in settings(shop)}
    assert {entry["name"] for entry in container["env"]} <= listed
    environ = {entry["name"]: entry["value"] for entry in container["env"]}
    made = shop.module("server").APP.parts.kind.from_env(shop.api.env_prefix, environ)
    listen = shop.module("_runtime.parts.http.listen")
    listen.check(listen.Address.read("0.0.0.0:8000"), made, shop.api.env_prefix)
    kept = shop.module("_runtime.parts.http.sessions").are_kept(shop.module("server").APP, made)
    assert not kept, "more than one pod may answer a client"
    grace = deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    _, pause = container["lifecycle"]["preStop"]["exec"]["command"]
    assert grace > int(pause) + made.shutdown_timeout


def assert_valid(manifests: str) -> None:
    """By the schemas of Kubernetes, which refuse what they do not know."""
    kubernetes_validate: Any = pytest.importorskip("kubernetes_validate")
    for manifest in yaml.safe_load_all(manifests):
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


def test_a_server_with_tokens_and_metrics_has_them_in_its_container(upstream, tmp_path):
    document = openapi("Watched", {"/now": {"get": {"responses": {"204": {}}}}})
    settings = "http_tokens = true\nmetrics = true\nstore = true\n"
    server = packaged(document, tmp_path, upstream, settings=settings)
    (text,) = blocks(server, "yaml")
    assert_valid(text)
    deployment, _, store, reached = yaml.safe_load_all(text)
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    environ = {entry["name"]: entry["value"] for entry in container["env"]}
    made = server.module("server").APP.parts.kind.from_env(server.api.env_prefix, environ)
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert deployment["spec"]["replicas"] == 3
    assert (
        made.store == f"redis://{reached['metadata']['name']}:{reached['spec']['ports'][0]['port']}"
    )
    assert store["metadata"]["name"] == store["spec"]["serviceName"]
    assert "always" in store["spec"]["template"]["spec"]["containers"][0]["args"]
    assert made.metrics == f"0.0.0.0:{ports['metrics']}"
    (mount,), (volume,) = container["volumeMounts"], pod["volumes"]
    assert Path(made.http_tokens_file).parent == Path(mount["mountPath"])
    assert volume["secret"]["defaultMode"] & 0o026 == 0  # else the server refuses the file
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsUser"] == 10001
    lock = next(each for each in console(server) if each.startswith("uv "))
    assert " --extra metrics --extra store " in lock
    assert '--no-cache-dir ".[metrics,store]"' in (server.folder / "Dockerfile").read_text()


def test_its_container_is_built_of_what_is_there(shop):
    """As far as a Dockerfile can be read without a Docker daemon."""
    lines = (shop.folder / "Dockerfile").read_text(encoding="utf-8").splitlines()
    steps = [line.partition(" ")[::2] for line in lines if not line.startswith("COPY --from=")]
    copied = [words.split()[:-1] for step, words in steps if step == "COPY"]
    copied[0].remove("requirements.lock*")  # which may be missing
    assert all((shop.folder / name).exists() for names in copied for name in names)
    project = tomllib.loads((shop.folder / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {
        project["project"]["readme"],
        *project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"],
    }
    assert {"pyproject.toml", *needed} == {name for names in copied for name in names}
    assert json.loads(dict(steps)["ENTRYPOINT"]) == list(project["project"]["scripts"])
    assert dict(steps)["USER"] == "10001"


@pytest.mark.parametrize("is_locked", [True, False])
def test_its_container_has_what_a_lock_names_and_nothing_else(shop, tmp_path, is_locked):
    text = (shop.folder / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    (step,) = [line for line in text.splitlines() if line.startswith("RUN if ")]
    pip = tmp_path / "venv" / "bin" / "pip"
    pip.parent.mkdir(parents=True)
    pip.write_text('#!/bin/sh\necho "$@"\n')
    pip.chmod(0o755)
    if is_locked:
        (tmp_path / "requirements.lock").touch()
    command = ["sh", "-euc", step.removeprefix("RUN ")]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    plain = ["install --no-cache-dir ."]
    locked = [
        "install --no-cache-dir --require-hashes -r requirements.lock",
        "install --no-cache-dir --no-deps .",
        "check",
    ]
    assert told.splitlines() == [*(locked if is_locked else plain), "uninstall --yes pip"]


def settings(server: Server) -> list[str]:
    return list(server.module("server").APP.parts.kind.__dataclass_fields__)
