"""A disk that is full: every command that writes a store or a ledger says so, in our words, and exits with 3."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cases import case_table
from tests.tiers import sampled

from urlset.cli.main import main

if sys.platform == "win32":
    pytest.skip("there is no limit on the size of files", allow_module_level=True)

import resource

LINE = (
    '66.249.66.1 - - [10/Oct/2025:13:00:00 +0000] "GET /{} HTTP/1.1" 200 2326 "-" '
    '"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"\n'
)
URL = "<url><loc>https://example.com/{}</loc></url>"

AUDIT = ("audit", "a.xml", "--no-pages", "--no-score", "--select", "LOC001")
COMMANDS = {
    "logs": ("logs", "access.log", "--site", "https://example.com", "--store", "new.duckdb"),
    "logs, with runs": ("logs", "access.log", "--site", "https://example.com", "--store", "old.duckdb"),
    "audit": (*AUDIT, "--store", "new.duckdb"),
    "audit, with runs": (*AUDIT, "--store", "old.duckdb"),
    "history": ("history", "old.duckdb", "--keep", "1"),
    "build": ("build", "urls.txt", "--base-url", "https://example.com", "--layout", "stable", "-o", "out"),
    "diff": ("diff", "old.duckdb@1", "a.xml", "--urls", "all", "--no-rules", "-o", "urls.csv"),
}
SIZES = (4_000, 40_000, 300_000, 600_000, 1_200_000)
"""Sizes of files at which the disk is full, in bytes."""
CASES = {
    f"{name} at {size}": (name, size)
    for name, command in COMMANDS.items()
    # What has a store already ends the same at each size; the first is the tightest.
    for size in (sampled(SIZES, 1) if "old.duckdb" in command else SIZES)
}


@contextmanager
def full_at(size: int) -> Iterator[None]:
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("old")
    (folder / "a.xml").write_text(f"<urlset>{URL.format('a')}</urlset>")
    audit = ("audit", str(folder / "a.xml"), "--no-pages", "--no-score", "--no-config", "--fail-on", "never")
    for _ in range(2):
        assert main([*audit, "--store", str(folder / "old.duckdb")]) == 0
    return (folder / "old.duckdb").read_bytes()


@pytest.mark.usefixtures("own_store")
@case_table("name, size", CASES)
def test_a_full_disk(
    name: str,
    size: int,
    old: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.duckdb").write_bytes(old)
    Path("a.xml").write_text(f"<urlset>{''.join(URL.format(f'{n:x}' * 20) for n in range(2_000))}</urlset>")
    Path("urls.txt").write_text("".join(f"https://example.com/{n:x}{n:x}{n:x}\n" for n in range(5_000)))
    Path("access.log").write_text("".join(LINE.format(f"{n:x}" * 20) for n in range(5_000)))
    # A module would be cached in part.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    # What a file has on a disk can still be written when the disk is full; a limit on its size would forbid that, too.
    with full_at(size + len(old) if "old.duckdb" in COMMANDS[name] else size):
        code = main([*COMMANDS[name], "--no-config"] if name != "history" else COMMANDS[name])
    said = capsys.readouterr().err
    assert code in (0, 1, 3), said
    if code == 3:
        assert re.search(r"cannot be (written|opened): file too large", said), said
        assert not re.search(r"Error|Could not|ROLLBACK", said), said
