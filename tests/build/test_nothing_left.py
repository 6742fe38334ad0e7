"""A set without URLs because everything was left out is refused, with the reason of the largest group and a way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cases import case_table

import urlset
from urlset.cli.main import main
from urlset.errors import EmptySetError

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.com/"


def canonical(url: str) -> str:
    return f'<title>T</title><link rel=canonical href="{url}"><p>text'


# The files of the source, options, and parts of the message.
CASES: dict[str, tuple[dict[str, str], list[str], list[str]]] = {
    "canonicals on another host": (
        {f"{name}.html": canonical(f"https://acme.dev/{name}.html") for name in "abc"},
        ["."],
        ["all 3 pages", "all 3 canonicals are on https://acme.dev", "use --base-url https://acme.dev/"],
    ),
    "most canonicals on another host": (
        {"a.html": canonical("https://acme.dev/"), "b.html": canonical("/c"), "d.html": canonical("https://acme.dev/d")},
        ["."],
        ["2 of 3 canonicals are on https://acme.dev", "use --base-url https://acme.dev/"],
    ),
    "noindex": (
        {"a.html": "<meta name=robots content=noindex><p>text"},
        ["."],
        ["the only page or entry was left out because of noindex", "such as a.html", "remove noindex"],
    ),
    "templates": ({"a.html": "<title>{{ a }}</title>"}, ["html:."], ["because of template", "build the site first"]),
    "robots.txt": (
        {"a.html": "<p>text", "robots.txt": "User-agent: *\nDisallow: /\n"}, ["."], ["--no-obey-robots"],
    ),
    "excluded": ({"a.html": "<p>text"}, [".", "--exclude", "*.html"], ["change --exclude"]),
    "drafts": (
        {"a.md": "---\ndraft: true\n---\n", "b.md": "---\ndraft: true\n---\n", "c.md": "---\nnoindex: true\n---\n"},
        ["."],
        ["all 3 pages", "2 of them because of draft"],
    ),
    "a list on another host": (
        {"urls.txt": "https://acme.dev/a\nhttps://acme.dev/b\n"},
        ["urls.txt"],
        ["all 2 URLs are on https://acme.dev", "use --base-url https://acme.dev/, or --hosts acme.dev"],
    ),
    "a list of a development server": (
        {"urls.txt": "http://localhost:5173/\nhttp://localhost:5173/a\n"},
        ["urls.txt"],
        ["all 2 URLs are on http://localhost:5173", "set the URL of the site in the configuration"],
    ),
    "a list without a base URL": (
        {"urls.txt": "None\nundefined/a\n"}, ["urls.txt"], ["a variable has no value", "set the base URL"],
    ),
    "a CSV file": ({"urls.csv": "url\nabout\nteam\n"}, ["urls.csv"], ["because of url-bare", "--bare-paths"]),
    "JSON Lines": (
        {"urls.jsonl": '{"loc": "https://example.com/#a"}\n{"loc": "https://example.com/undefined"}\n'},
        ["urls.jsonl"],
        ["because of url-doubtful", "--set build.doubtful=keep"],
    ),
    "dates that are required": (
        {"urls.txt": "/a\n"}, ["urls.txt", "--require-lastmod"], ["omit --require-lastmod"],
    ),
    "a query": ({}, ["--query", "SELECT 'https://acme.dev/' AS loc"], ["the only URL is on https://acme.dev"]),
}  # fmt: skip


@case_table("files, arguments, wanted", CASES)
def test_a_set_without_urls(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, str],
    arguments: list[str],
    wanted: list[str],
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    command = ["build", *arguments, "--base-url", BASE, "-o", "out", "--lastmod-from", "given"]
    assert main(command) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"urlset: refusing to publish an empty sitemap for {BASE}: ")
    for part in wanted:
        assert part in error
    assert not (tmp_path / "out" / "sitemap.xml").exists()
    assert main([*command, "--check"]) == 1
    assert f"problem: {BASE}: refusing to publish an empty sitemap" in capsys.readouterr().out
    assert main([*command, "--empty", "write"]) == 0
    assert [*urlset.read(tmp_path / "out" / "sitemap.xml")] == []


def test_the_writer(tmp_path: Path) -> None:
    with pytest.raises(EmptySetError, match="the only page or entry was left out because of url-invalid") as caught:
        urlset.write(["mailto:me@example.com"], BASE, tmp_path)
    assert caught.value.left_out == {"url-invalid": 1}
    assert not (tmp_path / "sitemap.xml").exists()
    assert urlset.write([], BASE, tmp_path).written == 0
