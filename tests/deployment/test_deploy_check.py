"""`deploy-check` names each planted fault of examples/deploy with its cause, and accuses no harmless change."""

from __future__ import annotations

import gzip
import runpy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest

from urlset.deployment import comparer
from urlset.deployment.render import CAUSES
from urlset.errors import InputError, UsageError
from urlset.fetch import politeness
from urlset.model.deploy_check import DeployCause, DeployCheck, Difference
from urlset.options.auditing import AuditOptions
from urlset.options.deployment import DeployCheckOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.deploy_check import deploy_check
from urlset.report.formats import render_result
from urlset.report.style import Style
from urlset.store.earlier_builds import comparable_runs, pages_of_last_run
from urlset.store.file import Store
from urlset.store.run import Run

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "deploy" / "serve.py"))
FAULTS: list[dict[str, Any]] = EXAMPLE["TABLE"]["fault"]
HARMLESS: list[str] = [each["name"] for each in EXAMPLE["TABLE"]["harmless"]]
OTHER_FILES = ("sitemap.xml", "robots.txt", "llms.txt")


class Deployment(NamedTuple):
    """The example: the build, its server, and a store with an audit of the earlier build."""

    site: Any
    folder: Path
    store: Path

    def check(self, *faults: str, **given: Any) -> DeployCheck:
        self.site.faults = list(faults)
        options = {"retries": 0, "cache": False} | given
        return deploy_check(self.folder, self.site.origin, DeployCheckOptions(**options))


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("deployment")
    with EXAMPLE["serving"]() as site:
        site.faults = ["stale-site"]
        store = folder / "urlset.duckdb"
        reading: dict[str, Any] = {"retries": 0, "cache": False, "discover": True, "expand": True}
        audit([site.origin], AuditOptions(store=store, select=("LOC001",), score=False, **reading))
        EXAMPLE["write"](folder / "dist", site.files)
        yield Deployment(site, folder / "dist", store)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"])
def test_each_planted_fault_is_named_with_its_cause(deployment: Deployment, fault: dict[str, Any]) -> None:
    result = deployment.check(fault["name"], store=deployment.store)
    texts = [example.message for finding in result.report.findings for example in finding.examples]
    found = [finding for finding in result.report.findings if finding.rule.code == fault["rule"]]
    assert len(found) == 1, texts
    [difference] = [each for each in result.differences if each.text in [one.message for one in found[0].examples]]
    assert (difference.url, difference.cause) == (f"{deployment.site.origin}{fault['path']}", fault.get("cause")), texts
    assert fault["says"] in difference.text
    # The sitemap that lists a page that nobody built is another one as well.
    others = {"DEP009"} if fault["name"] == "unbuilt-page" else set()
    assert {finding.rule.code for finding in result.report.findings} == {fault["rule"]} | others


@pytest.mark.parametrize("change", [[], *([name] for name in HARMLESS), HARMLESS], ids=lambda names: "-".join(names))
def test_no_harmless_change_is_a_difference(deployment: Deployment, change: list[str]) -> None:
    result = deployment.check(*change)
    assert result.differences == ()
    assert (result.pages, result.files, result.compared, result.equal) == (5, 3, 8, 8)
    assert result.not_compared == ()


def test_it_waits_until_the_deployment_is_complete_and_asks_only_for_what_differs(deployment: Deployment) -> None:
    site = deployment.site
    asked: list[str] = []

    def sleep(_: float) -> None:
        site.faults = []
        site.asked = asked

    site.faults = ["stale-page"]
    options = DeployCheckOptions(wait=60, retries=0, cache=False)
    result = deploy_check(deployment.folder, site.origin, options, sleep=sleep)
    site.asked = []
    assert (result.rounds, result.differing, result.differences) == (2, 0, ())
    assert [path for path in asked if "urlset-" not in path] == ["/", "/chairs/"]


