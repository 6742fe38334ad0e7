"""`coverage sitemaps` and `check --clients` with recorded answers of Google and Bing over loopback."""

from __future__ import annotations

import hashlib
import http.server
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.coverage.google_api import BING_KEY
from tests.loopback import served

from urlset import api
from urlset.cli.main import main
from urlset.errors import InputError, UsageError
from urlset.model.reported import ReportedSitemaps
from urlset.store.file import Store
from urlset.store.run import Run

URL = "https://example.com/sitemap.xml"
OF_GOOGLE = {
    "path": URL,
    "lastSubmitted": "2026-10-20T08:00:00.000Z",
    "isPending": False,
    "isSitemapsIndex": False,
    "type": "sitemap",
    "lastDownloaded": "2026-11-03T09:30:00.123Z",
    "warnings": "1",
    "errors": "2",
    "contents": [{"type": "web", "submitted": "1200", "indexed": "0"}, {"type": "image", "submitted": "7"}],
}
OF_BING = {
    "__type": "Feed:#Microsoft.Bing.Webmaster.Api",
    "Compressed": False,
    "FileSize": 1024,
    "LastCrawled": "/Date(1793697000000-0700)/",
    "Status": "Success",
    "Submitted": "/Date(1792483200000)/",
    "Type": "Sitemap",
    "Url": URL,
    "UrlCount": 1023,
}


@pytest.fixture
def bing_key(tmp_path: Path) -> Path:
    path = tmp_path / "bing.key"
    path.touch(mode=0o600)
    path.write_text(f"{BING_KEY}\n")
    return path


@pytest.fixture(autouse=True)
def no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without urlset.duckdb, which a checkout in use may have."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def listed(google: Any, credentials: Path, bing_key: Path) -> Callable[..., ReportedSitemaps]:
    def call(*, only: str = "", **fields: Any) -> ReportedSitemaps:
        of_google = {"property": "sc-domain:example.com", "credentials": credentials, "api": google.url}
        of_bing = {"bing_key": bing_key, "bing_api": google.url, "bing_site": "https://example.com/"}
        usual = {"google": of_google, "bing": of_bing, "": {**of_google, **of_bing}}[only]
        return api.list_submitted_sitemaps(**{**usual, **fields})

    return call


def test_both_engines(google: Any, listed: Callable[..., ReportedSitemaps]) -> None:
    google.sitemaps, google.feeds = [OF_GOOGLE], (200, {}, {"d": [OF_BING]})
    of_google, of_bing = listed().sitemaps
    assert of_google.read_at == datetime(2026, 11, 3, 9, 30, 0, 123_000, UTC)
    assert (of_google.errors, of_google.warnings, of_google.is_pending) == (2, 1, False)
    assert of_google.urls == {"web": 1200, "image": 7}
    assert of_google.sentence() == "Google read it last on 2026-11-03, with 2 errors and 1 warning"
    assert of_bing.read_at == datetime(2026, 11, 3, 9, 10, tzinfo=UTC)
    assert (of_bing.status, of_bing.urls, of_bing.errors) == ("Success", {"url": 1023}, None)
    assert of_bing.sentence() == "Bing read it last on 2026-11-03, with the status Success"


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"path": URL, "isPending": True}, "Google has never read it; it is pending"),
        ({"path": URL, "lastDownloaded": "soon", "errors": -1}, "Google has never read it"),
        ({**OF_GOOGLE, "errors": 0, "warnings": 0}, "Google read it last on 2026-11-03, with 0 errors and 0 warnings"),
    ],
)
def test_google_in_words(
    facts: dict[str, object], sentence: str, google: Any, listed: Callable[..., ReportedSitemaps]
) -> None:
    google.sitemaps = [facts]
    [found] = listed(only="google").sitemaps
    assert found.sentence() == sentence


@pytest.mark.parametrize("date", ["/Date(-11644473600000)/", "", None, "/Date(99999999999999999)/", 5])
def test_bing_never_read_it(date: object, google: Any, listed: Callable[..., ReportedSitemaps]) -> None:
    google.feeds = 200, {}, {"d": [{**OF_BING, "LastCrawled": date}]}
    [found] = listed(only="bing").sitemaps
    assert found.read_at is None


def test_nothing_was_submitted(listed: Callable[..., ReportedSitemaps]) -> None:
    result = listed()
    assert result.sitemaps == ()
    assert result.asked == {"google": "sc-domain:example.com", "bing": "https://example.com/"}


def test_the_site_of_bing_is_that_of_the_property(google: Any, listed: Callable[..., ReportedSitemaps]) -> None:
    assert listed(bing_site=None).asked["bing"] == "https://example.com/"


