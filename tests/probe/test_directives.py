"""Robots directives: a table of meta tags and headers, and the results."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset.probe.directives import Directives, directives_of, moment_of, of_header, of_meta

JUNE = datetime(2010, 6, 25, 15, 0, tzinfo=UTC)
CASES: list[tuple[str, list[tuple[str, str]], str | None, Directives]] = [
    ("nothing", [], None, Directives()),
    ("index", [("robots", "index, follow")], None, Directives()),
    ("noindex", [("robots", "noindex")], None, Directives("meta robots: noindex", ("*",))),
    ("capitals and spaces", [("ROBOTS", " NoIndex ,follow")], None, Directives("meta robots: noindex", ("*",))),
    ("none", [("robots", "none")], None, Directives("meta robots: none", ("*",), nofollow=True)),
    ("Google alone", [("googlebot", "noindex")], None, Directives("meta googlebot: noindex", ("googlebot",))),
    ("somebody else", [("otherbot", "noindex")], None, Directives(None, ("otherbot",))),
    ("the header", [], "noindex", Directives("X-Robots-Tag: noindex", ("*",))),
    ("the header, for one", [], "otherbot: noindex, nofollow", Directives(None, ("otherbot",))),
    ("for Google", [], "googlebot: noindex", Directives("X-Robots-Tag googlebot: noindex", ("googlebot",))),
    (
        "two headers joined",
        [],
        "googlebot: nofollow, otherbot: noindex, nofollow",
        Directives(None, ("otherbot",), nofollow=True),
    ),
    ("a value is no agent", [], "max-snippet: 20, noindex", Directives("X-Robots-Tag: noindex", ("*",))),
    ("both", [("robots", "noindex")], "none", Directives("meta robots: noindex", ("*",), nofollow=True)),
    ("RFC 850", [], "unavailable_after: Friday, 25-Jun-10 15:00:00 GMT", Directives(unavailable_after=JUNE)),
    ("RFC 822", [], "unavailable_after: Fri, 25 Jun 2010 15:00:00 +0000", Directives(unavailable_after=JUNE)),
    ("without a weekday", [], "unavailable_after: 25 Jun 2010 15:00:00 GMT", Directives(unavailable_after=JUNE)),
    ("ISO 8601", [("robots", "unavailable_after: 2010-06-25T15:00:00Z")], None, Directives(unavailable_after=JUNE)),
    (
        "the earlier of two",
        [("robots", "unavailable_after: 2010-06-25T15:00:00Z")],
        "unavailable_after: 2011-06-25",
        Directives(unavailable_after=JUNE),
    ),
    ("for an agent", [], "otherbot: unavailable_after: 2010-06-25", Directives()),
    ("no date", [], "unavailable_after: soon", Directives()),
    (
        "a date among others",
        [],
        "noarchive, unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noindex",
        Directives("X-Robots-Tag: noindex", ("*",), JUNE),
    ),
    ("commas alone", [("robots", ",, ,")], ",", Directives()),
]


@pytest.mark.parametrize(("meta", "header", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_directives(meta: list[tuple[str, str]], header: str | None, expected: Directives) -> None:
    assert directives_of(meta, header) == expected


def test_every_directive_keeps_its_value() -> None:
    told = list(of_header("googlebot: max-snippet: 20, nofollow")) + list(of_meta("robots", "max-image-preview:large"))
    assert [(one.agent, one.name, one.value) for one in told] == [
        ("googlebot", "max-snippet", "20"),
        ("googlebot", "nofollow", None),
        ("*", "max-image-preview", "large"),
    ]


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_accepted(name: str, text: str) -> None:
    directives_of([(name, text)], text)
    moment_of(text)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("Sat, 21 Nov 2026 10:00:00 GMT", datetime(2026, 11, 21, 10, tzinfo=UTC)),
        ("Sat, 31 Feb 2026 10:00:00 GMT", None),
        ("Sat, 21 Nov 2026 24:61:00 GMT", None),
        ("", None),
    ],
)
def test_http_dates(written: str, moment: datetime | None) -> None:
    assert moment_of(written) == moment
