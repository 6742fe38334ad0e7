"""`urlset inspect`: the report in both forms, and `--urls`, which prints lines and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from urlset.options.verbs import InspectOptions

if TYPE_CHECKING:
    from urlset.errors import Unreadable

Cli = Callable[..., Any]


def test_text(cli: Cli, pipeline: Any) -> None:
    done = cli("inspect", "sitemap.xml", "--max-document-bytes", "5", "--timeout", "1")
    assert done.code == 0
    assert done.out.startswith("sitemap.xml\n  kind        urlset\n")
    assert pipeline.asked(InspectOptions) == InspectOptions(max_document_bytes=5, timeout=1.0)


def test_json(cli: Cli, pipeline: Any) -> None:
    report = json.loads(cli("inspect", "sitemap.xml", "--format", "json").out)
    assert report["documents"][0]["lastmod"] == {
        "oldest": None,
        "newest": None,
        "missing": 1,
        "distribution": [],
    }


def test_an_unreadable_target_is_reported_beside_the_others(cli: Cli, pipeline: Any, gone: Unreadable) -> None:
    pipeline.unreadable = [gone]
    done = cli("inspect", "gone.xml", "sitemap.xml")
    assert (done.code, done.err) == (3, "urlset: gone.xml: no such file\n")
    assert "sitemap.xml" in done.out


def test_urls_are_lines_and_nothing_else(cli: Cli, pipeline: Any) -> None:
    pipeline.urls = [f"https://example.com/{n}" for n in range(2_000)]
    done = cli("inspect", "sitemap.xml", "--urls")
    assert done.out.splitlines() == pipeline.urls
    assert (done.code, done.err) == (0, "")


def test_a_url_is_one_line_and_otherwise_untouched(cli: Cli, pipeline: Any) -> None:
    pipeline.urls = ["https://example.com/a\nhttps://evil.example/", "\x1b[2J\u2028", "https://example.com/\xa0é\u200d"]
    done = cli("inspect", "-", "--urls")
    assert done.out.split("\n") == [
        r"https://example.com/a\nhttps://evil.example/",
        r"\u{1b}[2J\u{2028}",
        "https://example.com/\xa0é\u200d",
        "",
    ]


def test_urls_say_on_standard_error_what_was_unreadable(cli: Cli, pipeline: Any, gone: Unreadable) -> None:
    pipeline.urls, pipeline.unreadable = ["https://example.com/"], [gone]
    done = cli("inspect", "sitemap.xml", "gone.xml", "--urls")
    assert (done.code, done.out, done.err) == (3, "https://example.com/\n", "urlset: gone.xml: no such file\n")


def test_lines_that_are_no_urls_are_counted_on_standard_error(cli: Cli, pipeline: Any) -> None:
    pipeline.urls, pipeline.lines = ["https://example.com/"], {"a.txt": 2, "b.txt": 1}
    done = cli("inspect", "a.txt", "b.txt", "--urls")
    assert (done.code, done.out) == (0, "https://example.com/\n")
    assert done.err == "urlset: a.txt: 2 lines left out: not URLs\nurlset: b.txt: 1 line left out: not a URL\n"


def test_urls_have_no_json_form(cli: Cli, pipeline: Any) -> None:
    done = cli("inspect", "sitemap.xml", "--urls", "--format", "json")
    assert done.code == 2
    assert "--urls" in done.err
