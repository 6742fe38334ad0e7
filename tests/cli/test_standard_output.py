"""`-` as the name of an output file is standard output, or is refused: no command writes a file of that name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]

SITEMAP = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    "<url><loc>https://example.com/?a&{}</loc></url>\n"
    "</urlset>\n"
)
BUILD = ("build", "urls.txt", "--base-url", "https://example.com", "-o", "public")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitemap.xml").write_text(SITEMAP.format("b"))
    (tmp_path / "later.xml").write_text(SITEMAP.format("c"))
    (tmp_path / "urls.txt").write_text("/a\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("fix", "sitemap.xml"), "https://example.com/?a&amp;b"),
        (("diff", "sitemap.xml", "later.xml"), "https://example.com/?a&c"),
        (("sql", "select loc from urls", "sitemap.xml", "--format", "csv"), "https://example.com/?a&b"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_hyphen_is_standard_output(cli: Cli, here: Path, arguments: tuple[str, ...], expected: str) -> None:
    plain = cli(*arguments)
    done = cli(*arguments, "--output", "-")
    assert expected in done.out
    assert (done.code, len(done.out)) == (plain.code, len(plain.out))
    assert not (here / "-").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("fix", "sitemap.xml", "later.xml", "-o", "-"),
        ("fix", "sitemap.xml", "--in-place", "-o", "-"),
        ("validate", "sitemap.xml", "--report", "-"),
        ("validate", "sitemap.xml", "--output", "-"),
        (*BUILD, "--left-out", "-"),
        (*BUILD, "--feed", "-"),
    ],
    ids=" ".join,
)
def test_elsewhere_it_is_refused(cli: Cli, here: Path, arguments: tuple[str, ...]) -> None:
    done = cli(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err
    assert not (here / "-").exists()
    assert not (here / "public").exists()