def test_an_interrupted_wait_says_what_was_known(deployment: Deployment) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    deployment.site.faults = ["missing-page"]
    options = DeployCheckOptions(wait=60, retries=0, cache=False)
    result = deploy_check(deployment.folder, deployment.site.origin, options, sleep=interrupt)
    assert (result.interrupted, result.compared, result.differing) == (True, 8, 1)
    assert [finding.rule.code for finding in result.report.findings] == ["DEP002"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"status": 429}, "not requested after 2 responses with HTTP 429 in a row"),
        ({"status": 503}, "not requested after 2 responses with HTTP 503 in a row"),
        ({"status": 403}, "HTTP 403, which may apply to this client only"),
        (
            {"status": 403, "headers": {"cf-mitigated": "challenge"}},
            "a Cloudflare challenge (cf-mitigated: challenge) (HTTP 403)",
        ),
        (
            {"body": b"<!doctype html><title>Just a moment...</title>", "headers": {"content-type": "text/html"}},
            "Just a moment (HTTP 200)",
        ),
    ],
    ids=["429", "503", "403", "challenge", "challenge with 200"],
)
def test_what_is_refused_is_not_compared(deployment: Deployment, change: dict[str, Any], reason: str) -> None:
    deployment.site.faults = []
    deployment.site.instead = EXAMPLE["Sent"](**{"status": 200, "body": b"", "headers": {}} | change)
    try:
        result = deployment.check()
    finally:
        deployment.site.instead = None
    assert (result.compared, result.equal, result.differences) == (0, 0, ())
    assert [(each.reason, each.count) for each in result.not_compared] == [(reason, 8)]
    assert [each.reason for each in result.report.unreadable] == [f"none of 8 URLs could be compared: {reason}"]


def test_an_overloaded_server_gets_no_further_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(politeness, "SLOWEST", 0.0)
    limited = EXAMPLE["Sent"](429, b"", {"retry-after": "3600"})
    monkeypatch.setitem(
        EXAMPLE["CHANGES"], "limit", lambda asked, sent: limited if asked.path.startswith("/cat") else sent
    )
    for name in ("index", *(f"cat{number}" for number in range(90))):
        (tmp_path / f"{name}.html").write_text(f"<!doctype html><title>{name}</title><p>A page about {name}.")
    with EXAMPLE["serving"]() as site:
        site.files, site.faults = {"index.html": (tmp_path / "index.html").read_bytes()}, ["limit"]
        result = deploy_check(tmp_path, site.origin, DeployCheckOptions(retries=0, cache=False))
    assert (result.equal, result.differences) == (1, ())
    most = comparer.MAX_OVERLOADS + comparer.WORKERS
    counts = {each.reason: each.count for each in result.not_compared}
    assert counts["not requested after 10 responses with HTTP 429 in a row"] >= 90 - most
    assert len(site.asked) <= 3 + most


def test_one_page_at_each_url_is_another_site(deployment: Deployment) -> None:
    deployment.site.faults = []
    page = b"<!doctype html><title>Parked</title><p>This domain is for sale."
    deployment.site.instead = EXAMPLE["Sent"](200, page, {"content-type": "text/html"})
    try:
        result = deployment.check()
    finally:
        deployment.site.instead = None
    assert [(found.rule.code, found.count) for found in result.report.findings] == [("DEP001", 8)]


def test_empty_pages_are_no_fallback(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        EXAMPLE["CHANGES"],
        "empty",
        lambda asked, sent: replace(sent, body=b"") if asked.path.endswith("/") else sent,
    )
    result = deployment.check("empty")
    assert {each.difference for each in result.differences} == {Difference.CONTENT, Difference.CANONICAL}


def test_a_copy_of_the_home_page_is_no_fallback(tmp_path: Path) -> None:
    for name in ("index", "copy", "other"):
        (tmp_path / f"{name}.html").write_text("<!doctype html><title>Cats</title><p>All cats.")
    with EXAMPLE["serving"]() as site:
        site.files = {
            path.name: path.read_bytes().replace(b"</title>", b" | Acme</title>") for path in tmp_path.glob("*.html")
        }
        result = deploy_check(tmp_path, site.origin, DeployCheckOptions(retries=0, cache=False))
    assert [(found.rule.code, found.count) for found in result.report.findings] == [("DEP010", 3)]


