"""Handlers as the catalogue reads them."""

import sys
from typing import cast

import anyio
import pytest

from mcpgen.runtime.calls.catalogue import Handler, parameters_of, tool
from mcpgen.runtime.calls.context import Context

SOURCE = """
async def get_pet(ctx: Context, *, pet_id: int, dry: Dry | Unset = False) -> Response[Pet]:
    return pet_id, dry
"""


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotations are evaluated with the module")
def test_what_annotations_name_may_be_there_for_the_type_checker_alone():
    module = {}
    exec(compile(SOURCE, "pets.py", "exec", dont_inherit=True), module)
    function = tool("getPet", pet_id="petId")(module["get_pet"])
    assert [(each.name, each.default) for each in parameters_of(function)][1:] == [("dry", False)]
    assert anyio.run(Handler(function), cast("Context", None), {"petId": 1}) == (1, False)
