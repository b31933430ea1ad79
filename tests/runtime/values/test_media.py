"""Which media type is chosen, and what gives it away."""

import encodings

from tables import table

from mcpgen.runtime.backend.answer import text_of
from mcpgen.runtime.parts.content.media_names import by_name, choose, extension
from mcpgen.runtime.values.media import MediaType, codec, fits, sniff

GIF = b"GIF89a"


@table(
    "listed, offers, chosen",
    (None, [], "a/default"),
    ("", [None, "image/gif"], "image/gif"),
    (None, ["no type", "image/gif"], "image/gif"),
    ("*", ["image/gif"], "image/gif"),
    ("*", [], "a/default"),
    ("image/png, *", ["image/gif"], "image/gif"),
    ("*/*", ["image/gif"], "image/gif"),
    ("image/*", ["text/plain", "image/gif"], "image/gif"),
    ("image/*, text/csv", ["audio/ogg"], "text/csv"),
    ("image/png;q=1, image/gif", ["IMAGE/GIF"], "IMAGE/GIF"),
    ("image/png", ["image/gif"], "image/png"),
    ("no type, image/png", [None], "image/png"),
    ("text/csv; header=absent", ["text/csv"], "text/csv; header=absent"),
    ("text/*, TEXT/csv;header=absent", ["text/csv"], "text/csv;header=absent"),
    ("text/csv; header=absent", ["text/csv;header=present"], "text/csv;header=present"),
    ("text/csv, text/csv;header=absent", ["text/csv"], "text/csv"),
)
def test_the_first_offer_that_is_listed_is_chosen(listed, offers, chosen):
    assert choose(listed, offers, "a/default") == chosen


@table(
    "media_type, listed, fit",
    ("image/gif", "image/*", True),
    ("image/gif; a=b", "IMAGE/GIF; c=d", True),
    ("image/gif", "*", True),
    ("image/gif", "*/*", True),
    ("image/gif", "image/g", False),
    ("image/gif", "ima/*", False),
    ("imagex/gif", "image/*", False),
    ("text/plain", "image/*", False),
)
def test_a_media_type_fits_what_names_it(media_type, listed, fit):
    assert fits(media_type, listed) is fit


@table(
    "content, media_type",
    (GIF, "image/gif"),
    (b"RIFF\0\0\0\0WEBPVP8", "image/webp"),
    (b"RIFF\0\0\0\0WAVEfmt", "audio/wav"),
    (b"\0\0\0\x20ftypavif", "image/avif"),
    (b"\0\0\0\x20ftypisom", "video/mp4"),
    (b"WEBP", None),
    (b"x" + GIF, None),
    (b"", None),
)
def test_first_bytes_give_a_type_away_at_their_place(content, media_type):
    assert sniff(content) == media_type


@table(
    "filename, media_type",
    ("a.PNG", "image/png"),
    ("a.tar.gz", "application/gzip"),
    ("png", None),
    ("a.b.unknown", None),
    ("", None),
    (None, None),
)
def test_the_last_extension_counts(filename, media_type):
    assert by_name(filename) == media_type


def test_a_type_has_its_usual_extension():
    assert extension("image/JPEG; q=1") == ".jpg"
    assert extension("a/unknown") == ""


def test_charsets_of_answers_are_read_and_not_kept():
    # Python's own look-up keeps each name for ever: 25 MB for each answer that names one.
    cached = encodings._cache
    codec("utf-8")
    before = len(cached)
    for number in range(200):
        assert codec(f"x-{number}") is None
        assert codec("x" * 100_000 + str(number)) is None
        assert codec(f"utf{'-' * (number % 40 + 1)}16") == "utf-16"
        xml = b'<?xml version="1.0" encoding="y%d"?><a/>' % number
        decoded = text_of(xml, MediaType("application/xml"))
        assert decoded[0] == xml.decode()
    assert len(cached) <= before + 1
    spelled = {"UTF-8": "utf-8", "utf8": "utf-8", "Latin1": "iso8859-1", "us-ascii": "ascii"}
    spelled |= {"windows-1252": "cp1252", "Shift_JIS": "shift_jis", "KOI8-R": "koi8-r"}
    spelled |= {"ANSI_X3.4-1968": "ascii", "utf-8-sig": "utf-8-sig", "cp737": "cp737"}
    spelled |= {"ISO-8859-15": "iso8859-15", "iso_8859-1:1987": "iso8859-1"}
    assert {name: codec(name) for name in spelled} == spelled
