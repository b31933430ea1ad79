from mcpgen.operations.matching import renamed


def test_what_is_gone_is_found_by_its_content():
    assert renamed({"a": "1", "b": "2"}, {"c": "1", "b": "2"}) == {"a": "c"}


def test_what_is_there_under_its_own_name_is_not_renamed():
    assert renamed({"a": "1"}, {"a": "2", "b": "1"}) == {}
    assert renamed({"a": "1", "b": "2"}, {"b": "1"}) == {}


def test_content_that_two_have_on_one_side_tells_nothing():
    assert renamed({"a": "1", "b": "1"}, {"c": "1"}) == {}
    assert renamed({"a": "1"}, {"b": "1", "c": "1"}) == {}


def test_nothing_is_found_by_an_empty_content():
    assert renamed({"a": ""}, {"b": ""}) == {}
