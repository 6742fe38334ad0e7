"""`notify` against a loopback site and endpoints: what is sent, recorded, refused, and repeated."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from urlset import audit
from urlset.cli.main import main
from urlset.errors import ExitCode, InputError, OutputError, UsageError
from urlset.indexnow import keys, render, sender
from urlset.model.notification import NoticeKind, NotifyOutcome, NotifyResult, NotSent, UrlChange
from urlset.pipeline import notify as pipeline
from urlset.report.json_schema import schema

Notify = Callable[..., NotifyResult]
KEY = "0f3c8a1e5b7d4962"


def paths(engine: Any) -> list[str]:
    return sorted(url.removeprefix(engine.url) for url in engine.accepted)


# What is sent.


def test_new_changed_and_gone_urls_are_sent_once(notify: Notify, site: tuple[str, str], engine: Any) -> None:
    result = notify(*site)
    assert paths(engine) == ["/0", "/20", "/5"]
    assert result.found == {NoticeKind.NEW: 1, NoticeKind.CHANGED: 1, NoticeKind.REMOVED: 1}
    assert result.not_sent == {NotSent.STILL_THERE: 1}
    assert (result.outcome, result.exit_code, result.accepted) == (NotifyOutcome.SENT, ExitCode.CLEAN, 3)
    [(path, body, _)] = engine.bodies
    assert (path, body["host"], body["key"]) == ("/indexnow", engine.url.removeprefix("http://"), KEY)
    assert "keyLocation" not in body
    assert engine.headers[0]["Content-Type"] == "application/json; charset=utf-8"
    again = notify(*site)
    assert (again.urls, again.already, again.outcome) == (0, 3, NotifyOutcome.SENT)
    assert len(engine.bodies) == 1


@pytest.mark.long("slow cases")
def test_a_url_that_comes_back_is_sent_again(notify: Notify, side: Any, engine: Any) -> None:
    many = {f"{engine.url}/{number}": "" for number in range(10)}
    with_it = side("with.xml", {**many, f"{engine.url}/it": "2026-01-01"})
    without = side("without.xml", many)
    for before, after in ((without, with_it), (with_it, without), (without, with_it)):
        assert notify(before, after).accepted == 1
    assert notify(without, with_it).already == 1
    assert paths(engine) == ["/it", "/it", "/it"]


def test_an_unlisted_url_is_sent_if_it_is_gone(notify: Notify, side: Any, engine: Any) -> None:
    many = {f"{engine.url}/{number}": "" for number in range(40)}
    gone = {"/404": 404, "/410": 410, "/301": 301}
    there = {"/200": 200, "/403": 403, "/429": 429, "/500": 500}
    responses: dict[str, Any] = {path: (status, b"", {}) for path, status in {**gone, **there}.items()}
    responses["/301"] = 301, b"", {"Location": "/other"}
    engine.files |= {**responses, "/other": (200, b"", {})}
    unlisted = {f"{engine.url}{path}": "" for path in responses}
    result = notify(side("old.xml", many | unlisted), side("new.xml", many), retries=0)
    assert paths(engine) == sorted(gone)
    assert sum(result.not_sent.values()) == len(there)


def test_only_a_later_lastmod_is_a_change(notify: Notify, side: Any, engine: Any) -> None:
    dates = {
        "/later": ("2026-01-01", "2026-01-02"),
        "/earlier": ("2026-01-02", "2026-01-01"),
        "/new": ("", "2026-01-01"),
        "/removed": ("2026-01-01", ""),
        "/another-form": ("2026-01-01", "2026-01-01T00:00:00Z"),
        "/same": ("2026-01-01", "2026-01-01"),
    }
    many = {f"{engine.url}/{number}": "" for number in range(10)}
    old, new = ({f"{engine.url}{path}": pair[is_new] for path, pair in dates.items()} for is_new in (0, 1))
    result = notify(side("old.xml", many | old), side("new.xml", many | new))
    assert paths(engine) == ["/later"]
    assert result.not_sent == {NotSent.NO_LATER_LASTMOD: 4}


def test_urls_from_standard_input(notify: Notify, engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        f"{engine.url}/a",
        f"{engine.url}/b\tv1",
        "",
        "/relative",
        "ftp://example.com/",
        f"{engine.url}/a",
        "x" * 9000,
    ]

    def given(*text: str) -> NotifyResult:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\r\n".join(text).encode())))
        return notify("-")

    result = given(*lines)
    assert paths(engine) == ["/a", "/b"]
    assert result.not_sent == {NotSent.NOT_A_URL: 3}
    assert given(f"{engine.url}/b\tv1", f"{engine.url}/b\tv2").accepted == 1
    assert given(f"{engine.url}/b\tv1").already == 1


SENT_AS = [
    ("/café", "/caf%C3%A9", {UrlChange.ESCAPED: 1}),
    ("/a%zz", "/a%25zz", {UrlChange.ESCAPED: 1}),
    ("/x|y", "/x%7Cy", {UrlChange.ESCAPED: 1}),
    ("/c#frag", "/c", {UrlChange.FRAGMENT_REMOVED: 1}),
    ("/%7Ea/%c3%a9?q='a'&b=(c);d", "/%7Ea/%c3%a9?q='a'&b=(c);d", {}),
    ('/a[1]"<>\\\\^`{}%', "/a%5B1%5D%22%3C%3E%5C%5C%5E%60%7B%7D%25", {UrlChange.ESCAPED: 1}),
    ("?q=ö%#ä", "/?q=%C3%B6%25", {UrlChange.ESCAPED: 1, UrlChange.FRAGMENT_REMOVED: 1}),
    ("#", "/", {UrlChange.FRAGMENT_REMOVED: 1}),
    ("", "", {}),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("path", "sent", "altered"), SENT_AS)
def test_urls_are_sent_as_rfc_3986_has_them(
    path: str,
    sent: str,
    altered: dict[UrlChange, int],
    notify: Notify,
    engine: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{engine.url}{path}\n".encode())))
    result = notify("-")
    assert (paths(engine), result.altered) == ([sent], altered)
    text = "\n".join(render.notify(result))
    assert ("percent-encoded" in text) == (UrlChange.ESCAPED in altered)
    assert ("without the fragment" in text) == (UrlChange.FRAGMENT_REMOVED in altered)


def test_credentials_in_urls_are_not_sent(notify: Notify, engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    url = engine.url.replace("://", "://me:secret@")
    lines = f"{url}/a\n{url}/é\n{engine.url}/\udcff\n".encode(errors="surrogateescape")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    result = notify("-")
    assert paths(engine) == ["/%C3%A9", "/a"]
    assert result.altered == {UrlChange.CREDENTIALS_REMOVED: 2, UrlChange.ESCAPED: 1}
    assert result.not_sent == {NotSent.NOT_A_URL: 1}


def test_batches_have_one_host_and_their_key(
    notify: Notify, engine: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pipeline, "MAX_URLS", 4)
    other = tmp_path / "another-key.txt"
    other.write_text("another-key\n")
    local = engine.url.replace("127.0.0.1", "localhost")
    engine.files["/keys/another-key.txt"] = (200, b"another-key\n", {})
    urls = [f"{engine.url}/{n}" for n in range(9)] + [f"{local}/keys/{n}" for n in range(5)]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(urls).encode())))
    host = local.removeprefix("http://")
    files = [str(tmp_path / f"{KEY}.txt"), f"{host}={other}"]
    result = notify("-", key_file=files, key_location=[f"{local}/keys/another-key.txt"])
    sizes = [(body["host"], body["key"], len(body["urlList"])) for _, body, _ in engine.bodies]
    own = engine.url.removeprefix("http://")
    assert sizes == [(own, KEY, 4), (own, KEY, 4), (own, KEY, 1), (host, "another-key", 4), (host, "another-key", 1)]
    assert {body.get("keyLocation") for _, body, _ in engine.bodies} == {None, f"{local}/keys/another-key.txt"}
    assert sorted(engine.accepted) == sorted(urls)
    assert [each.accepted for each in result.hosts] == [9, 5]


# Limits.


def test_more_than_a_fifth_requires_all(notify: Notify, side: Any, engine: Any) -> None:
    old = {f"{engine.url}/{number}": "" for number in range(50)}
    sides = side("old.xml", old), side("new.xml", {**old, **{f"{engine.url}/new{n}": "" for n in range(13)}})
    with pytest.raises(UsageError, match="13 URLs to send, more than a fifth of the 63 URLs of the site; pass --all"):
        notify(*sides)
    gone = side("few.xml", dict(list(old.items())[:39]))
    with pytest.raises(UsageError, match="11 URLs are no longer listed, more than a fifth"):
        notify(sides[0], gone)
    assert engine.bodies == []
    assert notify(*sides, send_all=True).accepted == 13


def test_a_small_site_does_not_require_all(notify: Notify, side: Any, engine: Any) -> None:
    old = {f"{engine.url}/{number}": "" for number in range(8)}
    new = {**old, **{f"{engine.url}/new{number}": "" for number in range(41)}}
    assert notify(side("old.xml", old), side("new.xml", new)).accepted == 41


def test_more_than_10_000_urls_require_all(notify: Notify, engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(f"{engine.url}/{number}" for number in range(10_001)).encode()
    for send_all in (False, True):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        if send_all:
            notify("-", send_all=True)
        else:
            with pytest.raises(UsageError, match="10,001 URLs to send, more than 10,000; pass --all"):
                notify("-")
    assert [len(body["urlList"]) for _, body, _ in engine.bodies] == [10_000, 1]


def test_a_dry_run_sends_nothing_and_needs_no_key(
    notify: Notify, site: tuple[str, str], engine: Any, tmp_path: Path
) -> None:
    result = notify(*site, dry_run=True, key_file=[])
    assert (result.outcome, result.urls, result.accepted) == (NotifyOutcome.DRY_RUN, 3, 0)
    assert engine.bodies == []
    assert not (tmp_path / "ledger.duckdb").exists()


# Keys.


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("response", "problem"),
    [
        ((404, b"", {}), "returned HTTP 404 Not Found"),
        ((200, b"another-key", {}), "its bytes differ from those of"),
        ((200, KEY.encode() + b"\n", {}), "its bytes differ from those of"),
        ((200, b"\xef\xbb\xbf" + KEY.encode(), {}), "its bytes differ from those of"),
        ((200, b"<html>" * 1000, {}), "exceeds"),
        ((200, b"\n<html>", {}), "it is a page"),
        ((204, b"", {}), "its bytes differ"),
        ((301, b"", {"Location": "/elsewhere"}), "redirects to"),
    ],
)
def test_nothing_is_sent_before_the_key_is_live(notify_urls: Notify, engine: Any, response: Any, problem: str) -> None:
    engine.files[f"/{KEY}.txt"] = response
    engine.files["/elsewhere"] = (200, KEY.encode(), {})
    with pytest.raises(UsageError, match=f"is not online: .*{problem}"):
        notify_urls()
    assert engine.bodies == []


def test_it_waits_for_the_key(notify_urls: Notify, engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    live = engine.files.pop(f"/{KEY}.txt")
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            engine.files[f"/{KEY}.txt"] = live

    real = keys.wait_until_live
    monkeypatch.setattr(pipeline, "wait_until_live", lambda key, fetcher, seconds: real(key, fetcher, seconds, pause))
    assert notify_urls(wait_live=600).accepted == 3
    assert pauses == [1, 2, 4]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"short", "must contain only the key"),
        (b"with_underscore", "must contain only the key"),
        (b"x" * 129, "must contain only the key"),
        (b"12345678 ", "must contain only the key"),
        (b"x" * 5000, "larger than"),
        (None, "no such file"),
    ],
)
def test_a_key_file_that_is_none(notify_urls: Notify, tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "wrong.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        notify_urls(key_file=[str(path)])


def test_a_key_in_a_directory_covers_only_that(notify_urls: Notify, engine: Any, key_file: Path) -> None:
    with pytest.raises(UsageError, match="covers only URLs below /keys/, not"):
        notify_urls(key_location=[f"{engine.url}/keys/{KEY}.txt"])
    with pytest.raises(UsageError, match="no URL to send is on this host"):
        notify_urls(key_location=["https://example.com/k.txt"])
    with pytest.raises(UsageError, match=r"no IndexNow key for 127\.0\.0\.1"):
        notify_urls(key_file=[f"example.com={key_file}"])
    with pytest.raises(UsageError, match="no IndexNow key; write one"):
        notify_urls(key_file=[])


def test_a_private_host_that_only_a_file_names_is_not_contacted(
    notify: Notify, site: tuple[str, str], engine: Any
) -> None:
    began = time.monotonic()
    with pytest.raises(UsageError, match=r"private.*; pass --allow-private to allow it$"):
        notify(*site, allow_private=False, wait_live=600)
    assert time.monotonic() - began < 60, "waiting does not help"
    assert engine.bodies == []


def test_a_removed_url_without_a_response_is_counted(notify: Notify, side: Any, engine: Any) -> None:
    kept = {f"{engine.url}/{number}": "2026-01-01" for number in range(9)}
    old, new = side("old.xml", kept | {"http://127.0.0.1:1/closed": ""}), side("new.xml", kept)
    assert notify(old, new).not_sent == {NotSent.NO_RESPONSE: 1}
    old = side("old.xml", kept | {f"{engine.url}/gone": ""})
    assert notify(old, new, allow_private=False).not_sent == {NotSent.NO_RESPONSE: 1}


def test_credentials_for_the_site_do_not_go_to_the_endpoint(notify_urls: Notify, engine: Any) -> None:
    notify_urls(auth="me:secret", header=["X-Secret: 1"])
    assert not {"Authorization", "X-Secret"} & set(engine.headers[0])


# Responses of endpoints.


@pytest.mark.sampled(2)
@pytest.mark.parametrize("status", [200, 202, 203, 204])
def test_any_2xx_is_accepted(notify_urls: Notify, engine: Any, status: int) -> None:
    engine.usual = status
    assert notify_urls().outcome is NotifyOutcome.SENT
    assert notify_urls().already == 3


LOGIN = "\ufeff\n <!-- x --><!DOCTYPE html><title>Log in</title>"

NOT_CONFIRMED = [
    (LOGIN, {}, NotifyOutcome.UNREACHABLE, "returned HTTP 200 with a page"),
    ("Please <a>log in</a>", {"Content-Type": "text/html"}, NotifyOutcome.UNREACHABLE, "with a page"),
    ("<?xml version='1.0'?><Error/>", {}, NotifyOutcome.UNREACHABLE, "with a page"),
    ('{"code": "InvalidRequestParameters", "message": "bad"}', {}, NotifyOutcome.REFUSED, "InvalidRequestParameters"),
    ('{"success": false}', {}, NotifyOutcome.REFUSED, "with an error"),
    ('{"Error_Code": 3, "Message": "key"}', {}, NotifyOutcome.REFUSED, "with an error"),
    ('{"status": 403}', {}, NotifyOutcome.REFUSED, "with an error"),
    ('[{"errors": ["no"]}]', {}, NotifyOutcome.REFUSED, "with an error"),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("message", "headers", "outcome", "reason"), NOT_CONFIRMED)
def test_a_page_or_an_error_with_200_is_not_accepted(
    message: str,
    headers: dict[str, str],
    outcome: NotifyOutcome,
    reason: str,
    notify_urls: Notify,
    engine: Any,
) -> None:
    engine.message, engine.usual = message.encode(), (200, headers)
    result = notify_urls()
    assert (result.outcome, result.accepted) == (outcome, 0)
    assert reason in (result.reason or "")
    assert notify_urls(dry_run=True).already == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("message", ["", "OK", '{"success": true}', '{"code": 200, "message": "OK"}', '"', "[]", "{"])
def test_other_responses_with_200_are_accepted(message: str, notify_urls: Notify, engine: Any) -> None:
    engine.message, engine.usual = message.encode(), (200, {"Content-Type": "text/html"})
    assert notify_urls().accepted == 3


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("status", "named"),
    [(400, "cannot read the request"), (403, f"does not accept the key at .*{KEY}.txt"), (422, "/5 is not on 127")],
)
def test_a_refusal_stops_at_once(
    notify_urls: Notify, engine: Any, status: int, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "MAX_URLS", 2)
    engine.plan["/indexnow"] = [200, status]
    engine.message = f'{{"message": "bad \x1b[31m {engine.url}/5"}}'.encode()
    result = notify_urls(endpoint=[f"{engine.url}/indexnow", f"{engine.url}/second"])
    assert (result.outcome, result.exit_code, result.accepted) == (NotifyOutcome.REFUSED, ExitCode.FINDINGS, 2)
    assert [path for path, _, _ in engine.bodies] == ["/indexnow", "/indexnow"]
    assert result.reason is not None
    assert re.search(named, result.reason)
    assert "\x1b" not in result.reason
    # The rest is sent by the next run, and only the rest.
    assert notify_urls().accepted == 1
    assert Counter(engine.accepted).most_common(1)[0][1] == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", [429, 500, 503, 404, 302, "reset", "slow"])
def test_the_next_endpoint_is_used(notify_urls: Notify, engine: Any, first: Any) -> None:
    engine.plan["/first"] = [first]
    endpoints = [f"{engine.url}/first", f"{engine.url}/second"]
    result = notify_urls(endpoint=endpoints, read_timeout=1)
    assert [path for path, _, _ in engine.bodies] == ["/first", "/second"]
    assert (result.outcome, result.endpoints[1].accepted) == (NotifyOutcome.SENT, 3)
    assert result.endpoints[0].problem
    # Either endpoint shares what it accepts, so that the first does not get it now.
    assert notify_urls(endpoint=endpoints).already == 3


def test_an_endpoint_that_nothing_was_sent_to_gets_it(notify_urls: Notify, engine: Any) -> None:
    notify_urls()
    assert notify_urls(endpoint=[f"{engine.url}/own"]).accepted == 3


def test_it_waits_while_all_limit_the_rate(
    notify_urls: Notify, engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    real = sender.Sender
    monkeypatch.setattr(
        pipeline, "Sender", lambda fetcher, endpoints, wait: real(fetcher, endpoints, wait, pauses.append)
    )
    engine.plan["/indexnow"] = [429, (429, {"Retry-After": "1"}), 429]
    assert notify_urls(max_wait=100).accepted == 3
    assert pauses == [5, 10, 20]
    pauses.clear()
    engine.usual = 429
    result = notify_urls(max_wait=40, ledger=tmp_path / "another.duckdb")
    assert pauses == [5, 10, 20]
    assert (result.outcome, result.exit_code) == (NotifyOutcome.REFUSED, ExitCode.FINDINGS)
    assert "429" in (result.reason or "")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("usual", [500, "reset", 302])
def test_no_endpoint_can_be_used(notify_urls: Notify, engine: Any, usual: Any) -> None:
    engine.usual = usual
    result = notify_urls()
    assert (result.outcome, result.exit_code, result.accepted) == (NotifyOutcome.UNREACHABLE, ExitCode.UNREADABLE, 0)
    engine.usual = 200
    assert notify_urls().accepted == 3


def test_nothing_listens(notify_urls: Notify) -> None:
    assert notify_urls(endpoint=["http://127.0.0.1:9/indexnow"]).exit_code == ExitCode.UNREADABLE


# Sides and the store.


def test_a_side_that_cannot_be_read_completely(notify: Notify, site: tuple[str, str], engine: Any, side: Any) -> None:
    engine.files["/sitemap.xml"] = (
        200,
        f"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{engine.url}/a.xml</loc>"
        f"</sitemap><sitemap><loc>{engine.url}/b.xml</loc></sitemap></sitemapindex>".encode(),
        {},
    )
    engine.files["/a.xml"] = (200, Path(site[0]).read_bytes(), {})
    with pytest.raises(InputError, match=r"b\.xml could not be read completely, so that its URLs would count as new"):
        notify(f"{engine.url}/sitemap.xml", site[1])
    assert engine.bodies == []


@pytest.mark.long("slow cases")
def test_an_earlier_side_that_ends_too_early(notify: Notify, engine: Any, side: Any) -> None:
    urls = {f"{engine.url}/{number}": "2026-01-01" for number in range(8)}
    whole = Path(side("whole.xml", urls))
    cut, shorter = whole.with_name("cut.xml"), whole.with_name("shorter.xml")
    cut.write_text(whole.read_text().removesuffix("</urlset>"))
    shorter.write_text(whole.read_text()[:200])
    # With the same gap on both sides, no URL looks new.
    sides = [str(whole.with_name("runs.duckdb"))] * 2
    for path in (cut, cut, shorter, whole):
        audit(str(path), pages=False, score=False, store=sides[0])
    assert notify(f"{sides[0]}@1", f"{sides[0]}@2").exit_code == ExitCode.CLEAN
    for before, after in ((str(shorter), str(whole)), (f"{sides[0]}@3", f"{sides[0]}@4")):
        with pytest.raises(InputError, match=r"shorter\.xml could not be read completely, so that its URLs"):
            notify(before, after)
    assert engine.bodies == []


def test_a_file_that_is_not_a_store_is_no_ledger(notify: Notify, site: tuple[str, str], engine: Any) -> None:
    with pytest.raises(OutputError, match="is not a DuckDB file"):
        notify(*site, ledger=site[0])
    assert engine.bodies == []


# The command line.


def test_the_command(
    site: tuple[str, str], engine: Any, tmp_path: Path, key_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["notify", *site, "--key-file", str(key_file), "--endpoint", f"{engine.url}/indexnow", "--no-config"]
    command += [
        "--store",
        str(tmp_path / "ledger.duckdb"),
        "--allow-private",
        "--wait-live",
        "0",
        "--set",
        "notify.max-wait=0",
    ]
    assert main([*command, "--dry-run"]) == ExitCode.CLEAN
    text = capsys.readouterr().out
    assert "Dry run: would send 3 URLs." in text
    assert "Google does not take part" in text
    engine.usual = 500
    assert main(command) == ExitCode.UNREADABLE
    text = capsys.readouterr().out
    assert "Sent 0 URLs; 3 URLs are left. Once the cause of the error is resolved, repeat the command to send" in text
    engine.usual = 403
    assert main(command) == ExitCode.FINDINGS
    assert "does not accept the key" in capsys.readouterr().out
    engine.usual = 200
    for accepted in (3, 0):
        assert main([*command, "--format", "json"]) == ExitCode.CLEAN
        result = json.loads(capsys.readouterr().out)
        Draft202012Validator(schema("notify")).validate(result)
        assert result["accepted"] == accepted


@pytest.mark.long("slow cases")
def test_two_runs_of_a_store(
    engine: Any, tmp_path: Path, key_file: Path, side: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where pages were fetched, the content decides, too."""
    store, urls = str(tmp_path / "runs.duckdb"), [f"{engine.url}/{number}" for number in range(10)]
    text = " ".join(f"word{number}" for number in range(80))

    def put(dates: dict[int, str], texts: dict[int, str]) -> None:
        engine.files["/robots.txt"] = (200, b"", {})
        for number in range(10):
            page = f"<title>{number}</title><p>{text} {texts.get(number, '')}".encode()
            engine.files[f"/{number}"] = (200, page, {"Content-Type": "text/html"})
        listed = {url: dates.get(number, "2026-01-01") for number, url in enumerate(urls)}
        engine.files["/sitemap.xml"] = (200, Path(side("s.xml", listed)).read_bytes(), {})
        options = ["--no-config", "--no-score", "--select", "LOC001", "--retries", "0", "--format", "none"]
        assert main(["audit", f"{engine.url}/sitemap.xml", "--store", store, *options]) == ExitCode.CLEAN

    command = ["notify", "--key-file", str(key_file), "--endpoint", f"{engine.url}/indexnow", "--no-config"]
    command += ["--wait-live", "0", "--format", "json", "--allow-private"]
    put({}, {})
    assert main([*command, "--from", store]) == ExitCode.UNREADABLE
    assert "has 1 finished run; a comparison needs two" in capsys.readouterr().err
    put({1: "2026-01-02", 2: "2026-01-02"}, {1: "another", 3: "another"})
    capsys.readouterr()
    for given, accepted in ((f"{store}@1..2", 1), (store, 0)):
        assert main([*command, "--from", given]) == ExitCode.CLEAN
        result = json.loads(capsys.readouterr().out)
        assert (result["accepted"], result["ledger"]) == (accepted, store)
        assert result["not_sent"] == {"same-content": 1, "lastmod-unchanged": 1}
    assert engine.accepted == [urls[1]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name what to send"),
        (["a", "b", "--from", "x@1..2"], "name what to send"),
        (["one"], "name two sides"),
        (["key"], "--write"),
        (["a", "b", "--write", "."], "--write is for"),
        (["--from", "x.xml"], "must be written as STORE@7..8"),
        (["--from", "https://example.com"], "must be written as STORE@7..8"),
        (["a", "b", "--endpoint", "here"], "must be an absolute"),
    ],
)
def test_usage_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notify", *arguments]) == ExitCode.USAGE
    assert message in capsys.readouterr().err


