"""What `--call` prints of a result."""

from mcp_types import (
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from tables import table

from mcpgen.runtime.app.once import _render

DATA = "AAAAAAAA"


@table(
    "block, shown",
    (TextContent(text="a\x1b[31mb\tc\n"), "a\\x1b[31mb\tc\n"),
    (TextContent(text='{"a":["é"]}'), '{\n  "a": [\n    "é"\n  ]\n}'),
    (TextContent(text="[0.12345678901234567890]"), "[0.12345678901234567890]"),
    (TextContent(text='{"a":1,"a":2}'), '{"a":1,"a":2}'),
    (ImageContent(data=DATA, mime_type="image/png"), "[image: image/png, about 6 bytes]"),
    (
        ResourceLink(name="n", uri="shop://a", mime_type="text/csv", size=2048),
        "[shop://a: text/csv, about 2,048 bytes]",
    ),
    (
        EmbeddedResource(resource=BlobResourceContents(uri="shop://a", blob=DATA)),
        "[shop://a: no media type, about 6 bytes]",
    ),
    (EmbeddedResource(resource=TextResourceContents(uri="shop://a", text="t")), "t"),
)
def test_a_block_is_shown_as_it_is_or_described(block, shown):
    assert _render(block.model_dump(mode="json", by_alias=True)) == shown