def test_a_site_that_is_not_the_one_of_the_directory_is_one_finding(deployment: Deployment, tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.html").write_text(f"<!doctype html><title>Cat {number}</title><p>A cat named {number}.")
    (tmp_path / "index.html").write_text("<!doctype html><title>Cats</title><p>All cats.")
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /cats/\n")
    deployment.site.faults = []
    result = deploy_check(tmp_path, deployment.site.origin, DeployCheckOptions(retries=0, cache=False))
    [finding] = result.report.findings
    assert (finding.rule.code, finding.count) == ("DEP001", 6)
    text = finding.examples[0].message
    assert text == "none of 5 compared pages has the title or the text that was built; / has the title 'Furniture'"


def test_a_directory_without_pages_and_a_site_that_cannot_be_reached_are_errors(
    deployment: Deployment, tmp_path: Path
) -> None:
    options = DeployCheckOptions(retries=0, cache=False)
    with pytest.raises(InputError, match=r"no file in this directory ends in \.html, so there are no pages"):
        deploy_check(tmp_path, deployment.site.origin, options)
    with pytest.raises(InputError, match="refused"):
        deploy_check(deployment.folder, "http://127.0.0.1:9/", options)


def test_the_directory_comes_before_its_url(deployment: Deployment) -> None:
    with pytest.raises(UsageError, match="name the directory first, then its URL"):
        deploy_check(Path(deployment.site.origin), str(deployment.folder), DeployCheckOptions())


def test_a_sample_is_evenly_spaced_and_says_what_it_leaves_out(deployment: Deployment) -> None:
    result = deployment.check(sample=2)
    assert (result.pages, result.sampled, result.compared) == (5, 2, 5)
    assert "2 of 5 pages compared (--sample); the others were not compared" in result.report.notes


def changed(monkeypatch: pytest.MonkeyPatch, path: str, **change: Any) -> str:
    """Return the name of a change of the response for one path."""
    monkeypatch.setitem(
        EXAMPLE["CHANGES"], path, lambda asked, sent: replace(sent, **change) if asked.path == path else sent
    )
    return path


@pytest.mark.parametrize(
    ("path", "media_type", "text"),
    [("/llms.txt", "text/plain", b"y" * 40), ("/chairs/", "text/html", b"<!doctype html><title>Chairs</title><p>y")],
)
def test_what_is_incomplete_is_not_compared(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, path: str, media_type: str, text: bytes
) -> None:
    headers = {"content-type": media_type, "content-encoding": "gzip"}
    result = deployment.check(changed(monkeypatch, path, body=gzip.compress(text)[:-6], headers=headers))
    assert (result.differences, result.equal) == ((), 7)
    [unknown] = result.not_compared
    assert unknown.reason == "incomplete content: response cut off: its gzip Content-Encoding is incomplete"


def test_files_above_the_limit_are_not_compared(deployment: Deployment) -> None:
    size = max(len(content) for content in deployment.site.files.values()) + 10
    (deployment.folder / "feed.xml").write_bytes(b"<rss>" + b"x" * size)
    deployment.site.files["feed.xml"] = b"<rss>" + b"x" * size
    try:
        result = deployment.check(max_document_bytes=size)
    finally:
        (deployment.folder / "feed.xml").unlink()
        del deployment.site.files["feed.xml"]
    assert (result.differences, result.equal) == ((), 8)
    [unknown] = result.not_compared
    assert unknown.reason.startswith("incomplete content: body exceeds ")


@pytest.mark.parametrize(
    "sign", ["<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js>", "<p class=g-recaptcha>"]
)
def test_a_missing_page_with_the_script_of_a_firewall_is_missing(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, sign: str
) -> None:
    fault = changed(monkeypatch, "/tables/", status=404, body=f"<!doctype html><title>Not found</title>{sign}".encode())
    result = deployment.check(fault)
    assert [(each.difference, each.text) for each in result.differences] == [(Difference.MISSING, "/tables/: HTTP 404")]
    assert result.not_compared == ()


def test_a_list_of_files_is_not_the_page_that_is_missing(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = b"<!DOCTYPE html><title>Index of /tables</title><h1>Index of /tables</h1><a href=photo.jpg>photo.jpg</a>"
    result = deployment.check(changed(monkeypatch, "/tables/", body=body))
    assert [(each.difference, each.text) for each in result.differences] == [
        (Difference.MISSING, "/tables/: HTTP 200 with a list of files instead")
    ]


def test_pages_with_the_built_text_and_another_title_are_the_same_site(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def retitled(_: Any, sent: Any) -> Any:
        return replace(sent, body=sent.body.replace(b"</title>", b" | Shop</title>"))

    monkeypatch.setitem(EXAMPLE["CHANGES"], "retitled", retitled)
    monkeypatch.setattr(deployment.site, "files", {**deployment.site.files, **dict.fromkeys(OTHER_FILES, b"<urlset/>")})
    result = deployment.check("retitled")
    assert Difference.OTHER_SITE not in {each.difference for each in result.differences}
    assert any("all 5 compared pages, such as " in each.text for each in result.differences)
    # The pages share a line, so no option shows more.
    for style in (Style(), Style(verbose=True)):
        shown = render_result(result, "text", style)
        assert "… 5 URLs in all" in shown
        assert "… and " not in shown


def test_it_does_not_wait_for_what_cannot_change(
    deployment: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_bytes(deployment.site.files["index.html"])
    (tmp_path / "feed.xml").write_bytes(b"<rss>" + b"x" * 5_000)
    feed = {"feed.xml": (tmp_path / "feed.xml").read_bytes()}
    monkeypatch.setattr(deployment.site, "files", deployment.site.files | feed)
    deployment.site.faults = []

    def sleep(_: float) -> None:
        pytest.fail("waits")

    options = DeployCheckOptions(wait=60, retries=0, cache=False, max_document_bytes=4_000)
    result = deploy_check(tmp_path, deployment.site.origin, options, sleep=sleep)
    assert (result.rounds, result.equal, [each.count for each in result.not_compared]) == (1, 1, [1])


def test_a_cache_that_does_not_show_is_no_cause(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    def old_without_query(asked: Any, sent: Any) -> Any:
        return EXAMPLE["earlier"](asked) if asked.path == "/chairs/" and not asked.query else sent

    monkeypatch.setitem(EXAMPLE["CHANGES"], "old-without-query", old_without_query)
    [difference] = deployment.check("old-without-query").differences
    assert (difference.difference, difference.cause) == (Difference.EDGE, None)
    assert difference.text.endswith("what was built is served, so a cache or another server answers")


def test_runs_of_a_preview_are_no_earlier_builds(tmp_path: Path) -> None:
    site, preview = "https://www.example.com/", "https://p42.pages.dev"
    with Store.create(tmp_path / "kept.duckdb") as store:
        for number, target in enumerate((str(tmp_path), site, preview), start=1):
            run = Run.begin(store, [target], {})
            pages = [{"url": f"{site}{place:05}", "status": 200} for place in range(1_500 * number)]
            run.add_rows("pages", pages)
            run.finish({})
        assert sorted(comparable_runs(store, site)) == [1, 2]
        last = pages_of_last_run(store, site)
    assert last is not None
    newest, urls = last
    assert (newest.run_id, len(urls)) == (2, 3_000)


DAMAGE: dict[str, tuple[str, str]] = {
    "targets": ("UPDATE runs SET targets = NULL", "the table runs cannot be read"),
    "start": ("UPDATE runs SET started_at = NULL", "a time that every row has is missing"),
    "settings": ("UPDATE runs SET settings = '[1]'", "the table runs cannot be read"),
    "content hash": ("ALTER TABLE pages ALTER COLUMN content_hash TYPE VARCHAR", "pages"),
}
"""Damaged stores, and a part of what is said of them."""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_store_is_an_error_before_anything_is_requested(
    deployment: Deployment, tmp_path: Path, damage: str
) -> None:
    sql, says = DAMAGE[damage]
    store = tmp_path / "damaged.duckdb"
    store.write_bytes(deployment.store.read_bytes())
    with duckdb.connect(store) as connection:
        connection.execute(sql)
    asked: list[str] = []
    deployment.site.asked = asked
    with pytest.raises(InputError, match=rf"damaged\.duckdb: is .*{says}"):
        deployment.check("stale-site", store=store)
    assert asked == []


def test_pages_of_no_run_are_no_earlier_build(deployment: Deployment, tmp_path: Path) -> None:
    store = tmp_path / "damaged.duckdb"
    store.write_bytes(deployment.store.read_bytes())
    with duckdb.connect(store) as connection:
        connection.execute("UPDATE pages SET run_id = NULL")
    result = deployment.check("stale-page", store=store)
    assert [(each.difference, each.cause) for each in result.differences] == [(Difference.CONTENT, None)]


def test_the_formats_say_what_was_compared(deployment: Deployment) -> None:
    result = deployment.check()
    texts = {
        form: render_result(result, form, Style()) for form in ("text", "github", "markdown", "llm", "pr", "junit")
    }
    for form in ("text", "github", "markdown", "llm"):
        assert "in 8 compared URLs" in texts[form], form
    assert texts["pr"].startswith(f"**urlset:** `{result.site}` serves what was built in ")
    assert 'tests="1" failures="0" errors="0"' in texts["junit"]


def test_a_comment_names_who_changed_what_is_served_and_what_to_do(deployment: Deployment) -> None:
    result = deployment.check("managed-robots", "missing-page", "edge")
    comment = render_result(result, "pr", Style())
    assert comment.startswith(f"**urlset:** `{result.site}` does not serve what was built in ")
    assert "**The CDN adds its managed block to robots.txt** (1 URL): turn it off in the settings of the CDN" in comment
    assert "**A cache serves an old copy; the origin serves the build** (1 URL): purge the cache" in comment
    assert "The cause of 1 differing URL is unknown; the fixes are below." in comment
    assert (
        "<summary>error DEP002: Built page or file is not served (1 place)</summary>\n\n- `/tables/: HTTP 404`"
        in comment
    )


def test_every_cause_has_words() -> None:
    assert set(CAUSES) == set(DeployCause)


def test_a_title_that_pages_share_is_one_difference_next_to_texts_and_missing_pages(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of_template(asked: Any, sent: Any) -> Any:
        response = replace(sent, body=sent.body.replace(b"</title>", b" | Shop</title>"))
        return replace(response, body=response.body.replace(b"8 of", b"9 of")) if asked.path == "/chairs/" else response

    monkeypatch.setitem(EXAMPLE["CHANGES"], "of-template", of_template)
    texts = [(each.text, each.urls) for each in deployment.check("of-template", "missing-page").differences]
    assert texts == [
        (
            "all 4 served pages, such as /: title is 'Furniture | Shop' instead of 'Furniture'",
            4,
        ),
        ("/chairs/: main text differs (87 words in both)", 1),
        ("/tables/: HTTP 404", 1),
    ]


@pytest.mark.parametrize("title", [b"Chairs", b"Security check"])
def test_a_short_page_with_the_script_of_a_firewall_is_compared_if_it_has_the_built_title(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, title: bytes
) -> None:
    script = b"<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>"
    body = b"<!doctype html><title>" + title + b"</title>" + script + b"<main><p>Another text of this page.</main>"
    result = deployment.check(changed(monkeypatch, "/chairs/", body=body))
    is_page = title == b"Chairs"
    assert [each.difference for each in result.differences if each.difference is Difference.CONTENT] == (
        [Difference.CONTENT] if is_page else []
    )
    assert [each.reason for each in result.not_compared] == ([] if is_page else ["a Cloudflare challenge (HTTP 200)"])
