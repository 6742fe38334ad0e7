"""Hand-made reports for the tests of the renderers, and the goldens that they are compared with."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from urlset.errors import Unreadable
from urlset.model.document import InspectedDocument, InspectReport, Row
from urlset.model.finding import Example, Finding
from urlset.model.report import Report
from urlset.rules.rule import AnomalyRule, EntryRule, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GOLDEN = Path(__file__).parent / "golden"

TOO_LONG = EntryRule(
    code="LOC003",
    name="url-too-long",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    where="loc_length > $max_url_length",
    message="URL is longer than 2,048 characters",
    example="loc is {loc_length:,} characters long",
    fix="Shorten the URL; the protocol allows fewer than 2,048 characters.",
    sources=("https://www.sitemaps.org/protocol.html#locdef",),
)
NO_TIMEZONE = EntryRule(
    code="MOD002",
    name="lastmod-without-timezone",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    where="lastmod_problem = 'no-timezone'",
    message="lastmod has a time but no time zone",
    example="lastmod is {value}",
    fix="Add Z or an offset such as +02:00 after the time.",
    sources=("https://www.w3.org/TR/NOTE-datetime",),
)
CUT_OFF = AnomalyRule(
    code="XML006",
    name="document-cut-off",
    severity=Severity.ERROR,
    table="anomalies",
    kinds=("truncated",),
    message="Document is cut off",
    example="ends inside {value}",
    fix="Generate or upload the file again.",
    sources=("https://www.w3.org/TR/xml/#sec-well-formed",),
)
BYTE_ORDER_MARK = EntryRule(
    code="ENC005",
    name="byte-order-mark",
    severity=Severity.HINT,
    table="documents",
    where="has_bom",
    message="Document starts with a byte order mark",
    example="byte order mark",
    fix="Save the file without the byte order mark.",
    sources=("urlset",),
)

SHOP = "shop/sitemap.xml"
BLOG = "https://example.com/blog.xml.gz"
HOSTILE = "\x1b]0;owned\x07\n\u202eevil"


def document(document_id: int, url: str, **facts: object) -> Row:
    row: dict[str, object] = {
        "document_id": document_id,
        "url": url,
        "kind": "urlset",
        "entries": 1_204,
        "bytes": 121_242,
        "wire_bytes": 121_242,
        "compression": "none",
        "encoding": "UTF-8",
        "complete": True,
        "well_formed": True,
        "sha256": "ab" * 32,
        "images": 0,
        "videos": 0,
        "news": 0,
        "alternates": 0,
        "lastmod_missing": 0,
    }
    return row | facts


def long_url(ordinal: int, line: int) -> Example:
    url = f"https://example.com/{ordinal}?q=" + "a" * 2_100
    message = f"loc is {len(url):,} characters long"
    return Example(ordinal, line, 10, url, "loc", url, message)


def no_timezone(ordinal: int) -> Example:
    value = f"2026-01-02T03:04:{ordinal:02}"
    url = f"https://example.com/{ordinal}"
    return Example(ordinal, ordinal * 4 + 5, 14, url, "lastmod", value, f"lastmod is {value}")


FINDINGS = (
    Finding(NO_TIMEZONE, 0, 1_204, tuple(no_timezone(n) for n in range(10))),
    Finding(NO_TIMEZONE, 1, 3, tuple(no_timezone(n) for n in range(3))),
    Finding(CUT_OFF, 1, 1, (Example(None, 88, 1, None, "url", "<url>", "ends inside <url>"),)),
    Finding(TOO_LONG, 0, 2, (long_url(4, 22), long_url(9, 51))),
    Finding(BYTE_ORDER_MARK, 0, 1, (Example(None, None, None, None, None, None, "byte order mark"),)),
)


def faulty_report() -> Report:
    index = document(2, "https://example.com/index.xml", kind="sitemapindex", entries=2)
    blog = document(1, BLOG, compression="gzip", wire_bytes=9_000, complete=False, well_formed=False, entries=21)
    return Report("0.1.0", [document(0, SHOP), blog, index], FINDINGS, [Unreadable("gone.xml", "no such file")])


def hostile_report() -> Report:
    example = Example(0, 1, 2, f"https://example.com/{HOSTILE}", "lastmod", HOSTILE, f"lastmod is {HOSTILE}")
    return Report("0.1.0", [document(0, f"{HOSTILE}.xml")], [Finding(NO_TIMEZONE, 0, 1, (example,))])


def inspect_report() -> InspectReport:
    whole = document(
        0,
        SHOP,
        wire_bytes=12_400,
        compression="gzip",
        images=2_408,
        alternates=1,
        lastmod_missing=12,
        lastmod_oldest=datetime(2019, 3, 1),  # noqa: DTZ001 - the tables hold instants in UTC without timezone
        lastmod_newest=datetime(2026, 11, 2, 10, 0, 0, 250_000),  # noqa: DTZ001
        foreign_namespaces=["http://www.google.com/schemas/sitemap-pagemap/1.0"],
        foreign_counts=[20],
        has_bom=True,
        declared_encoding="iso-8859-1",
        complete=False,
        well_formed=False,
    )
    anomalies: list[Row] = [
        {"kind": "bare-ampersand", "line": 14, "col": 22, "evidence": "?a=1&b=2", "count": 1},
        {"kind": "gzip-truncated", "line": None, "col": None, "evidence": "", "count": 1},
        {"kind": "bare-ampersand", "line": 15, "col": 22, "evidence": "?a=1&b=3", "count": 41},
    ]
    children: list[Row] = [
        {"loc": f"https://example.com/{n}.xml", "lastmod": "2026-01-02" if n % 2 else None, "line": n + 3, "col": 5}
        for n in range(25)
    ]
    index = document(1, "https://example.com/index.xml", kind="sitemapindex", entries=25, lastmod_missing=25)
    histogram = [("2019", 3), ("2020", 0), ("2021", 400), ("2026", 789)]
    return InspectReport(
        [
            InspectedDocument(whole, (), anomalies, histogram),
            InspectedDocument(index, children),
            InspectedDocument(document(2, "-", kind="empty", entries=0, bytes=0, wire_bytes=0, encoding=None)),
        ],
        [Unreadable("gone.xml", "no such file")],
    )


def published_schema(name: str) -> Path:
    """Return a schema that scripts/fetch_schemas.py has downloaded into this environment."""
    path = Path(sys.prefix) / "share" / "urlset" / "schemas" / name
    if not path.is_file():
        pytest.fail(f"{name} is not in this environment; run `python scripts/fetch_schemas.py`, as `make test` does")
    return path


@pytest.fixture(name="faulty")
def faulty_fixture() -> Report:
    return faulty_report()


@pytest.fixture(name="hostile")
def hostile_fixture() -> Report:
    return hostile_report()


@pytest.fixture(name="clean")
def clean_fixture() -> Report:
    return Report("0.1.0", [document(0, SHOP, entries=1)], [])


@pytest.fixture(name="inspected")
def inspected_fixture() -> InspectReport:
    return inspect_report()


@pytest.fixture
def golden() -> Callable[[str, Iterable[str] | str], None]:
    """Compare lines or text with a file in `golden/`. `URLSET_UPDATE_GOLDENS=1` writes the file instead."""

    def compare(name: str, got: Iterable[str] | str) -> None:
        text = got if isinstance(got, str) else "".join(f"{line}\n" for line in got)
        path = GOLDEN / name
        if os.environ.get("URLSET_UPDATE_GOLDENS"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare
