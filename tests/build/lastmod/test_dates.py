"""The dates that pages give: which place is believed, and what is no date of a change."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.build.lastmod.page_dates import of_page, read_date

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-05-06", date(2024, 5, 6)),
        (" 2024-05-06T07:08:09Z\n", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("2024-05-06T07:08+02:00", datetime(2024, 5, 6, 5, 8, tzinfo=UTC)),
        ("2024-05-06T07:08:09+0200", datetime(2024, 5, 6, 5, 8, 9, tzinfo=UTC)),
        ("2024-05-06 07:08:09", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("Mon, 06 May 2024 07:08:09 GMT", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("2024-05-06 07:08:09 +0200", datetime(2024, 5, 6, 5, 8, 9, tzinfo=UTC)),
        ("2024-05-06 07:08 UTC", datetime(2024, 5, 6, 7, 8, tzinfo=UTC)),
        ("1714979289", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("1714979289000", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("2026-01-01T20:00:00Z", datetime(2026, 1, 1, 20, tzinfo=UTC)),
        ("1991-08-06", date(1991, 8, 6)),
    ],
)
def test_dates_are_read_as_pages_write_them(text: str, value: date) -> None:
    assert read_date(text, NOW).value == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is not a date"),
        ("yesterday", "is not a date"),
        ("06.05.2024", "is not a date"),
        ("12345", "is not a date"),
        ("2024-02-30", "is not a date"),
        ("٢٠٢٤-٠٥-٠٦", "is not a date"),
        ("2024", "has no day"),
        ("2024-05", "has no day"),
        ("0001-01-01T00:00:00Z", "is older than the web"),
        ("1970-01-01T00:00:00Z", "is older than the web"),
        ("0000000000", "is older than the web"),
        ("2026-01-03", "is in the future"),
        ("9999999999", "is in the future"),
    ],
)
def test_what_cannot_be_true_is_passed_over_with_the_reason(text: str, reason: str) -> None:
    answer = read_date(text, NOW)
    assert (answer.value, answer.reason) == (None, reason)


@given(st.one_of(st.text(max_size=40), st.datetimes().map(str), st.integers().map(str)))
def test_any_text_is_answered(text: str) -> None:
    answer = read_date(text, NOW)
    assert (answer.value is None) == (answer.reason != "is a date")


@pytest.mark.parametrize(
    ("dates", "value", "reason"),
    [
        ([], None, "the page has no date"),
        ([("article:published_time", "2024-01-01")], None, "the page has no date"),
        (
            [("time", "2020-01-01"), ("json-ld:dateModified", "2021-01-01"), ("article:modified_time", "2022-01-01")],
            date(2022, 1, 1),
            "article:modified_time",
        ),
        (
            [("json-ld:dateModified", "2021-01-01"), ("json-ld:dateModified", "2021-01-01T10:00Z")],
            datetime(2021, 1, 1, 10, tzinfo=UTC),
            "json-ld:dateModified",
        ),
        (
            [("article:modified_time", "0001-01-01T00:00:00Z"), ("time", "2020-01-01")],
            date(2020, 1, 1),
            "article:modified_time '0001-01-01T00:00:00Z' is older than the web; time",
        ),
        (
            [("og:updated_time", "soon"), ("og:updated_time", "2020-01-01")],
            date(2020, 1, 1),
            "og:updated_time",
        ),
        (
            [("time", "2020-01-01"), ("time", "2021-01-01")],
            None,
            "the page has 2 <time> elements, so its date is ambiguous",
        ),
        ([("meta:revised", "x" * 50)], None, f"meta:revised '{'x' * 40}…' is not a date"),
    ],
)
def test_the_first_place_that_says_it_plausibly_is_believed(
    dates: list[tuple[str, str]], value: date | None, reason: str
) -> None:
    answer = of_page(dates, NOW)
    assert (answer.value, answer.reason) == (value, reason)
