"""`coverage inspect` with a loopback server that speaks the API: quotas over days, faults, and secrets."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from urlset import _core
from urlset.errors import InputError, UsageError
from urlset.model.coverage import InspectOutcome, InspectResult, ReasonCount
from urlset.report.formats import render

Inspect = Callable[..., InspectResult]
Audited = Callable[[Mapping[str, Sequence[str]]], Path]

SITE = [f"https://example.com/{number}" for number in range(20)]


def rows(store: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(store), read_only=True) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.long("slow cases")
def test_every_listed_url_of_the_property_is_inspected(google: Any, inspect: Inspect, audited: Audited) -> None:
    store = audited({"a.xml": [*SITE, "https://www.example.com/a", "https://example.org/", "https://notexample.com/"]})
    google.states[SITE[3]] = {
        "verdict": "NEUTRAL",
        "coverageState": "Duplicate, Google chose different canonical than user",
        "lastCrawlTime": "2026-10-30T12:00:00Z",
        "googleCanonical": SITE[4],
        "userCanonical": SITE[3],
        "sitemap": ["https://example.com/old.xml"],
    }
    google.states[SITE[5]] = {"verdict": "NEUTRAL", "coverageState": "URL is unknown to Google"}
    result = inspect()
    assert result.outcome is InspectOutcome.COMPLETE
    assert (result.listed, result.outside, result.sample, result.inspected, result.asked) == (21, 2, 21, 21, 21)
    assert result.indexed is not None
    assert (result.indexed.part, result.indexed.whole, result.indexed.low) == (19, 21, 19 / 21)
    assert result.reasons == (
        ReasonCount("submitted-and-indexed", 19),
        ReasonCount("duplicate-other-canonical", 1),
        ReasonCount("unknown-to-engine", 1),
    )
    assert {body["siteUrl"] for body in google.asked} == {"sc-domain:example.com"}
    assert {body["languageCode"] for body in google.asked} == {"en-US"}
    [row] = rows(
        store,
        'SELECT * EXCLUDE (page_hash, canonical_hash, user_canonical_hash, "at", last_crawled), last_crawled::VARCHAR '
        f"FROM index_states WHERE url = '{SITE[3]}'",
    )
    assert row == (
        SITE[3], "google", "url-inspection", "not-indexed", "duplicate-other-canonical",
        "Duplicate, Google chose different canonical than user", SITE[4], SITE[3], ["https://example.com/old.xml"],
        "2026-10-30 12:00:00",
    )  # fmt: skip


@pytest.mark.parametrize("given", [{"header": ("X-Key: secret",)}, {"auth": "me:secret"}, {}])
def test_headers_for_the_site_are_not_sent_to_google_and_this_is_said(
    given: dict[str, Any], google: Any, inspect: Inspect, audited: Audited
) -> None:
    audited({"a.xml": SITE[:1]})
    result = inspect(**given)
    assert result.inspected == 1
    assert bool(result.notes) == bool(given)
    [text] = result.notes or ("they were not sent to Google",)
    assert "they were not sent to Google" in text
    assert ("\n".join(render("coverage inspect", "text", result)).count("not sent to Google") == 1) == bool(given)


def test_a_prefix_property_has_only_its_urls(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": ["https://example.com/shop/a", "https://example.com", "http://example.com/shop/b"]})
    assert inspect(property="https://example.com/shop/").sample == 1
    result = inspect(property="https://example.com/")
    assert (result.sample, result.outside) == (2, 1)


@pytest.mark.long("slow cases")
def test_a_sample_is_spread_evenly_over_the_documents(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({f"{name}.xml": [f"https://example.com/{name}/{number}" for number in range(20)] for name in "abcd"})
    result = inspect(sample=20)
    assert Counter(body["inspectionUrl"].split("/")[3] for body in google.asked) == dict.fromkeys("abcd", 5)
    assert result.indexed is not None
    assert (result.indexed.part, result.listed) == (20, 80)
    assert result.indexed.low < 1.0 == result.indexed.high


@pytest.mark.long("slow cases")
def test_at_most_five_requests_at_once(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": SITE})
    google.gate = threading.Event()
    done: list[InspectResult] = []
    thread = threading.Thread(target=lambda: done.append(inspect()))
    thread.start()
    while google.at_once < 5:
        assert thread.is_alive()
    google.gate.set()
    thread.join()
    assert google.most_at_once == 5
    assert done[0].inspected == 20


@pytest.mark.long("slow cases")
def test_the_quota_is_kept_over_calls_and_resumed(google: Any, inspect: Inspect, audited: Audited) -> None:
    store = audited({"a.xml": SITE})
    first = inspect(per_day=8)
    assert (first.outcome, first.asked, first.used, first.inspected) == (InspectOutcome.QUOTA, 8, 8, 8)
    assert first.next_at is not None
    assert timedelta(hours=23) < first.next_at - datetime.now(UTC) <= timedelta(hours=24)
    again = inspect(per_day=8, resume=True)
    assert (again.outcome, again.asked, again.inspected) == (InspectOutcome.QUOTA, 0, 8)
    # A day later, only the others are asked for.
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE urlset_inspection_calls SET asked_at = asked_at - INTERVAL 25 HOURS")
    last = inspect(per_day=12, resume=True)
    assert (last.outcome, last.asked, last.inspected, last.used) == (InspectOutcome.COMPLETE, 12, 20, 12)
    assert sorted(body["inspectionUrl"] for body in google.asked) == sorted(SITE)


def test_a_page_is_not_inspected_twice_a_day(google: Any, inspect: Inspect, audited: Audited) -> None:
    store = audited({"a.xml": SITE[:4]})
    google.faults = lambda url: (400, {}, {"error": {"message": "Invalid"}}) if url == SITE[0] else None
    assert (inspect(per_day=3).asked, inspect(sample=4, per_day=4).asked) == (3, 1)
    again = inspect()
    assert (again.asked, again.outcome) == (0, InspectOutcome.COMPLETE)
    assert (again.inspected, sum(again.failed.values())) == (3, 1)
    assert again.notes == ("4 URLs inspected in the last 24 hours, and not requested again",)
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE urlset_inspections SET done_at = done_at - INTERVAL 25 HOURS")
    assert inspect().asked == 4


def test_the_least_known_pages_come_first(google: Any, inspect: Inspect, audited: Audited) -> None:
    store = audited({"a.xml": SITE[:6]})
    unknown, changed, seen, old, new, without_state = SITE[:6]
    with duckdb.connect(str(store)) as connection:
        for url, at, state in (
            *((changed, "2026-11-20", "indexed"), (old, "2026-09-01", "indexed"), (new, "2026-11-01", "indexed")),
            *((seen, "2026-08-01", "not-indexed"), (without_state, "2026-11-20", None)),
        ):
            connection.execute(
                "INSERT INTO index_states (url, page_hash, engine, state, \"at\") VALUES ($1, $2, 'google', $3, $4)",
                [url, _core.page_hash(url), state, at],
            )
        connection.execute(
            "INSERT INTO search_analytics (page_hash, day, impressions) VALUES ($1, '2026-10-01', 3)",
            [_core.page_hash(seen)],
        )
        for first, last, text in (("2026-11-01", "2026-11-10", 1), ("2026-11-24", "2026-11-25", 2)):
            connection.execute(
                "INSERT INTO page_states (page_hash, first_at, last_at, content_hash, text_version) "
                "VALUES ($1, $2, $3, $4, '1')",
                [_core.page_hash(changed), first, last, text],
            )
    for number in range(1, 7):
        result = inspect(per_day=number, resume=number > 1)
        assert (result.indexed is None) == (number < 6)
    asked = [body["inspectionUrl"] for body in google.asked]
    assert sorted(asked[:2]) == sorted([unknown, without_state])
    assert asked[2:] == [changed, old, seen, new]


def test_requests_that_a_wrong_clock_has_dated_ahead_do_not_use_the_quota(
    google: Any, inspect: Inspect, audited: Audited
) -> None:
    store = audited({"a.xml": SITE[:4]})
    assert inspect(per_day=2).asked == 2
    with duckdb.connect(str(store)) as connection:
        connection.execute("UPDATE urlset_inspection_calls SET asked_at = asked_at + INTERVAL 400 DAYS")
    assert inspect(per_day=2, resume=True).asked == 2


@pytest.mark.long("slow cases")
def test_the_urls_before_the_end_of_the_quota_are_spread_over_the_documents(
    google: Any, inspect: Inspect, audited: Audited
) -> None:
    audited({f"{name}.xml": [f"https://example.com/{name}/{number}" for number in range(50)] for name in "ab"})
    inspect(sample=99, per_day=50)
    counts = Counter(body["inspectionUrl"].split("/")[3] for body in google.asked)
    assert 15 <= counts["a"] <= 35


def test_a_response_of_429_stops_and_says_when_to_go_on(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": SITE})
    google.quota = 6
    result = inspect()
    assert result.outcome is InspectOutcome.QUOTA
    assert result.inspected == 6
    # Those that were on their way are refused, too; nothing is requested after them.
    assert 7 <= len(google.asked) <= 6 + 5
    assert "HTTP 429: Quota exceeded" in str(result.reason)
    assert result.next_at is not None
    assert (result.next_at.hour, result.next_at.minute) == (8, 0)
    assert datetime.now(UTC) < result.next_at
    google.quota = 100
    assert inspect(resume=True).outcome is InspectOutcome.COMPLETE


def test_a_retry_after_of_a_429_is_shown(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": SITE[:1]})
    google.quota, google.retry_after = 0, "90"
    result = inspect()
    assert result.next_at is not None
    assert timedelta(seconds=60) < result.next_at - datetime.now(UTC) <= timedelta(seconds=90)


def test_a_response_of_403_lists_the_properties_of_the_account(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": SITE})
    google.allowed = False
    google.sites = [("https://example.com/", "siteFullUser"), ("sc-domain:example.net", "siteOwner")]
    with pytest.raises(UsageError) as caught:
        inspect()
    listed = "https://example.com/ (siteFullUser), sc-domain:example.net (siteOwner)"
    said = (
        f"no access to sc-domain:example.com; the properties of the account are {listed}; Google returned HTTP 403: You"
    )
    assert said in str(caught.value)
    google.sites = []
    with pytest.raises(UsageError, match="the account has no properties; add it as a user"):
        inspect()


def test_a_token_that_ended_is_renewed_once(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": SITE[:2]})
    google.valid = "secret-token-2"
    assert inspect(per_day=1).inspected == 1
    assert google.tokens == 2
    google.valid = "another"
    with pytest.raises(UsageError, match="refuses the access token"):
        inspect(per_day=2)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((400, {}, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}), "Invalid JWT Signature"),
        ((200, {}, {"nothing": 1}), "no access token from"),
        ((200, {}, b"<html>"), "no access token from"),
        ((302, {"Location": "http://127.0.0.1:1/"}, {}), "no access token from"),
    ],
)
def test_credentials_that_are_refused(google: Any, inspect: Inspect, audited: Audited, answer: Any, said: str) -> None:
    audited({"a.xml": SITE[:1]})
    google.token_answer = answer
    with pytest.raises(UsageError, match=said):
        inspect()
    assert not google.asked


def test_a_url_that_is_refused_is_counted_and_not_repeated(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": SITE[:3]})
    google.faults = lambda url: (400, {}, {"error": {"message": "Invalid \x1b[31murl"}}) if url == SITE[1] else None
    result = inspect()
    assert result.outcome is InspectOutcome.COMPLETE
    assert result.failed == {"Google returned HTTP 400: Invalid \\u{1b}[31murl": 1}
    assert result.inspected == 2
    assert inspect(resume=True).asked == 0


def test_temporary_failures_are_repeated(google: Any, inspect: Inspect, audited: Audited) -> None:
    audited({"a.xml": SITE})
    seen: Counter[str] = Counter()

    def fault(url: str) -> Any:
        seen[url] += 1
        return (503, {}, {}) if url == SITE[2] and seen[url] == 1 else None

    google.faults = fault
    result = inspect()
    assert (result.outcome, result.inspected, result.asked, result.used) == (InspectOutcome.COMPLETE, 20, 21, 21)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "answer",
    [
        (500, {}, {}),
        (200, {}, b"not JSON"),
        (200, {}, b"[" * 100_000),
        (200, {}, {"inspectionResult": {"indexStatusResult": []}}),
        (302, {"Location": "https://example.org/"}, {}),
        (200, {}, b"x" * 2_000_000),
    ],
)
def test_an_api_that_keeps_failing_stops_the_run(google: Any, inspect: Inspect, audited: Audited, answer: Any) -> None:
    audited({"a.xml": SITE})
    google.faults = lambda url: answer
    result = inspect()
    assert result.outcome is InspectOutcome.STOPPED
    assert result.reason
    assert result.exit_code == 3
    assert result.inspected == 0
    assert 10 <= len(google.asked) <= 20


def test_odd_values_do_not_count_as_a_state(google: Any, inspect: Inspect, audited: Audited) -> None:
    store = audited({"a.xml": SITE[:2]})
    google.states[SITE[0]] = {
        "verdict": "VERDICT_UNSPECIFIED",
        "coverageState": 7,
        "lastCrawlTime": "x",
        "sitemap": "s",
    }
    google.states[SITE[1]] = {"verdict": "NEUTRAL", "coverageState": "A reason of next year"}
    result = inspect()
    assert result.indexed is not None
    assert (result.indexed.part, result.indexed.whole) == (0, 1)
    states = rows(store, "SELECT state, reason, reason_text, sitemaps FROM index_states ORDER BY url")
    assert states == [(None, None, None, []), ("not-indexed", None, "A reason of next year", [])]


def test_secrets_are_not_stored(google: Any, inspect: Inspect, audited: Audited, account_key: str) -> None:
    store = audited({"a.xml": SITE})
    inspect()
    content = store.read_bytes()
    assert b"secret-token" not in content
    assert json.loads(account_key)["private_key"].splitlines()[1].encode() not in content
    assert google.tokens == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a JSON file"),
        (b"[]", "must be the JSON key of a service account"),
        (
            b'{"type": "external_account", "credential_source": {"executable": {"command": "id"}}}',
            "must be the JSON key",
        ),
        (b'{"type": "service_account"}', "incomplete or damaged"),
        (
            b'{"type": "service_account", "private_key": "secret", "client_email": "a", "token_uri": "https://b/"}',
            "damaged",
        ),
        (b'{"type": "authorized_user"}', "incomplete or damaged"),
    ],
)
def test_files_without_credentials(
    inspect: Inspect, audited: Audited, tmp_path: Path, content: bytes, said: str
) -> None:
    audited({"a.xml": SITE[:1]})
    path = tmp_path / "wrong.json"
    path.touch(mode=0o600)
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said) as caught:
        inspect(credentials=path)
    assert "secret" not in str(caught.value)


def test_wrong_calls(inspect: Inspect, audited: Audited, credentials: Path) -> None:
    with pytest.raises(InputError, match="no such store"):
        inspect()
    audited({"a.xml": SITE[:1]})
    with pytest.raises(UsageError, match="no earlier sample of sc-domain:example"):
        inspect(resume=True)
    with pytest.raises(UsageError, match="must be sc-domain:HOST"):
        inspect(property="example.com")
    with pytest.raises(UsageError, match="must be an https URL"):
        inspect(api="http://example.com")
    with pytest.raises(UsageError, match="per_day"):
        inspect(per_day=2_001)
    with pytest.raises(UsageError, match="needs --property"):
        inspect(property=None)
    credentials.write_text(credentials.read_text().replace("http://127.0.0.1", "http://example.com"))
    with pytest.raises(UsageError, match="token_uri must be an https URL"):
        inspect()