def test_an_old_token_is_renewed(google: Any, listed: Callable[..., ReportedSitemaps]) -> None:
    google.valid, google.sitemaps = "secret-token-2", [OF_GOOGLE]
    assert len(listed(only="google").sitemaps) == 1


@pytest.mark.parametrize(
    ("only", "answer", "error", "message"),
    [
        ("google", (500, {}, {}), InputError, "500"),
        ("google", (200, {}, b"<html>"), InputError, "not a list of sitemaps"),
        ("google", (429, {}, {"error": {"message": "Quota exceeded"}}), InputError, "Quota exceeded"),
        ("bing", (400, {}, {"ErrorCode": 7, "Message": f"no {BING_KEY}"}), UsageError, r"no \*\*\*; check the API key"),
        ("bing", (500, {}, {}), InputError, "HTTP 500"),
        ("bing", (200, {}, {"d": 5}), InputError, "not a list of sitemaps"),
    ],
)
def test_faults(
    only: str,
    answer: Any,
    error: type[Exception],
    message: str,
    google: Any,
    listed: Callable[..., ReportedSitemaps],
) -> None:
    google.sitemaps_answer = google.feeds = answer
    with pytest.raises(error, match=message) as raised:
        listed(only=only, retries=0)
    assert BING_KEY not in str(raised.value)


def test_no_access(google: Any, listed: Callable[..., ReportedSitemaps]) -> None:
    google.allowed = False
    with pytest.raises(UsageError, match=r"no access to sc-domain:example\.com; the properties of the account are"):
        listed(only="google")


def test_a_wrong_key(listed: Callable[..., ReportedSitemaps], tmp_path: Path) -> None:
    path = tmp_path / "other.key"
    path.touch(mode=0o600)
    path.write_text("fedcba9876543210")
    with pytest.raises(UsageError, match="InvalidApiKey") as raised:
        listed(only="bing", bing_key=path)
    assert "fedcba9876543210" not in str(raised.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"credentials": None, "bing_key": None}, "sitemaps needs --property"),
        ({"property": None}, "--credentials needs --property"),
        ({"credentials": None, "property": None, "bing_site": None}, "--bing-key needs --bing-site"),
        ({"credentials": None, "bing_api": "http://example.com"}, "must be an https URL"),
    ],
)
def test_misuse(fields: dict[str, Any], message: str, listed: Callable[..., ReportedSitemaps]) -> None:
    with pytest.raises(UsageError, match=message):
        listed(**fields)


@pytest.mark.parametrize("text", ["", "two words", "x" * 300, "ключ-ключ-ключ"])
def test_a_file_without_a_key(text: str, listed: Callable[..., ReportedSitemaps], tmp_path: Path) -> None:
    path = tmp_path / "other.key"
    path.touch(mode=0o600)
    path.write_text(text)
    with pytest.raises(UsageError, match="must contain only the API key"):
        listed(only="bing", bing_key=path)


def test_headers_for_the_site_are_not_sent(google: Any, listed: Callable[..., ReportedSitemaps]) -> None:
    assert listed(auth="me:secret").notes
    assert not listed().notes


def test_the_command(google: Any, credentials: Path, capsys: pytest.CaptureFixture[str]) -> None:
    google.sitemaps = [OF_GOOGLE, {"path": "https://example.com/new.xml", "isPending": True}]
    arguments = ["coverage", "sitemaps", "--property", "sc-domain:example.com", "--credentials", str(credentials)]
    arguments += ["--api", google.url]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "Google, sc-domain:example.com: 2 submitted sitemaps" in text
    assert (
        "google  https://example.com/sitemap.xml  2026-11-03 09:30  2026-10-20  read          2         1  1207" in text
    )
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["sitemaps"][0]["errors"] == 2
    assert main([*arguments, "--sample", "5"]) == 2
    assert "no such option '--sample'" in capsys.readouterr().err


XML = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://x.example/</loc></url></urlset>'


@contextmanager
def sitemap(last_modified: str | None) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_found = self.path == "/sitemap.xml"
            self.send_response(200 if is_found else 404)
            self.send_header("Content-Type", "application/xml")
            if last_modified is not None:
                self.send_header("Last-Modified", last_modified)
            self.send_header("Content-Length", str(len(XML) if is_found else 0))
            self.end_headers()
            if is_found and self.command == "GET":
                self.wfile.write(XML)

        do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    with served(Handler) as origin:
        yield f"{origin}/sitemap.xml"


