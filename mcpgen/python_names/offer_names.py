"""The names of the functions of resources and prompts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..api import Offer
from ..text.words import snake, unique

_MARKS = frozenset({"completes", "prompt", "resource"})


def functions(
    offers: Sequence[Offer], reserved: Collection[str], kept_names: Mapping[str, str]
) -> dict[str, str]:
    """The names of the functions, by the keys of offers and completions; `kept_names` stay."""
    avoid = frozenset(reserved) | _MARKS
    names = {
        o.key: kept_names.get(o.key) or snake(o.name, fallback="read", avoid=avoid) for o in offers
    }
    for offer in offers:
        for argument, values in offer.completions.items():
            if values is None:
                text = f"complete {names[offer.key]} {argument}"
                key = completion(offer.key, argument)
                names[key] = snake(text, fallback="complete", avoid=avoid)
    return unique(names, kept_names={key: name for key, name in kept_names.items() if key in names})


def completion(key: str, argument: str) -> str:
    """The key of an argument's completion: `key` and `argument` on two lines, since both may have
    spaces.
    """
    return f"{key}\n{argument}"
