"""Files with a secret that other users can read or change are not used, and the message has the line that helps."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from urlset.coverage import credentials, sitemap_reports
from urlset.errors import UsageError
from urlset.fetch import signing
from urlset.files.bounded import read_private

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")

SECRET = "hunter2"

READERS: dict[str, Callable[[Path], object]] = {
    "--sign": signing.key_in,
    "--credentials": credentials._load,
    "--bing-key": sitemap_reports.key_in,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("mode", "can"),
    [(0o644, "read"), (0o640, "read"), (0o604, "read"), (0o620, "change"), (0o602, "change"), (0o666, "read")],
)
def test_a_secret_that_others_can_use(reader: str, mode: int, can: str, tmp_path: Path) -> None:
    path = tmp_path / "a key; of mine"
    path.write_text(SECRET)
    path.chmod(mode)
    with pytest.raises(UsageError, match=f"other users can {can} this secret") as raised:
        READERS[reader](path)
    assert SECRET not in str(raised.value)
    # The line does what it says.
    command = shlex.split(str(raised.value).partition("; run: ")[2])
    subprocess.run(command, check=True)
    assert read_private(path, 100) == SECRET.encode()
    # A link to it has a mode of its own, which does not count.
    (tmp_path / "link").symlink_to(path)
    assert read_private(tmp_path / "link", 100) == SECRET.encode()
    path.chmod(0o400)
    assert read_private(path, 100) == SECRET.encode()


def test_a_pipe_of_the_shell_is_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, SECRET.encode())
    os.close(writing)
    try:
        assert read_private(Path(f"/dev/fd/{reading}"), 100) == SECRET.encode()
    finally:
        os.close(reading)