@pytest.mark.parametrize(
    ("last_modified", "has_changed", "end"),
    [
        (
            "Wed, 18 Nov 2026 10:00:00 GMT",
            True,
            "; since then it has changed, according to its Last-Modified of 2026-11-18",
        ),
        (
            "Sun, 01 Nov 2026 10:00:00 GMT",
            False,
            "; it has not changed since then, according to its Last-Modified of 2026-11-01",
        ),
        ("yesterday", None, ""),
        (None, None, ""),
    ],
)
def test_check_joins_what_engines_say(
    last_modified: str | None, has_changed: bool | None, end: str, google: Any, credentials: Path, bing_key: Path
) -> None:
    with sitemap(last_modified) as url:
        google.sitemaps = [{**OF_GOOGLE, "path": url}]
        check = api.check_clients(
            url,
            rate=10_000,
            retries=0,
            property="sc-domain:example.com",
            credentials=credentials,
            api=google.url,
            bing_key=bing_key,
            bing_api=google.url,
        )
    of_google, of_bing = check.readings
    assert of_google.has_changed is has_changed
    assert of_google.sentence == f"Google read it last on 2026-11-03, with 2 errors and 1 warning{end}"
    assert of_bing.sentence == "Bing does not list it among the submitted sitemaps"


def stored(path: Path, url: str, copies: Mapping[str, str]) -> Path:
    """A store with a run for each copy of a sitemap, by the day on which it was fetched, and one without any."""
    with Store.create(path) as store:
        Run.begin(store, (url,), {}).finish({})
        for day, sha256 in copies.items():
            moment = datetime.fromisoformat(day).replace(tzinfo=UTC)
            run = Run.begin(store, (url,), {})
            row = {"document_id": 0, "url": url, "kind": "urlset", "http_status": 200, "sha256": sha256}
            run.add_rows("documents", [{**row, "fetched_at": moment}])
            run.commit()
            run.finish({})
    return path


OF_NOW = hashlib.sha256(XML).hexdigest()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("copies", "has_changed", "end"),
    [
        ({"2026-11-01": OF_NOW}, False, "; its bytes are those of 2026-11-01"),
        ({"2026-11-01": "a", "2026-11-05": "b"}, True, "; since then its bytes changed, between 2026-11-05 and "),
        ({"2026-11-01": "a", "2026-11-05": OF_NOW}, None, "; its bytes changed between 2026-11-01 and 2026-11-05"),
        ({"2026-11-05": OF_NOW}, None, ""),
        ({}, None, ""),
    ],
)
def test_bytes_that_changed_since_a_reading(
    copies: dict[str, str],
    has_changed: bool | None,
    end: str,
    google: Any,
    credentials: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with sitemap(None) as url:
        store = stored(tmp_path / "a.duckdb", url, copies)
        google.sitemaps = [{**OF_GOOGLE, "path": url}]
        account = {"property": "sc-domain:example.com", "credentials": credentials, "api": google.url, "store": store}
        [reading] = api.check_clients(url, rate=10_000, retries=0, **account).readings
    assert reading.has_changed is has_changed
    beginning = "Google read it last on 2026-11-03, with 2 errors and 1 warning"
    assert reading.sentence.startswith(f"{beginning}{end}")
    assert end or reading.sentence == beginning
    # Without the response of now, only the runs count.
    [listed] = api.list_submitted_sitemaps(**account).sitemaps
    last_two_differ = list(copies.values())[-2:] in (["a", "b"], ["a", OF_NOW])
    assert listed.has_changed is None
    assert (listed.bytes_seen == "changed between 2026-11-01 and 2026-11-05") is last_two_differ
    arguments = [f"--{name}={value}" for name, value in account.items()]
    assert main(["coverage", "sitemaps", *arguments]) == 0
    assert ("its bytes" in capsys.readouterr().out) is last_two_differ


def test_a_store_needs_credentials(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = stored(tmp_path / "a.duckdb", URL, {})
    assert main(["check", URL, "--clients", "--store", str(store)]) == 2
    assert "requires the credentials of a search engine" in capsys.readouterr().err


def test_a_store_that_is_missing(listed: Callable[..., ReportedSitemaps], google: Any, tmp_path: Path) -> None:
    google.sitemaps = [OF_GOOGLE]
    assert listed(only="google").notes == (
        "urlset.duckdb does not exist, so these readings are not stored, and changes since then are unknown",
    )
    with pytest.raises(InputError, match=r"b\.duckdb"):
        listed(only="google", store=tmp_path / "b.duckdb")


def test_check_of_a_sitemap_that_was_not_submitted(
    google: Any, credentials: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sitemap(None) as url:
        arguments = ["check", url, "--clients", "--rate", "10000", "--property", "sc-domain:example.com"]
        assert main([*arguments, "--credentials", str(credentials), "--api", google.url]) == 0
        assert "Google does not list it among the submitted sitemaps." in capsys.readouterr().out
        assert main(["check", url, "--credentials", str(credentials)]) == 2
    assert "require --clients" in capsys.readouterr().err
