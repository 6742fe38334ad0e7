"""What changed in the meaning of a robots.txt, for the crawlers and the listed URLs."""

from __future__ import annotations

import duckdb
from tests.cases import case_table

from urlset import _core
from urlset.comparison.page_words import PageWords
from urlset.comparison.robots_changes import compare_robots, llms_changes
from urlset.comparison.run_tables import RunTables
from urlset.tables import URLS
from urlset.web.robots_txt import Availability, Robots

SITE = "https://example.com"
PATHS = ("/", "/blog/a", "/blog/b", "/shop/a")
WORDS = PageWords(show=str, quote=lambda text: f"'{text}'")
NAMES = ("document_id", "ordinal", "line", "col", "loc", "loc_line", "loc_col", "scheme", "host", "port")


def listed(*paths: str, first: int = 0) -> _core.Table:
    columns = [(column.name, column.type) for column in URLS.columns if column.name in NAMES]
    place = {"document_id": 0, "line": 1, "col": 1, "scheme": "https", "host": "example.com", "port": 443}
    return _core.Table.from_rows(
        columns, [{**place, "ordinal": number, "loc": SITE + path} for number, path in enumerate(paths, first)]
    )


def lines_between(before: Robots, after: Robots) -> list[str]:
    # In batches of any size, the result is the same.
    changes = compare_robots(before, after, [listed(*PATHS)], 1)
    assert changes == compare_robots(before, after, [listed(path, first=n) for n, path in enumerate(PATHS)], 1)
    return [] if changes is None else list(WORDS.robots_lines(changes))


@case_table(
    "before, after, lines",
    {
        "order and comments": (
            "User-agent: *\nDisallow: /blog/\nDisallow: /shop/\n",
            "# new\nUser-agent: *\nDisallow: /shop/ # no\nDisallow: /blog/\n",
            [],
        ),
        "all crawlers": (
            "",
            "User-agent: *\nDisallow: /blog/\n",
            [
                "crawlers without a group of their own can no longer fetch 2 of 4 listed URLs, such as "
                f"{SITE}/blog/a (line 2, Disallow: '/blog/')",
                "line added: Disallow: /blog/",
            ],
        ),
        "one crawler": (
            "User-agent: *\nDisallow: /shop/\n",
            "User-agent: *\nDisallow: /shop/\n\nUser-agent: GPTBot\nDisallow: /\n",
            [
                f"GPTBot can no longer fetch 3 of 4 listed URLs, such as {SITE}/ (line 5, Disallow: '/')",
                "line added: Disallow: / (for gptbot)",
            ],
        ),
        # A new group frees its crawler from the rules for all.
        "a group frees its crawler": (
            "User-agent: *\nDisallow: /shop/\n",
            "User-agent: *\nDisallow: /shop/\n\nUser-agent: Bingbot\nCrawl-delay: 2\n",
            [
                f"Bingbot can now fetch 1 of 4 listed URLs, such as {SITE}/shop/a (line 2, Disallow: '/shop/')",
                "line added: Crawl-delay: 2 (for bingbot)",
            ],
        ),
        "no listed URL": (
            "User-agent: *\nDisallow: /admin/\n",
            "User-agent: *\nDisallow: /secret/\n",
            ["line added: Disallow: /secret/", "line removed: Disallow: /admin/"],
        ),
        "sitemap and policy": (
            f"Sitemap: {SITE}/a.xml\n",
            f"Sitemap: {SITE}/b.xml\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
            [
                "line added: Allow: /",
                "line added: Content-Signal: ai-train=no",
                f"line added: Sitemap: {SITE}/b.xml",
                f"line removed: Sitemap: {SITE}/a.xml",
            ],
        ),
    },
)
def test_changes(before: str, after: str, lines: list[str]) -> None:
    # The earlier file may be that of another host, such as one for previews.
    for host in (SITE, "https://preview.example"):
        old, new = (
            Robots.parse(before.encode(), f"{host}/robots.txt"),
            Robots.parse(after.encode(), f"{SITE}/robots.txt"),
        )
        assert lines_between(old, new) == lines


def test_a_file_that_cannot_be_read_blocks_everything() -> None:
    rules = b"User-agent: *\nDisallow: /shop/\n"
    old = Robots.parse(rules, f"{SITE}/robots.txt")
    new = Robots(b"", f"{SITE}/robots.txt", Availability.UNREACHABLE)
    availability, ads, crawlers, *lines = lines_between(old, new)
    assert availability == "unreachable, so nothing is allowed (before: readable)"
    assert crawlers == f"crawlers without a group of their own can no longer fetch 3 of 4 listed URLs, such as {SITE}/"
    # These ignored the group for all.
    assert ads.startswith("APIs-Google, AdsBot-Google, ")
    assert ads.endswith(f" can no longer fetch 4 of 4 listed URLs, such as {SITE}/")
    assert lines == ["line removed: Disallow: /shop/"]
    # Some crawlers do not read it.
    changes = compare_robots(old, new, [listed(*PATHS)], 1)
    assert changes is not None
    assert not any("Google-Safety" in change.agents for change in changes.crawlers)
    assert {"Googlebot", "GPTBot", "*"} <= {*changes.crawlers[1].agents}


def test_links_of_llms_txt() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE llms_links (run_id INTEGER, url VARCHAR, target VARCHAR, written VARCHAR)")
        for run, links in ((1, ("/a", "/b")), (2, ("/b", "/c", "/d"))):
            for link in links:
                connection.execute(
                    "INSERT INTO llms_links VALUES (?, ?, ?, '')", [run, f"{SITE}/llms.txt", SITE + link]
                )
        connection.execute(f"INSERT INTO llms_links VALUES (2, '{SITE}/docs/llms.txt', '{SITE}/x', '')")
        columns = {"llms_links": ("url", "target", "written")}
        before, after = RunTables("", 1, columns), RunTables("", 2, columns)
        [changes] = llms_changes(connection, before, after, 1)
        assert WORDS.llms_line(changes) == (
            f"{SITE}/llms.txt: 2 links added, such as {SITE}/c; 1 link removed, such as {SITE}/a"
        )
        assert list(llms_changes(connection, before, before, 1)) == []
