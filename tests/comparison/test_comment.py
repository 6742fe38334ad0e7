"""Everything that `diff --format pr` says about pages is accepted by the script that posts the comment."""

from __future__ import annotations

import runpy
from datetime import UTC, datetime
from pathlib import Path

from tests.comparison.test_compare_pages import PAGES_OF_CASES, changes_between, page
from tests.comparison.test_robots_changes import PATHS, SITE, listed

from urlset.comparison.render_pr import render
from urlset.comparison.robots_changes import compare_robots
from urlset.model.comparison import (
    Comparison,
    FindingChange,
    LastmodChange,
    LastmodChangeKind,
    MovedPage,
    Part,
    RemovedUrl,
    RemovedUrlStatus,
    Side,
)
from urlset.model.page_changes import LlmsChanges, PageChanges, RobotsChanges
from urlset.rules.rule import Severity
from urlset.web.robots_txt import Availability, Robots

SCRIPT = Path(__file__).parents[2] / "scripts" / "pull_request_comment.py"
ROBOTS_URL = f"{SITE}/robots.txt"
REMOVED = (
    RemovedUrl(f"{SITE}/lost", RemovedUrlStatus.LOST, 404),
    RemovedUrl(f"{SITE}/`old`", RemovedUrlStatus.LOST, 404, moved=f"{SITE}/new"),
)


def comment(
    pages: PageChanges | None, robots: tuple[RobotsChanges, ...] = (), llms: tuple[LlmsChanges, ...] = ()
) -> str:
    side = Side("a", None, datetime(2026, 2, 3, tzinfo=UTC), 1, 1)
    moved = Part(1, (MovedPage(f"{SITE}/`old`", f"{SITE}/new", "a.xml"),))
    findings = tuple(
        FindingChange("PGE001", Severity.ERROR, "a.xml", 2, 0, "gone", unlisted=unlisted) for unlisted in (0, 1, 2)
    )
    dates = Part(1, (LastmodChange(f"{SITE}/a", "a.xml", None, "2026", LastmodChangeKind.ADDED),))
    comparison = Comparison(
        before=side, after=side, added=Part(0), removed=Part(0), lastmod=dates, moved={LastmodChangeKind.ADDED: 1},
        children_added=Part(0), children_removed=Part(0), findings=findings, moved_pages=moved, pages=pages,
        robots=robots, llms=llms,
        removed_urls=Part(2, REMOVED), removed_url_counts={RemovedUrlStatus.LOST: 2}, moved_lost=1,
    )  # fmt: skip
    return "\n".join(render(comparison)) + "\n"


def test_the_script_accepts_all_changes_of_pages(tmp_path: Path) -> None:
    names = {f"/{name.replace(' ', '-')}": case for name, case in PAGES_OF_CASES.items()}
    own = changes_between(
        [page(path, **before) for path, (before, _, _) in names.items()],
        [page(path, **after) for path, (_, after, _) in names.items()],
        limit=len(names),
    )
    number = range(4)
    edits: tuple[dict[str, object], ...] = (
        {"title": "{path} more"}, {"content_hash": 1, "words": 90}, {"content_hash": 2}, {"links": 12}, {"status": 404},
    )  # fmt: skip
    paths = [(f"/{folder}/{n}", edit) for folder, edit in enumerate(edits) for n in number]
    shared = changes_between(
        [page(path, title=path) for path, _ in paths],
        [
            page(path, **{"title": path, **edit}) | ({"title": f"{path} more"} if "title" in edit else {})
            for path, edit in paths
        ],
    )
    assert len(own.pages) > 10
    assert len(shared.shared) == len(edits)
    agents = b"".join(b"User-agent: bot%d\n" % number for number in range(6))
    rules = b"User-agent: *\nDisallow: /blog/\n" + agents + b"Disallow: /\n"
    files = [
        (Robots.parse(b"", ROBOTS_URL), Robots.parse(rules, ROBOTS_URL)),
        (Robots.parse(rules, ROBOTS_URL), Robots(b"", ROBOTS_URL, Availability.UNREACHABLE)),
        (Robots(b"", ROBOTS_URL, Availability.UNAVAILABLE), Robots.parse(rules, ROBOTS_URL)),
    ]
    robots = tuple(
        changes for old, new in files if (changes := compare_robots(old, new, [listed(*PATHS)], 1)) is not None
    )
    assert len(robots) == len(files)
    llms = (LlmsChanges(f"{SITE}/llms.txt", 2, 1, ("/a",), ("/b",)), LlmsChanges(f"{SITE}/b/llms.txt", 0, 3, (), ()))
    read_comment = runpy.run_path(str(SCRIPT))["read_comment"]
    file = tmp_path / "comment.md"
    for pages in (own, shared):
        text = comment(pages, robots, llms)
        file.write_text(text, encoding="utf-8")
        assert read_comment(file) == text.strip()
