"""`diff` and `audit` of small sides open one database, and ask it little: most of their time is what a call costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table
from tests.pipeline.test_diff import sitemap

from urlset.database import connections
from urlset.options import AuditOptions, DiffOptions
from urlset.options.comparing import UrlSelection
from urlset.pipeline.audit import audit
from urlset.pipeline.diff import changed_urls, diff

CALLS = frozenset({"execute", "executemany", "sql", "register"})


class Counted:
    """A connection of DuckDB that counts calls."""

    def __init__(self, plain: Any, calls: list[str]) -> None:
        self._plain, self._calls = plain, calls

    def __getattr__(self, name: str) -> Any:
        if name in CALLS:
            self._calls.append(name)
        value = getattr(self._plain, name)
        return (lambda: Counted(value(), self._calls)) if name == "cursor" else value


def listed(before: str, after: str) -> None:
    with changed_urls(before, after, UrlSelection.ALL, DiffOptions()) as (result, _):
        assert len(list(result.rows)) == 2


def compared(before: str, after: str) -> None:
    found = diff(before, after, DiffOptions())
    assert (found.added.count, found.removed.count) == (1, 1)


def count(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """Return the databases that are opened from now on, and the calls of their connections."""
    databases: list[str] = []
    calls: list[str] = []
    real = connections._connect

    def counted(name: str, *arguments: Any, **named: Any) -> Any:
        databases.append(name)
        return Counted(real(name, *arguments, **named), calls)

    monkeypatch.setattr(connections, "_connect", counted)
    return databases, calls


@case_table("compare, limit", {"with rules": (compared, 105), "--urls": (listed, 45)})
def test_two_small_files_take_one_database_and_few_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compare: Any, limit: int
) -> None:
    before, after = tmp_path / "before.xml", tmp_path / "after.xml"
    before.write_text(sitemap(*((f"p{number}", None) for number in range(6))), "utf-8")
    after.write_text(sitemap(*((f"p{number}", None) for number in range(1, 7))), "utf-8")
    databases, calls = count(monkeypatch)
    compare(str(before), str(after))
    assert len(databases) == 1
    assert len(calls) <= limit


def test_six_pages_take_one_database_and_few_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    names = ["index.html", *(f"p{number}.html" for number in range(1, 6))]
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        (folder / name).write_text(f"<title>{name}</title><a href={other}>next</a>", "utf-8")
    urls = ["https://example.com/", *(f"https://example.com/{name}" for name in names[1:])]
    (folder / "sitemap.txt").write_text("\n".join(urls), "utf-8")
    (folder / "robots.txt").write_text("Sitemap: https://example.com/sitemap.txt\n", "utf-8")
    databases, calls = count(monkeypatch)
    options = AuditOptions(base_url="https://example.com", is_base_configured=True, store=tmp_path / "s.duckdb")
    found = audit([str(folder)], options)
    assert found.pages is not None
    assert found.pages.fetched == 6
    assert len(databases) == 1
    assert len(calls) <= 135
