"""URLs with a variable without a value: `fix` leaves the entries as they are, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from urlset.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'


def entry(loc: str) -> str:
    return f"<url><loc>{loc}</loc></url>\n"


def sitemap(*locs: str) -> str:
    return HEAD + "".join(map(entry, locs)) + "</urlset>\n"


@pytest.mark.parametrize(
    ("name", "before", "after", "count"),
    [
        ("a.xml", sitemap("None", "None", "/a"), sitemap("None", "None", "https://example.com/a"), 2),
        ("b.xml", sitemap("https://undefined/a", "undefined/b", "{}/c"), None, 3),
        ("c.txt", "https://a.de/\nNone\n/a\nNone\n", "https://a.de/\nNone\nhttps://example.com/a\nNone\n", 2),
        ("d.txt", "https://a.de/\nnull/a\n", None, 1),
    ],
)
def test_the_entries_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, before: str, after: str | None, count: int
) -> None:
    path = tmp_path / name
    path.write_text(before)
    assert main(["fix", str(path), "--base-url", "https://example.com/", "--in-place"]) == 1
    assert path.read_text() == (after or before)
    said = capsys.readouterr().out
    assert f"{count} {'entry stays' if count == 1 else 'entries stay'} unchanged" in said
    assert "set the base URL in the program that writes the sitemap" in said
    assert "https://example.com/None" not in said
