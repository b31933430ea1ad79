"""Texts of the package with arguments filled in."""

import pytest

from mcpgen.runtime.parts.content.static_content import filled


@pytest.mark.parametrize("name", ["ship", "from-port", "größe", "船", "ship name", "a/b"])
def test_an_argument_of_any_name_is_filled_in(name):
    text = f'{{ship?}} {{"of": {{{name}}}}} {{}}'
    assert filled({"text": text}, {name: "{Ærø}"}, [name]) == {"text": '{ship?} {"of": {Ærø}} {}'}
