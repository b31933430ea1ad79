"""Text that nobody sees is taken out and reported, and text that looks like an attack is too."""

from tables import table

from mcpgen.readers.openapi import agent_text


@table(
    "given, kept",
    ("plain", "plain"),
    ('quotes " and \\ and `code` and {braces} {{ }}', None),
    ("a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne"),
    ("a\u202eb\u2066c\u200bd\ufeff", "abcd"),
    ("\x1b[2J\x1b]0;title\x07red\x1b[0m", "red"),
    ("nul\x00 del\x7f bell\x07", "nul del bell"),
    ("tag\U000e0069\U000e0067s", "tags"),
    ("soft\u00adhyphen", "softhyphen"),
    ("family \U0001f468\u200d\U0001f469\u200d\U0001f467", None),
    ("\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
    ("in\u200dvisible", "invisible"),
    ("tabs\tstay", None),
    ("heart \u2764\ufe0f", None),
    ("joined \u200b\u200d\ufeff", "joined "),
    ("\u65e5\u200d\u200c\u200d\u672c", "\u65e5\u200d\u672c"),
    ("a\ufe0f\ufe01\ufe02b", "ab"),
    ("fill\u3164\u2800er", "filler"),
)
def test_strip_hidden(given, kept):
    assert agent_text.strip_hidden(given) == (given if kept is None else kept)
