"""The call that a handler makes, read against the operation it stands for."""

from typing import Any

from msgspec import structs
from tables import table

from mcpgen.api import (
    Annotations,
    Argument,
    Body,
    Encoding,
    HttpCall,
    In,
    Server,
    ServerVariable,
    Tool,
)
from mcpgen.plan.calls import send_arguments


def tool(*arguments: Argument, **call: Any) -> Tool:
    return Tool(
        name="t",
        title="",
        description="",
        summary="",
        arguments=arguments,
        input_schema={},
        output_schema=None,
        result=None,
        result_media_type=None,
        annotations=Annotations(False, True, False),
        http=HttpCall(**{"method": "POST", "path": "/x", **call}),
        tag="",
    )


FORM = "application/x-www-form-urlencoded"


def argument(location: In, name: str = "a", **fields: Any) -> Argument:
    return Argument(name, {}, location, name, required=False, **fields)


def written(made: Tool, extra: str | None = None) -> str:
    keywords = {a.name: a.name.lower().replace("-", "_") for a in made.arguments}
    return ", ".join(send_arguments(made, keywords, extra, {"region": "X_REGION"}))


@table(
    "location, fields, expected",
    (In.QUERY, {"allow_empty_value": True}, "query={'a': style.form(a, allow_empty=True)}"),
    (
        In.QUERY,
        {"style": "pipeDelimited", "allow_empty_value": True},
        "query={'a': style.pipe_delimited(a)}",
    ),
    (In.PATH, {}, "path={'a': a}"),
    (In.PATH, {"style": "simple", "explode": False}, "path={'a': a}"),
    (In.PATH, {"explode": True}, "path={'a': style.simple(a, explode=True)}"),
    (In.PATH, {"style": "label"}, "path={'a': style.label(a)}"),
    (In.PATH, {"style": "segments"}, "path={'a': style.segments(a)}"),
    (In.PATH, {"style": "matrix", "explode": True}, "path={'a': style.matrix(a, explode=True)}"),
    (In.QUERY, {}, "query={'a': a}"),
    (In.QUERY, {"style": "form", "explode": True}, "query={'a': a}"),
    (In.QUERY, {"explode": False}, "query={'a': style.form(a, explode=False)}"),
    (In.QUERY, {"style": "deepObject", "explode": True}, "query={'a': style.deep_object(a)}"),
    (In.QUERY, {"style": "tabDelimited"}, "query={'a': style.tab_delimited(a)}"),
    (In.QUERY, {"style": "pipeDelimited"}, "query={'a': style.pipe_delimited(a)}"),
    (
        In.QUERY,
        {"style": "spaceDelimited", "explode": True},
        "query={'a': style.space_delimited(a, explode=True)}",
    ),
    (In.QUERY, {"allow_reserved": True}, "query={'a': style.form(a, allow_reserved=True)}"),
    (In.QUERY, {"media_type": "application/json"}, "query={'a': style.json(a)}"),
    (In.QUERY, {"inner": ","}, "query={'a': style.joined(a, ',')}"),
    (
        In.HEADER,
        {"inner": ",", "style": "pipeDelimited"},
        "header={'a': style.pipe_delimited(style.joined(a, ','))}",
    ),
    (In.HEADER, {"media_type": "text/csv"}, "header={'a': style.text(a)}"),
    (In.QUERY, {"media_type": FORM}, "query={'a': style.urlencoded(a)}"),
    (In.COOKIE, {}, "cookie={'a': a}"),
    (In.QUERYSTRING, {"media_type": "application/json"}, "querystring=style.json(a)"),
    (In.QUERY, {"media_type": "model/gltf+json"}, "query={'a': style.json(a)}"),
    (In.QUERY, {"media_type": "application/stream+json"}, "query={'a': style.text(a)}"),
    (In.QUERYSTRING, {"media_type": FORM}, "querystring=a"),
    (In.QUERYSTRING, {"media_type": FORM.title()}, "querystring=a"),
    (
        In.QUERYSTRING,
        {"media_type": FORM, "encoding": {"b": Encoding(explode=False)}},
        "querystring=style.fields(a, {'b': style.part(explode=False)})",
    ),
)
def test_a_parameter_is_wrapped_where_it_differs_from_the_default(location, fields, expected):
    assert written(tool(argument(location, **fields))) == f"'POST', '/x', {expected}"


