"""SQL of others takes no more memory than it may, whatever it computes."""

from __future__ import annotations

import resource
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

from urlset.database.memory_limit import limit_memory
from urlset.errors import ExitCode
from urlset.text.sizes import in_bytes

Cli = Callable[..., Any]

SITEMAP = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc></url>
</urlset>
"""

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the address space")

HUGE = {
    "a sum over a list": "list_sum(range(600000000 + loc_length))",
    "a text of one letter": "length(repeat('a', 2000000000 + loc_length))",
    "a text in parts": "len(string_split(repeat('a,', 500000000 + loc_length), ','))",
    "a list in a list": "len(list_concat(range(400000000 + loc_length), range(400000000)))",
}
"""Values of a single row that take gigabytes."""


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.xml").write_text(SITEMAP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@linux_only
@case_table("value", HUGE)
def test_a_query(workdir: Path, cli: Cli, value: str) -> None:
    done = cli("sql", f"SELECT {value} FROM urls", "a.xml", "--memory", "100MB")
    assert done.code == ExitCode.UNREADABLE
    assert "the query needs more than 100MB of memory" in done.err
    assert "raise the limit with --memory" in done.err


@pytest.mark.long("slow cases")
@linux_only
@case_table("value", HUGE)
def test_a_rule_of_the_users_own(workdir: Path, cli: Cli, value: str) -> None:
    (workdir / "urlset.toml").write_text(f'[[rule]]\ncode = "OWN001"\nmessage = "m"\nwhere = "{value} > 1"\n')
    done = cli("validate", "a.xml", "--rule-memory", "100MB")
    assert done.code == ExitCode.UNREADABLE
    assert "OWN001" in done.err
    assert "it needs more than 100MB of memory; raise the limit with --rule-memory" in done.err


@linux_only
def test_a_rule_while_it_is_compiled(workdir: Path, cli: Cli) -> None:
    """Constant expressions are evaluated then."""
    (workdir / "urlset.toml").write_text(
        '[[rule]]\ncode = "OWN001"\nmessage = "m"\nwhere = "list_sum(range(600000000)) > 1"\n'
    )
    done = cli("validate", "a.xml")
    assert done.code == ExitCode.UNREADABLE
    assert "OWN001" in done.err
    assert "memory" in done.err


@linux_only
def test_the_limit_ends_with_the_last_block() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    inside, out = threading.Event(), threading.Event()

    def other() -> None:
        with limit_memory(1):
            inside.set()
            out.wait()

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait()
    with limit_memory(1):
        limited = resource.getrlimit(resource.RLIMIT_AS)
        assert limited != before
    assert resource.getrlimit(resource.RLIMIT_AS) == limited
    out.set()
    thread.join()
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_sizes_are_those_that_duckdb_shows() -> None:
    assert [in_bytes(text) for text in ("10 bytes", "1.5 KiB", "95.3 MiB", "2.0 GiB")] == [
        10, 1536, int(95.3 * 1024**2), 2 * 1024**3,
    ]  # fmt: skip
