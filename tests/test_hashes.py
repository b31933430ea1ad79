"""Hashes of files do not depend on line ends."""

from pathlib import Path

import pytest

from mcpgen.hashes import digest, file_digest


@pytest.mark.parametrize("size", [0, 3, 1 << 16, (1 << 17) + 5])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_the_hash_of_a_file_is_that_of_its_bytes(tmp_path: Path, size: int, end: bytes) -> None:
    """Also where a line ends at the end of a piece."""
    data = b"a" * max(size - 1, 0) + end + b"b" * 7 + end
    for shift in (b"", b"c"):
        (tmp_path / "file").write_bytes(shift + data)
        assert file_digest(tmp_path / "file") == digest(shift + data)
    assert (digest(data) == digest(data.replace(end, b"\n"))) == (end != b"\r")
