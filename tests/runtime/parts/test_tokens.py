"""Tokens with names: what their file may hold, how it is written, and how it is read again."""

import argparse
import logging
import os
from pathlib import Path

import pytest
from tables import table

from mcpgen.runtime.parts.http.settings import TokenSettings
from mcpgen.runtime.parts.tokens import NamedTokens, create
from mcpgen.runtime.values.settings import ConfigurationError

HASH = "0123456789abcdef:" + "0" * 64
FAR = "2999-01-01"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tokens"


def new(path: Path, name: str, scopes: str | None = None, expires: str | None = None) -> str:
    flags = argparse.Namespace(new_token=name, scopes=scopes, expires=expires)
    return create(flags, str(path), "SHOP")


def refused(path: Path) -> str:
    with pytest.raises(ConfigurationError, match=r"^SHOP_HTTP_TOKENS_FILE") as caught:
        NamedTokens(TokenSettings(http_tokens_file=str(path)), "SHOP")
    return str(caught.value).removeprefix("SHOP_HTTP_TOKENS_FILE")


async def test_a_token_is_that_of_its_line(path):
    alice, robot = new(path, "alice", "pets:read pets:write", FAR), new(path, "robot")
    assert path.stat().st_mode & 0o777 == 0o600
    assert alice not in path.read_text()
    tokens = NamedTokens(TokenSettings(http_tokens_file=str(path)), "SHOP")
    found = await tokens.verify_token(alice)
    assert (found.client_id, found.scopes) == ("alice", ["pets:read", "pets:write"])
    assert found.claims == {}
    found = await tokens.verify_token(robot)
    assert (found.client_id, found.claims) == ("robot", None)
    salt = alice.partition(".")[0]
    for wrong in (salt, f"{salt}.", f"{alice}x", robot.replace(robot[:16], salt), "\udc80", ""):
        assert await tokens.verify_token(wrong) is None


async def test_one_whose_end_has_come_is_refused(path):
    late = new(path, "late", expires=FAR)
    for end in ("2001-01-01", "1970-01-01", "2001-01-01T12:00:00+02:00"):
        path.write_text(path.read_text().replace(FAR, end))
        tokens = NamedTokens(TokenSettings(http_tokens_file=str(path)), "SHOP")
        assert await tokens.verify_token(late) is None
        path.write_text(path.read_text().replace(end, FAR))


@table(
    "text, said",
    ("alice\n", ", line 1: it must be `NAME SALT:HASH END SCOPES`"),
    (f"# ours\n\ntoken-1 {HASH} never\n", ", line 3: the name must be"),
    (f"http-token {HASH} never\n", ", line 1: the name must be"),
    ("alice sesame never *\n", ", line 1: the second field must be a hash"),
    (f"alice {HASH} soon *\n", ", line 1: the end must be a date such as 2027-01-31"),
    (f'alice {HASH} never "a"\n', ", line 1: scopes must be ASCII"),
    (f"alice {HASH} never *\nbob {HASH} never\n", ", line 2: the same token as in line 1"),
    (f"alice {HASH} never *", ", line 1: it has no line end"),
    ("\udc80", " names a file that is not text in UTF-8"),
)
def test_a_file_that_cannot_be_used_is_refused_at_start(path, text, said):
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    path.chmod(0o600)
    assert refused(path).startswith(said)
    with pytest.raises(ConfigurationError):
        new(path, "carol")
    assert path.read_bytes() == text.encode("utf-8", "surrogateescape")


def test_so_is_one_that_others_can_read(path):
    assert refused(path).endswith("No such file or directory; --new-token NAME creates it")
    new(path, "alice")
    for mode in (0o640, 0o440, 0o400):  # as a cluster mounts it for the group of a pod
        path.chmod(mode)
        NamedTokens(TokenSettings(http_tokens_file=str(path)), "SHOP")
    for mode in (0o604, 0o602, 0o660, 0o620):
        path.chmod(mode)
        assert refused(path) == " names a file that others can read or write: chmod 600 it"


@table(
    "name, expires, said",
    ("a b", None, "the name must have no blanks"),
    ("", None, "the name must have no blanks"),
    ("http-token", None, "the name must be at most 64"),
    ("alice", "2001-01-01", "--expires must be in the future"),
    ("alice", "soon", "the end must be a date"),
)
def test_no_token_is_made_that_nobody_could_use(path, name, expires, said):
    with pytest.raises(ConfigurationError, match=f"^--new-token: {said}"):
        new(path, name, expires=expires)
    assert not path.exists()


async def test_what_changes_counts_within_seconds_and_a_bad_file_does_not(path, caplog):
    now = 0.0
    alice, bob = new(path, "alice"), new(path, "bob")
    tokens = NamedTokens(TokenSettings(http_tokens_file=str(path)), "SHOP", lambda: now)

    async def good():
        nonlocal now
        now += 9
        return [await tokens.verify_token(each) is not None for each in (alice, bob)]

    whole = path.read_text()
    bobs = whole.splitlines(keepends=True)[1]
    path.write_text(bobs)
    assert await good() == [False, True]
    caplog.set_level(logging.WARNING)
    path.write_text(whole[:-9])
    assert await good() == [False, True]
    assert await good() == [False, True]
    (said,) = caplog.messages
    assert said.startswith("SHOP_HTTP_TOKENS_FILE, line 2: it has no line end")
    assert said.endswith("; its earlier tokens stay valid")
    os.replace(path, path.with_name("gone"))
    assert await good() == [False, True]
    path.write_text(whole)
    path.chmod(0o600)
    assert await good() == [True, True]
    assert [message.partition(" ")[2][:20] for message in caplog.messages[1:]] == [
        "names a file that ca",
        "can be used again",
    ]
    assert alice not in caplog.text
