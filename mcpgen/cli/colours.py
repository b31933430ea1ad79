"""Colours on a terminal: for severity, effect and change.

rich decides whether to use colours: it knows `NO_COLOR`, `TERM=dumb` and the consoles of Windows.
It is only loaded for a line that has something to colour, since loading it takes longer than many
commands; the output of `check` for an unchanged server has no such line.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {
    r"^error(\[[\w-]+\])?:|^ *(breaking|conflict|broken)( \(\d+\))?:|^breaks a client:": "bold red",
    r"^warning\[[\w-]+\]|^ *(risky|kept)( \(\d+\))?:|^wastes tokens:": "bold yellow",
    r"^note\[[\w-]+\]|^ *note:|^could be clearer:": "bold cyan",
    r"^ *harmless( \(\d+\))?:|(?<=  )up to date(?=  |$)": "green",
    r"(?<=  )(stale|failed|broken|breaking|\d+ in conflict)(?=  |$)": "red",
    r"(?<=  )(risky|unknown|writes, d[a-z.]+)(?=  |$)": "yellow",
    r"(?<=  )(reads pages|reads)(?=  )": "green",
    r"^  --> .*|^ *\d+ \|(?= |$)|^ +\|(?= |$)": "blue",
    r"^ *\| *\^$": "bold red",
    r"^  = help:|^    remedy:": "bold green",
    r"^(tool|area|server)  .*": "bold",
    r"^ {4}\+.*": "green",
    r"^ {4}-.*": "red",
}
"""Styles by what is shown in them; where two apply, the later one holds."""
_SHOWN = re.compile("|".join(f"(?:{pattern})" for pattern in _STYLES))
_PATTERNS = [(re.compile(pattern), style) for pattern, style in _STYLES.items()]


def is_coloured(line: str) -> bool:
    """Whether a line contains text that is shown in colour."""
    return _SHOWN.search(line) is not None


def show(line: str, terminal: TextIO) -> None:
    """Print a line on a terminal, in colour."""
    from rich.text import Text

    text = Text(line)
    for pattern, style in _PATTERNS:
        for match in pattern.finditer(line):
            text.stylize(style, *match.span())
    _console(terminal).print(text, soft_wrap=True)


@cache
def _console(terminal: TextIO) -> Console:
    from rich.console import Console

    return Console(file=terminal, highlight=False, emoji=False, markup=False)