def test_a_key_is_made_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notify", "key", "--write", str(tmp_path)]) == ExitCode.CLEAN
    [path] = tmp_path.glob("*.txt")
    assert path.read_text() == path.stem
    assert str(path) in capsys.readouterr().out
    assert main(["notify", "key", "--write", str(tmp_path)]) == ExitCode.USAGE
    assert f"--key-file {path}" in capsys.readouterr().err
    assert main(["notify", "key", "--write", str(tmp_path / "missing")]) == ExitCode.USAGE


# Kills.

BATCH = 10

SCRIPT = """
import sys
from urlset.pipeline import notify
from urlset.cli.main import main
notify.MAX_URLS = int(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""


def test_killed_runs_lose_nothing(
    side: Any, engine: Any, key_file: Path, tmp_path: Path, amount: Callable[[str], int]
) -> None:
    """Each run is killed at its second batch: before the response to it, or shortly after, in turn."""
    kills = amount("kills of `notify`")
    urls = {f"{engine.url}/{number:04}": "2026-01-01" for number in range(BATCH * 2 * (kills + 1))}
    arguments = [side("old.xml", {f"{engine.url}/": ""}), side("new.xml", {f"{engine.url}/": "", **urls})]
    arguments += ["--key-file", str(key_file), "--endpoint", f"{engine.url}/indexnow", "--all", "--allow-private"]
    arguments += [
        "--store",
        str(tmp_path / "ledger.duckdb"),
        "--no-config",
        "--wait-live",
        "0",
        "--set",
        "notify.max-wait=0",
    ]
    command = [sys.executable, "-c", SCRIPT, str(BATCH), "notify", *arguments]
    chance = random.Random(20)
    for kill in range(kills + 1):
        before = len(engine.bodies)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            engine.kill_at = None if kill == kills else before + 2
            engine.kill, engine.is_killed_late = process.kill, bool(kill % 2)
            engine.delay = chance.random() / 100
            _, error = process.communicate()
        assert process.returncode == (0 if kill == kills else -9), error.decode()
    counts = Counter(engine.accepted)
    assert counts.keys() == urls.keys()
    assert max(counts.values()) <= 2
    assert counts.total() - len(counts) <= kills * BATCH
