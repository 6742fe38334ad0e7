"""`--map`: a preview answers for its site, and receives the credentials; what it adds to all pages is one note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

from urlset.cli.mcp_tools import Tools
from urlset.errors import InputError, UsageError
from urlset.model.report import Report
from urlset.net.previews import previews_of
from urlset.options.assistants import AssistantOptions
from urlset.options.auditing import AuditOptions
from urlset.options.comparing import DiffOptions
from urlset.options.configuration_file import load
from urlset.options.resolve import resolve
from urlset.options.verbs import ValidateOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.diff import diff
from urlset.pipeline.explain_page import explain_page
from urlset.pipeline.validate import validate
from urlset.rules.rule import Severity
from urlset.stages.examine_preview import UNUSED_PATH
from urlset.stages.named import trust_in_none
from urlset.store.file import Store
from urlset.web.logins import is_login

from .conftest import Internet

SITE = "https://www.example.com"

INVALID = {
    "one side": ("https://www.example.com", "must be written as SITE=PREVIEW"),
    "no URL": ("www.example.com=https://p.test", "both sides must be http(s) URLs"),
    "a file": (f"{SITE}=file:///etc/passwd", "both sides must be http(s) URLs"),
    "a path": (f"{SITE}=https://p.test/site/", "remove everything after https://p.test"),
    "a password": (f"{SITE}=https://me:secret@p.test", "use --auth instead"),
    "the site itself": (f"{SITE}=https://www.example.com/", "www.example.com occurs more than once"),
}


@case_table("text, message", INVALID)
def test_what_is_not_two_hosts_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        ValidateOptions(map=(text,))
    assert message in str(error.value)
    assert "secret" not in str(error.value)


def test_a_preview_stands_for_one_site() -> None:
    with pytest.raises(ValueError, match=r"p\.test occurs more than once"):
        previews_of([f"{SITE}=https://p.test", "https://blog.example.com=http://p.test"])


@pytest.fixture
def preview(internet: Internet) -> Internet:
    """A preview on a private host. Its pages name the site, and one still names the preview as canonical."""
    host = "intra.test"
    internet.put(host, "/robots.txt", f"User-agent: *\nAllow: /\nSitemap: {SITE}/sitemap.xml\n", "text/plain")
    internet.urlset(host, "/sitemap.xml", *(f"{SITE}/{page}" for page in ("", "good", "leak", "moved")))
    for page in ("", "good"):
        internet.put(host, f"/{page}", _page(f"{SITE}/{page}"), "text/html")
    internet.put(host, "/leak", _page(internet.url(host, "/leak")), "text/html")
    internet.redirect(host, "/moved", internet.url(host, "/good"))
    return internet


def _page(canonical: str) -> str:
    return f'<html><title>Page</title><link rel="canonical" href="{canonical}"><p>Text of a page.</p></html>'


def options(internet: Internet, tmp_path: Path, **given: Any) -> AuditOptions:
    mapped = f"{SITE}={internet.url('intra.test')}"
    return AuditOptions(map=(mapped,), store=tmp_path / "run.duckdb", cache=False, retries=0, **given)


def places(report: Report) -> dict[str, set[str]]:
    """Return the URLs of the errors and warnings, by code."""
    found: dict[str, set[str]] = {}
    for finding in report.findings:
        if finding.severity in (Severity.ERROR, Severity.WARNING):
            found.setdefault(finding.rule.code, set()).update(str(example.url) for example in finding.examples)
    return found


@case_table("target", {"the site": SITE, "the preview": ""})
def test_a_site_is_audited_on_its_preview(preview: Internet, tmp_path: Path, target: str) -> None:
    preview.requests.clear()
    given = options(preview, tmp_path, auth="me:pw", resume=False)
    (tmp_path / "run.duckdb").unlink(missing_ok=True)
    result = audit([target or preview.url("intra.test")], given)
    assert places(result.report) == {"PGE038": {f"{SITE}/leak"}, "PGE005": {f"{SITE}/moved"}}
    assert result.pages is not None
    assert result.pages.fetched == 4
    assert {(request.host, request.authorization is not None) for request in preview.requests} == {("intra.test", True)}
    with Store.read(tmp_path / "run.duckdb") as store:
        # Runs of the site itself are not compared with it.
        assert store.runs()[0].targets == (preview.url("intra.test"),)


def test_what_a_preview_adds_is_a_note(preview: Internet, tmp_path: Path) -> None:
    preview.added = {"X-Robots-Tag": "noindex"}
    preview.put("intra.test", "/robots.txt", f"User-agent: *\nDisallow: /\nSitemap: {SITE}/sitemap.xml\n", "text/plain")
    result = audit([f"{SITE}/sitemap.xml"], options(preview, tmp_path))
    assert set(places(result.report)) == {"PGE038", "PGE005"}
    notes = " ".join(result.report.notes)
    assert "X-Robots-Tag: noindex is on all responses of the preview, and was ignored on all 3 pages" in notes
    assert "disallows everything for all crawlers (line 2)" in notes


def test_what_a_preview_adds_to_one_page_is_a_note(preview: Internet, tmp_path: Path) -> None:
    preview.added = {"X-Robots-Tag": "noindex"}
    explanation = explain_page(f"{SITE}/good", options(preview, tmp_path, no_store=True))
    assert any("X-Robots-Tag: noindex is on all responses of the preview" in note for note in explanation.notes)


LOGINS = {
    "Cloudflare": ("https://team.cloudflareaccess.com/cdn-cgi/access/login/e.com?redirect_url=/", True),
    "Cloudflare, own host": ("https://e.com/cdn-cgi/access/login", True),
    "Vercel": ("https://vercel.com/sso-api?url=x", True),
    "Azure": ("https://e.com/.auth/login/aad", True),
    "WordPress": ("https://e.com/wp-login.php", True),
    "host": ("https://login.example.com/", True),
    "lessons": ("https://e.com/lessons/", False),
    "assortment": ("https://e.com/assortment/", False),
    "authors": ("https://e.com/authors/", False),
    "access": ("https://e.com/access/", False),
}


@case_table("url, expected", LOGINS)
def test_a_login_is_a_word(url: str, *, expected: bool) -> None:
    assert is_login(url) is expected


def test_what_a_page_adds_itself_counts(preview: Internet, tmp_path: Path) -> None:
    page = f"<html><meta name=robots content=noindex>{_page(f'{SITE}/good')}</html>"
    preview.put("intra.test", "/good", page, "text/html")
    preview.added = {"X-Robots-Tag": "noindex"}
    assert f"{SITE}/good" in places(audit([f"{SITE}/sitemap.xml"], options(preview, tmp_path)).report)["PGE008"]


def test_a_login_is_one_error(preview: Internet, tmp_path: Path) -> None:
    for path in ("/", UNUSED_PATH):
        preview.pages["intra.test", path] = 401, "text/html", b"log in"
    with pytest.raises(InputError, match="requires a login"):
        audit([f"{SITE}/sitemap.xml"], options(preview, tmp_path))


def test_links_of_others_do_not_lead_to_a_private_preview(preview: Internet) -> None:
    preview.index("public.test", "/index.xml", f"{SITE}/sitemap.xml")
    mapped = f"{SITE}={preview.url('intra.test')}"
    given = ValidateOptions(map=(mapped,), expand=True, cache=False, retries=0)
    report = validate([preview.url("public.test", "/index.xml")], given)
    assert [row["error_kind"] for row in report.documents] == [None, "private-address"]


def test_a_preview_that_the_user_did_not_name_is_public(preview: Internet) -> None:
    mapped = f"{SITE}={preview.url('intra.test')}"
    with pytest.raises(InputError, match="the preview cannot be requested"):
        validate([f"{SITE}/sitemap.xml"], ValidateOptions(map=(mapped,), cache=False), trust=trust_in_none())


def test_a_site_is_compared_with_its_preview(preview: Internet) -> None:
    site = preview.url("public.test")
    preview.urlset("public.test", "/sitemap.xml", f"{site}/good", f"{site}/old")
    preview.urlset("intra.test", "/sitemap.xml", f"{site}/good", f"{site}/new")
    given = DiffOptions(map=(f"{site}={preview.url('intra.test')}",), cache=False, auth="me:pw", rules=False)
    found = diff(f"{site}/sitemap.xml", preview.url("intra.test", "/sitemap.xml"), given)
    assert [entry.url for entry in found.added.examples] == [f"{site}/new"]
    assert [entry.url for entry in found.removed.examples] == [f"{site}/old"]
    sent = {(request.host, request.authorization is not None) for request in preview.requests}
    assert sent == {("public.test", False), ("intra.test", True)}


ASKED_BY_AN_ASSISTANT = {
    "a sitemap of the site": (f"{SITE}/sitemap.xml", False),
    "a sitemap of the preview": ("{preview}/sitemap.xml", False),
    "the site": (SITE, True),
}


@case_table("target, is_site", ASKED_BY_AN_ASSISTANT)
def test_an_assistant_reads_the_preview_that_the_configuration_names(
    internet: Internet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, *, is_site: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    host = "other.test"
    internet.put(host, "/robots.txt", f"User-agent: *\nAllow: /\nSitemap: {SITE}/sitemap.xml\n", "text/plain")
    internet.urlset(host, "/sitemap.xml", f"{SITE}/good", internet.url(host, "/leak"))
    answer = _tools(tmp_path, internet.url(host)).validate(target.format(preview=internet.url(host)), is_site)
    assert f"its preview {internet.url(host)} was read instead" in answer
    assert "of 2 URLs may be dropped" in answer
    assert f'"{internet.url(host, "/leak")}: loc is on other.test, which is not publicly reachable"' in answer
    assert {(request.host, request.authorization) for request in internet.requests} == {(host, None)}


def test_an_assistant_reaches_no_private_preview(
    preview: Internet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="private IP address"):
        _tools(tmp_path, preview.url("intra.test")).validate(f"{SITE}/sitemap.xml")
    assert preview.requests == []


def _tools(root: Path, preview: str) -> Tools:
    (root / "urlset.toml").write_text(
        f'map = ["{SITE}={preview}"]\nauth = "me:pw"\nretries = 0\nallow-private = true\n'
    )
    return Tools(root, resolve(AssistantOptions, load(root / "urlset.toml"), {}), allow_fetch=True)
