"""`coverage impressions` with a loopback server that speaks the API: days, quotas, faults, and what is counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
from tests.coverage.google_api import Answer, error

from urlset.coverage import search_analytics
from urlset.errors import UsageError
from urlset.model.coverage import InspectOutcome
from urlset.model.impressions import ImpressionsResult
from urlset.report.formats import render

Impressions = Callable[..., ImpressionsResult]

A, B = "https://example.com/a", "https://example.com/b"


def day(ago: int) -> str:
    """A day in California, that many days ago."""
    return (datetime.now(UTC) - timedelta(hours=8) - timedelta(days=ago)).date().isoformat()


def rows(store: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(store), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def stored(result: ImpressionsResult) -> list[tuple[Any, ...]]:
    return rows(
        result.store, "SELECT day::DATE::VARCHAR, url, impressions, clicks FROM search_analytics ORDER BY day, url"
    )


def asked(google: Any) -> list[str]:
    return sorted({query["startDate"] for query in google.queries if query["dimensions"] == ["PAGE"]})


def test_pages_by_day(google: Any, impressions: Impressions) -> None:
    google.impressions = {day(9): {A: 4, B: 1}, day(7): {A: 6}}
    result = impressions()
    assert stored(result) == [(day(9), A, 4, 2), (day(9), B, 1, 0), (day(7), A, 6, 3)]
    assert (result.outcome, result.fetched, result.kept, result.left) == (InspectOutcome.COMPLETE, 3, 0, 0)
    assert (result.pages, result.impressions, result.clicks) == (2, 11, 5)
    # The day without impressions is known from the list of days.
    assert asked(google) == [day(9), day(7)]
    assert rows(result.store, "SELECT pages, is_provisional FROM search_analytics_days ORDER BY day") == [
        *((2, False), (0, False), (1, False))
    ]
    assert not any("QUERY" in query["dimensions"] for query in google.queries)
    assert {query["dataState"] for query in google.queries} == {"ALL"}


def test_final_days_are_not_requested_again_and_provisional_ones_are_replaced(
    google: Any, impressions: Impressions
) -> None:
    google.impressions = {day(5): {A: 4}, day(2): {A: 1, B: 2}}
    google.incomplete_from = day(2)
    first = impressions()
    assert [found.isoformat() for found in first.provisional] == [day(2)]
    google.queries.clear()
    google.impressions |= {day(2): {A: 7}, day(1): {A: 3}}
    google.incomplete_from = day(1)
    second = impressions()
    assert asked(google) == [day(2), day(1)]
    assert (second.fetched, second.kept) == (2, 3)
    assert stored(second) == [(day(5), A, 4, 2), (day(2), A, 7, 3), (day(1), A, 3, 1)]
    assert [found.isoformat() for found in second.provisional] == [day(1)]


def test_overlapping_ranges_count_each_day_once(google: Any, impressions: Impressions) -> None:
    google.impressions = {day(number): {A: 2} for number in range(5, 15)}
    impressions(since="12d")
    result = impressions(since="20d")
    assert (result.fetched, result.kept, result.impressions) == (2, 8, 20)
    assert len(stored(result)) == 10


def test_types_of_search_and_properties_are_kept_apart(google: Any, impressions: Impressions) -> None:
    google.impressions = {day(6): {A: 2}}
    impressions()
    result = impressions(search_type="google-news")
    assert (result.fetched, result.impressions) == (1, 2)
    assert {query["type"] for query in google.queries} == {"WEB", "GOOGLE_NEWS"}
    assert rows(result.store, "SELECT search_type FROM search_analytics ORDER BY ALL") == [("google-news",), ("web",)]


def test_days_of_many_pages_are_read_in_several_requests_up_to_a_limit(
    google: Any, impressions: Impressions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_analytics, "ROWS_PER_REQUEST", 10)
    monkeypatch.setattr(search_analytics, "ROWS_PER_DAY", 20)
    google.impressions = {
        day(6): {f"{A}/{number}": 1 for number in range(15)},
        day(5): {f"{A}/{number}": 1 for number in range(25)},
    }
    result = impressions()
    assert rows(result.store, "SELECT pages, is_cut FROM search_analytics_days ORDER BY day") == [
        *((15, False), (20, True))
    ]
    assert [found.isoformat() for found in result.cut] == [day(5)]
    assert "the most that Google returns" in "\n".join(render("coverage impressions", "text", result))


def test_a_page_that_moves_between_two_responses_counts_once(
    google: Any, impressions: Impressions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_analytics, "ROWS_PER_REQUEST", 1)
    google.impressions = {day(6): {A: 2}}

    def twice(body: dict[str, Any]) -> Answer | None:
        moved = body["dimensions"] == ["PAGE"] and body["startRow"] == 1
        return (200, {}, {"rows": [{"keys": [A], "impressions": 3, "clicks": 0}]}) if moved else None

    google.analytics_answer = twice
    assert impressions().impressions == 3


def test_a_quota_that_ends_in_the_middle_loses_nothing(google: Any, impressions: Impressions) -> None:
    google.impressions = {day(number): {A: 2} for number in range(5, 25)}
    calls = Counter[str]()

    def quota(body: dict[str, Any]) -> Answer | None:
        calls["all"] += 1
        return (429, {}, error(429, "Quota exceeded.")) if calls["all"] > 12 else None

    google.analytics_answer = quota
    first = impressions()
    assert first.outcome is InspectOutcome.QUOTA
    assert first.next_at is not None
    assert timedelta(minutes=14) < first.next_at - datetime.now(UTC) <= timedelta(minutes=15)
    assert 0 < first.fetched < 20
    assert first.fetched + first.left == 20
    text = "\n".join(render("coverage impressions", "text", first))
    assert f"Stopped: Google returned HTTP 429: Quota exceeded.; {first.left} days are left." in text
    google.analytics_answer = lambda body: None
    google.queries.clear()
    second = impressions()
    assert (second.outcome, second.fetched, second.kept) == (InspectOutcome.COMPLETE, first.left, first.fetched)
    assert second.impressions == 40
    assert len(asked(google)) == first.left


def test_a_quota_that_is_used_up_before(google: Any, impressions: Impressions) -> None:
    google.analytics_answer = lambda body: (429, {"Retry-After": "60"}, error(429, "Quota exceeded."))
    result = impressions()
    assert (result.outcome, result.fetched, result.first) == (InspectOutcome.QUOTA, 0, None)
    assert result.next_at is not None


def test_credentials_that_are_revoked_in_the_middle_lose_nothing(
    google: Any, impressions: Impressions, tmp_path: Path
) -> None:
    google.impressions = {day(number): {A: 2} for number in range(5, 25)}
    calls = Counter[str]()

    def revoked(body: dict[str, Any]) -> Answer | None:
        calls["all"] += 1
        if calls["all"] <= 12:
            return None
        google.token_answer = (400, {}, {"error": "invalid_grant", "error_description": "Token has been revoked."})
        return 401, {}, error(401, "Request had invalid authentication credentials.")

    google.analytics_answer = revoked
    with pytest.raises(UsageError, match=r"no access token from .*Token has been revoked") as refused:
        impressions()
    before = rows(tmp_path / "urlset.duckdb", "SELECT count(*) FROM search_analytics_days")[0][0]
    assert 0 < before < 20
    assert str(refused.value).endswith(f"; {before} of 20 days were stored before, which the next call keeps")
    google.token_answer, google.analytics_answer = None, lambda body: None
    assert impressions().kept == before


def test_a_property_without_access_lists_those_of_the_account(google: Any, impressions: Impressions) -> None:
    google.allowed = False
    with pytest.raises(UsageError, match=r"no access to sc-domain:example\.com; the properties of the account are"):
        impressions()


@pytest.mark.parametrize(
    "answer",
    [
        (500, {}, {}),
        (200, {}, b"not JSON"),
        (200, {}, {"rows": [{"keys": "x"}]}),
        (200, {}, {"rows": [{"keys": [A], "impressions": -1}]}),
        (200, {}, {"rows": [{"keys": [A], "impressions": 1e300}]}),
    ],
)
def test_a_day_that_fails_is_left_and_the_others_are_stored(google: Any, impressions: Impressions, answer: Any) -> None:
    google.impressions = {day(number): {A: 2} for number in range(5, 9)}
    google.analytics_answer = lambda body: (
        answer if body["dimensions"] == ["PAGE"] and body["startDate"] == day(7) else None
    )
    result = impressions()
    assert (result.outcome, result.fetched, result.left, result.exit_code) == (InspectOutcome.STOPPED, 3, 1, 3)
    assert result.reason
    google.analytics_answer = lambda body: None
    assert (impressions().fetched, impressions().fetched) == (1, 0)


def test_rows_without_a_url_are_left_out_and_counted(google: Any, impressions: Impressions) -> None:
    google.impressions = {day(6): {A: 2, "not a URL": 1, "android-app://com.example/": 1}}
    result = impressions()
    assert (result.pages, result.impressions, result.skipped) == (1, 2, 2)
    assert "Left out: 2 rows" in "\n".join(render("coverage impressions", "text", result))


def test_a_clock_that_is_ahead_makes_no_day_known(
    google: Any, impressions: Impressions, monkeypatch: pytest.MonkeyPatch
) -> None:
    google.impressions = {day(6): {A: 2}}
    google.incomplete_from = day(2)

    ahead = SimpleNamespace(now=lambda zone: datetime.now(zone) + timedelta(days=400))
    monkeypatch.setattr("urlset.coverage.fetch_impressions.datetime", ahead)
    result = impressions()
    assert (result.fetched, result.first) == (0, None)
    assert "Google has no data from" in result.notes[0]
    monkeypatch.undo()
    assert impressions().impressions == 2


def test_what_google_no_longer_has_is_not_requested(google: Any, impressions: Impressions) -> None:
    result = impressions(since="2001-01-01")
    assert google.queries[0]["startDate"] > day(500)
    assert "Google keeps 16 months" in result.notes[0]


def test_secrets_are_not_stored(google: Any, impressions: Impressions) -> None:
    google.impressions = {day(6): {A: 2}}
    content = impressions().store.read_bytes()
    assert b"secret-token" not in content
    assert b"PRIVATE KEY" not in content


def test_wrong_calls(impressions: Impressions) -> None:
    with pytest.raises(UsageError, match="impressions needs --property"):
        impressions(property=None)
    with pytest.raises(UsageError, match="since: must be a date or a period"):
        impressions(since="yesterday")