@table(
    "body, expected",
    (Body("application/json", True, False), "json=body"),
    (
        Body("application/merge-patch+json", True, False),
        "json=body, media_type='application/merge-patch+json'",
    ),
    (Body("Application/JSON", True, False), "json=body, media_type='Application/JSON'"),
    (Body("application/x-www-form-urlencoded", True, False), "form=body"),
    (
        Body(FORM, True, False, {"f": Encoding(inner="|")}),
        "form=body, encoding={'f': style.part(inner='|')}",
    ),
    (
        Body("multipart/form-data", True, False, {"f": Encoding(binary=True), "x": Encoding()}),
        "multipart=body, encoding={'f': style.part(binary=True)}",
    ),
    (
        Body("multipart/form-data", True, False, {"*": Encoding(text=True), "x": Encoding()}),
        "multipart=body, encoding={'*': style.part(text=True), 'x': style.part()}",
    ),
    (Body("image/png", True, False, binary=True), "binary=body, media_type='image/png'"),
    (Body("text/plain", True, False), "text=body"),
    (Body("text/x-ndjson", True, False), "body=body, media_type='text/x-ndjson'"),
    (Body("application/xml", True, False), "text=body, media_type='application/xml'"),
    (Body("application/yaml", True, False), "body=body, media_type='application/yaml'"),
)
def test_a_whole_body_goes_by_its_media_type(body, expected):
    made = tool(argument(In.BODY, "body"), body=body)
    assert written(made) == f"'POST', '/x', {expected}"


def test_a_spread_body_is_put_together_again():
    made = tool(
        argument(In.PROPERTY, "A"),
        argument(In.PROPERTY, "b-c"),
        body=Body("application/json", True, True, extra=True),
    )
    assert written(made, "extra") == "'POST', '/x', json={**extra, 'A': a, 'b-c': b_c}"


@table(
    "media_type, kind",
    ("application/json", "json"),
    ("application/x-www-form-urlencoded", "form"),
    ("multipart/form-data", "multipart"),
)
def test_a_spread_body_that_may_be_left_out_goes_out_if_given(media_type, kind):
    made = tool(argument(In.PROPERTY), body=Body(media_type, False, True, extra=True))
    assert written(made, "extra") == f"'POST', '/x', {kind}=if_given({{**extra, 'a': a}})"


def test_a_body_of_several_media_types_goes_out_in_what_it_fits():
    made = tool(
        argument(In.BODY, "body"),
        argument(In.CONTENT_TYPE, "content_type"),
        body=Body("application/json", True, False, offered=("text/csv",)),
    )
    offered = "['application/json', 'text/csv']"
    expected = f"body=body, media_type=fitting(ctx, body, {offered}, content_type)"
    assert written(made) == f"'POST', '/x', {expected}"


def test_a_query_in_a_path_goes_out_as_it_is_written_there():
    fixed = (("from", "2015-01-01T00:00:00.000Z"), ("in", "a/b,c"), ("x", "1+1=2&;"))
    made = tool(fixed_query=fixed)
    expected = "'/x?from=2015-01-01T00:00:00.000Z&in=a/b,c&x=1%2B1%3D2%26%3B'"
    assert written(made) == f"'POST', {expected}"


def test_what_differs_from_the_api_is_said_in_the_call():
    made = tool(
        accept=("text/csv", "application/json"),
        declared=("text/html", "image/*"),
        statuses=("201", "2XX"),
        security=({"key": ("read",)}, {}),
        servers=(Server("https://{region}.x", "", (ServerVariable("region", "eu", ("eu",)),)),),
        fixed_query=(("action", "a b"), ("plain", None), ("empty", "")),
    )
    assert written(made) == (
        "'POST', '/x?action=a%20b&plain&empty=', accept='text/csv, application/json', "
        "declared='text/html, image/*', expect=('201', '2XX'), "
        "security=[{'key': ['read']}, {}], servers=["
        "ServerUrl('https://{region}.x', "
        "variables={'region': Variable('eu', enum=['eu'], env='X_REGION')})]"
    )
    plain = structs.replace(made.http, accept=(), declared=(), statuses=("200",))
    plain = structs.replace(plain, servers=(), security=())
    anonymous = structs.replace(made, http=plain)
    assert written(anonymous) == "'POST', '/x?action=a%20b&plain&empty=', security=[]"
