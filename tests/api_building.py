"""Small values of IR 1, made from plain schemas."""

from collections.abc import Mapping
from typing import Any

from mcpgen import python_names
from mcpgen.api import Annotations, Api, Argument, Body, HttpCall, In, Schema, Tool
from mcpgen.python_names import KnownNames, Names


def ref(key: str) -> dict[str, Any]:
    """A reference to a named schema."""
    return {"$ref": f"#/$defs/{key}"}


def tool(
    name: str,
    arguments: Mapping[str, Schema] | None = None,
    *,
    result: Schema | None = None,
    tag: str = "default",
    body: Body | None = None,
) -> Tool:
    """A tool with optional query arguments."""
    return Tool(
        name=name,
        title=name,
        description="",
        summary="",
        arguments=tuple(
            Argument(each, schema, In.QUERY, each, required=False)
            for each, schema in (arguments or {}).items()
        ),
        input_schema={"type": "object"},
        output_schema=None,
        result=result,
        result_media_type="application/json",
        annotations=Annotations(read_only=True, destructive=False, idempotent=True),
        http=HttpCall("GET", f"/{name}", body),
        tag=tag,
    )


def api(*tools: Tool, schemas: Mapping[str, Schema] | None = None, **fields: Any) -> Api:
    """An API of these tools."""
    return Api(
        **{"title": "Petstore", "version": "1", **fields}, tools=tools, schemas=schemas or {}
    )


def reading(schemas: Mapping[str, Schema], **fields: Any) -> Api:
    """An API with a tool for each schema, which answers with it."""
    tools = [tool(f"get_{index}", result=ref(key)) for index, key in enumerate(schemas)]
    return api(*tools, schemas=schemas, **fields)


def decide(api: Api, *, known: KnownNames | None = None, **options: str) -> Names:
    """Every name of an API's server."""
    return python_names.with_classes(
        python_names.decide(api, kept_names=known, **options), api, known
    )
