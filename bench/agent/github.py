"""What ten jobs on GitHub's API cost an agent on the search surface, against its examples.

    python -m bench.agent.github DOCUMENT

DOCUMENT is `api.github.com.json` of github/rest-api-description. A tool is found by the words of
its job; it is described where its definition does not come along; lists are asked for some fields.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.retrieval import asked, client_of, generated, listed
from mcpgen.catalogue.tools_json import tokens, tokens_in, tokens_of_value

_REPO = {"owner": "octocat", "repo": "hello-world"}
_HOOK = {"url": "https://hooks.example/github", "content_type": "json"}
_PROTECTED = {
    "branch": "main",
    "required_status_checks": None,
    "enforce_admins": True,
    "required_pull_request_reviews": None,
    "restrictions": None,
}


@dataclass(frozen=True)
class Step:
    """A tool, the words that an agent looks for it by, and how it is called."""

    query: str
    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    fields: tuple[str, ...] = ()


STEPS = (
    Step("list issues of a repository", "issues_list-for-repo", {"state": "open"},
         ("$[*].number", "$[*].title", "$[*].state")),
    Step("merge a pull request", "pulls_merge", {"pull_number": 3, "merge_method": "squash"}),
    Step("create an issue", "issues_create", {"title": "It fails"}, ("$.number", "$.html_url")),
    Step("create a release", "repos_create-release", {"tag_name": "v1"}, ("$.id", "$.html_url")),
    Step("update branch protection", "repos_update-branch-protection", _PROTECTED),
    Step("public key for secrets of a repository", "actions_get-repo-public-key"),
    Step("create or update a repository secret", "actions_create-or-update-repo-secret",
         {"secret_name": "TOKEN", "encrypted_value": "eA==", "key_id": "1"}),
    Step("list workflow runs", "actions_list-workflow-runs-for-repo", {"per_page": 5},
         ("$.workflow_runs[*].id", "$.workflow_runs[*].status", "$.workflow_runs[*].conclusion")),
    Step("add labels to an issue", "issues_add-labels", {"issue_number": 1, "labels": ["bug"]}),
    Step("search code", "search_code", {"q": "addClass repo:octocat/hello-world"},
         ("$.items[*].path", "$.items[*].repository.full_name")),
    Step("create a webhook for a repository", "repos_create-webhook", {"config": _HOOK}),
)  # fmt: skip
"""The secret of the seventh is encrypted by the key of the sixth: ten jobs."""


async def measured(package: Path) -> Counter[str]:
    """The tokens of the jobs by what they are for; raises RuntimeError for one that fails."""
    cost: Counter[str] = Counter()
    contract = json.loads((package / "tools.json").read_bytes())["tools"]
    schemas = {tool["name"]: tool["inputSchema"] for tool in contract}
    async with client_of(package) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        wire = [tool.model_dump(mode="json", by_alias=True) for tool in tools.values()]
        keys = ("name", "description", "inputSchema")
        cost["own tools"] = tokens([{key: tool[key] for key in keys} for tool in wire])
        for step in STEPS:
            text = await asked(client, "find_tools", {"query": step.query})
            cost["finds"] += tokens_in(text)
            if step.tool not in listed(text)[:3]:
                raise RuntimeError(f"{step.query!r} does not find {step.tool}")
            if not text.partition("\n\n")[2].startswith(f"{step.tool} "):
                described = await asked(client, "describe_tools", {"names": [step.tool]})
                cost["describes"] += tokens_in(described)
            arguments = _placed(step, schemas[step.tool])
            reads = next(t for t in contract if t["name"] == step.tool)["annotations"]
            calling = "call_read_tool" if reads["readOnlyHint"] else "call_write_tool"
            given = {"name": step.tool, "arguments": arguments}
            given |= {"fields": list(step.fields)} if step.fields else {}
            result = await client.call_tool(calling, given)
            answer = "\n".join(block.text for block in result.content if block.type == "text")
            if result.is_error:
                raise RuntimeError(f"{step.tool} fails: {answer[:300]}")
            cost["calls"] += tokens_of_value(given) + tokens_in(answer)
    print(f"tools/list of all {len(contract):,} tools: {tokens(contract):,}")
    return cost


def _placed(step: Step, schema: dict[str, Any]) -> dict[str, Any]:
    """The arguments, those of a body that is one argument inside it."""
    names = schema["properties"]
    own = {key: value for key, value in step.arguments.items() if key in names}
    rest = {key: value for key, value in step.arguments.items() if key not in names}
    there = {key: value for key, value in _REPO.items() if key in names}
    return {**there, **own, **({"body": rest} if rest else {})}


def main() -> None:
    """Generate the server and measure it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("document", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mcpgen-github-") as folder:
        package = generated(given.document, Path(folder, "github"))
        if package is None:
            sys.exit(1)
        cost = asyncio.run(measured(package))
    print(f"{cost.total():,} tokens: " + ", ".join(f"{what} {n:,}" for what, n in cost.items()))


if __name__ == "__main__":
    main()
