"""The settings on fetching: from the file and the command line to the options of the client."""

from __future__ import annotations

from pathlib import Path

import pytest

from urlset.errors import ConfigError
from urlset.options.configuration_file import load
from urlset.options.resolve import ResolvedOptions, resolve
from urlset.options.verbs import ReadOptions

WHOLE = """
timeout = 1
connect-timeout = 2
read-timeout = 3
rate = 0.5
concurrency = 4
retries = 5
max-redirects = 7
max-header-bytes = 2048
max-document-bytes = 6
user-agent = "me/1"
header = ["X-Key: hunter2: with colon", "Accept-Language:de"]
auth = "user:hunter2"
proxy = "http://user:hunter2@proxy.example:3128"
ca-bundle = "certificates.pem"
insecure = true
cache = false
cache-dir = "kept"
allow-private = true
"""


def resolved(folder: Path, text: str, **given: object) -> ResolvedOptions[ReadOptions]:
    path = folder / "urlset.toml"
    path.write_text(text, "utf-8")
    return resolve(ReadOptions, load(path), given)


def test_every_key_arrives(tmp_path: Path) -> None:
    assert resolved(tmp_path, WHOLE).options == ReadOptions(
        timeout=1, connect_timeout=2, read_timeout=3, rate=0.5, concurrency=4, retries=5, max_redirects=7,
        max_header_bytes=2048,
        max_document_bytes=6,
        user_agent="me/1",
        header=("X-Key: hunter2: with colon", "Accept-Language:de"), auth="user:hunter2",
        proxy="http://user:hunter2@proxy.example:3128", ca_bundle=tmp_path / "certificates.pem", insecure=True,
        cache=False, cache_dir=tmp_path / "kept", allow_private=True,
    )  # fmt: skip


def test_headers_are_pairs(tmp_path: Path) -> None:
    pairs = (("X-Key", "hunter2: with colon"), ("Accept-Language", "de"))
    assert resolved(tmp_path, WHOLE).options.headers == pairs


def test_a_path_of_the_command_line_is_meant_from_where_one_is(tmp_path: Path) -> None:
    options = resolved(tmp_path, WHOLE, cache_dir=Path("here"), cache=True).options
    assert (options.cache_dir, options.cache) == (Path("here"), True)


def test_no_secret_is_shown(tmp_path: Path) -> None:
    settings = resolved(tmp_path, WHOLE)
    shown = repr(settings.in_force)
    assert "hunter2" not in shown
    assert "http://***@proxy.example:3128" in shown
    assert "X-Key: ***" in shown
    assert "hunter2" not in repr(settings.options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("insecure = 1", "insecure: must be true or false, not 1"),
        ("rate = 0", "rate: must be a number above 0, not 0"),
        ("concurrency = 0", "concurrency: must be an integer of at least 1, not 0"),
        ('auth = "hunter2"', "auth: must be written as USER:PASSWORD"),
        ('header = ["hunter2"]', "header: must be written as 'NAME: VALUE'"),
        ('header = ["Bad Name: hunter2"]', "'Bad Name' is not a valid header name"),
        ('header = ["X: hunter2\\nY: 1"]', "header: the value of X must be a single line"),
    ],
)
def test_what_is_wrong_is_named_and_no_secret_with_it(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        resolved(tmp_path, text)
    assert str(caught.value).endswith(message)
    assert "hunter2" not in str(caught.value)
