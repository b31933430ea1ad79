"""`mcpgen diff`: what two versions of a schema accept, however they say it."""

from typing import Any

from schemas_compared import of_input, worst


def one_of(*forms: Any) -> dict[str, Any]:
    return {"oneOf": [*forms]}


def test_words_of_many_values_are_no_more_than_words():
    """As where each value of a list has its description: as many forms."""

    def named(word: str) -> dict[str, Any]:
        forms = [{"const": n, "title": f"{word} {n}", "description": word} for n in range(80)]
        return of_input(one_of(*forms))

    assert worst(named("One"), named("Another")) is None
