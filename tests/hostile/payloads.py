"""Texts that become code where a generator pastes them into a file.

Run as code, a payload appends the place where it stood to the file that `CANARY` names.
"""


def code(place: str) -> str:
    """One expression that leaves its trace; holds no double quote, backslash, brace or line end."""
    return f"open(__import__('os').environ['CANARY'],'a').write('{place} ')"


def double_quote(place: str) -> str:
    return f'x" + str({code(place)}) + "y'


def single_quote(place: str) -> str:
    return f"x' + str({code(place)}) + 'y"


def closing_call(place: str) -> str:
    return f'x")\n{code(place)}\n("'


def triple_double(place: str) -> str:
    return f'x"""\n{code(place)}\n"""y'


def triple_single(place: str) -> str:
    return f"x'''\n{code(place)}\n'''y"


def backslash_double(place: str) -> str:
    return f'x\\" + str({code(place)}) #'


def trailing_backslash(place: str) -> str:
    return f"; {code(place)} #\\"


def line_feed(place: str) -> str:
    return f"x\n{code(place)}\n#"


def carriage_return(place: str) -> str:
    return f"x\r{code(place)}\r#"


def other_line_ends(place: str) -> str:
    return f"x\u2028{code(place)}\u0085{code(place)}\x0c{code(place)}\x0b#"


def braces(place: str) -> str:
    return "{" + code(place) + "}"


def expression(place: str) -> str:
    return code(place)


def parameter_list(place: str) -> str:
    return f"x={code(place)}, y"


def template(place: str) -> str:
    inside = "cycler.__init__.__globals__"
    opened = f"{inside}.__builtins__.open({inside}.os.environ['CANARY'],'a')"
    return "{{ " + f"{opened}.write('{place} ')" + " }} %s %(x)s ${x} {0.__class__} \\N{BULLET}"


def source_encoding(place: str) -> str:
    return f"-*- coding: utf-7 -*- +AAo-{code(place)}"


def toml(place: str) -> str:
    return f'x"\n[build-system]\nrequires = ["{place}"]\nbuild-backend = "evil"\n[tool.evil]\nk = "'


def markdown(place: str) -> str:
    return (
        f"x\n\n# {place}\n\n- item\n\n1. one\n\n```sh\nevil\n```\n\n<script>evil</script>\n"
        "| a | b |\n|---|---|\n| [l](javascript:evil) | ![i](https://evil.test/i) |\n\n---\nhttps://evil.test"
    )


def dockerfile_and_shell(place: str) -> str:
    return f"x\nRUN echo {place}\nEVIL={place}\n$(echo {place}) `echo {place}`; echo {place} && x"


def invisible(place: str) -> str:
    hidden = "\u202e\u2066\u200b\u200d\ufeff\x00\x07\x1b[2J\x7f\x9b\U000e0041\U000e0042\u00ad"
    return f"x{hidden}{place}\u2069\u202c{hidden}y"


TEXTS = (
    double_quote,
    single_quote,
    closing_call,
    triple_double,
    triple_single,
    backslash_double,
    trailing_backslash,
    line_feed,
    carriage_return,
    other_line_ends,
    braces,
    expression,
    parameter_list,
    template,
    source_encoding,
    toml,
    markdown,
    dockerfile_and_shell,
    invisible,
)
"""Every way out; none is a valid identifier, type, media type, status or version."""
