"""Holds the reader to libxml2: whether a document is well-formed, and what is in it if it is.

Documents of the corpus are mutated, each by a generator of its own: a failure names the case, and

    from tests.reader import corpus
    corpus.case(12345)

gives its document again.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.tiers import SUBJECTS

from urlset import _core

from . import corpus, libxml2
from .reading import Reading, read

CHUNKS = 24


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Spreads the cases over tests of equal size, so that workers share them."""
    if "cases" in metafunc.fixturenames:
        total: int = SUBJECTS["documents compared with libxml2"].amounts[bool(metafunc.config.getoption("--long"))]
        bounds = [total * chunk // CHUNKS for chunk in range(CHUNKS + 1)]
        metafunc.parametrize("cases", [range(*pair) for pair in itertools.pairwise(bounds)], ids=str)


# Documented differences: libxml2 and the reader may disagree only where one of these holds.


def in_internal_subset(document: bytes, reading: Reading, verdict: libxml2.Verdict) -> bool:
    """Declarations inside a DOCTYPE are not read, so what is wrong in them is not found, nor in entities they define.

    Holds only if the document is well-formed for libxml2 once the declarations are replaced by sound ones.
    """
    if not reading.facts["well_formed"] or b"<!DOCTYPE" not in document:
        return False
    start = document.index(b"[", document.index(b"<!DOCTYPE")) if b"[" in document else len(document)
    of_entities = ("declared-entity", "undefined-entity", "html-entity")
    names = {row["evidence"].strip("&;") for row in reading["anomalies"] if row["kind"] in of_entities}
    names |= set(re.findall(r"<!ENTITY\s+([\w.-]+)", document.decode("utf-8", "replace")))
    sound = "".join(f'<!ENTITY {name} "x">' for name in sorted(names)).encode()
    ends = [start + match.start() for match in re.finditer(rb"\]\s*>", document[start:])]
    verdicts = (libxml2.parse(document[: start + 1] + sound + document[end:]) for end in ends)
    return any(verdict.well_formed or in_namespace_name(document, reading, verdict) for verdict in verdicts)


def in_encoding_of_the_web(document: bytes, reading: Reading, verdict: libxml2.Verdict) -> bool:
    """The WHATWG standard reads the names ISO-8859-1, US-ASCII and their like as windows-1252, as every browser does.

    libxml2 finds control characters (or nothing at all) in the bytes 0x80 to 0x9F. In windows-1251, too, the standard
    gives a meaning to the one byte that has none elsewhere.
    """
    return reading.facts["encoding"] in ("windows-1252", "windows-1251") and any(
        0x80 <= byte <= 0x9F for byte in document
    )


def in_encoding_unknown_to_the_web(document: bytes, reading: Reading, verdict: libxml2.Verdict) -> bool:
    """libxml2 knows encodings that the WHATWG standard has banned (UTF-7, EBCDIC, UTF-32), or the other way round."""
    return reading.count("encoding-unknown") > 0 or any("UNSUPPORTED_ENCODING" in error for error in verdict.errors)


def in_namespace_name(document: bytes, reading: Reading, verdict: libxml2.Verdict) -> bool:
    """libxml2 warns of a namespace name that is not a URI, which processors need not check."""
    if not reading.facts["well_formed"]:
        return False
    return bool(verdict.errors) and all(error.startswith("WAR_NS_URI: ") for error in verdict.errors)


def in_version_number(document: bytes, reading: Reading, verdict: libxml2.Verdict) -> bool:
    """libxml2 takes "1." for a version, although the specification wants digits behind the full stop."""
    text = document.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    return verdict.well_formed and re.match(rb"<\?xml\s+version\s*=\s*['\"]1\.['\"]", text) is not None


def in_entity_declared_elsewhere(document: bytes, reading: Reading, verdict: libxml2.Verdict) -> bool:
    """An entity that only an external subset can declare has no value; libxml2 leaves it out of a namespace's name."""
    breaking = {row["kind"] for row in reading["anomalies"] if _breaks_xml(row["kind"])}
    of_entities = {"namespace-malformed", "html-entity", "undefined-entity"}
    return verdict.well_formed and "doctype" in reading.kinds and bool(breaking) and breaking <= of_entities


DIFFERENCES: tuple[Callable[[bytes, Reading, libxml2.Verdict], bool], ...] = (
    in_internal_subset,
    in_encoding_of_the_web,
    in_encoding_unknown_to_the_web,
    in_namespace_name,
    in_version_number,
    in_entity_declared_elsewhere,
)


DIFFERENCES_OF_VALUES = (in_encoding_of_the_web, in_entity_declared_elsewhere)


def _breaks_xml(kind: str) -> bool:
    breaks: bool = _core.vocabularies()["anomaly_kinds"][kind][1]
    return breaks


# Where the structure is repaired, the reading is the reader's own: `malformations/*.toml` hold it.
REPAIRS = frozenset(
    {
        *("missing-root", "unknown-root", "second-root", "namespace-missing", "extension-namespace-wrong", "tag-case"),
        *("element-namespace-missing", "element-namespace-wrong", "nested-index", "nested-urlset", "nested-element"),
        *("misplaced-url", "misplaced-sitemap", "nested-entry", "loose-field"),
    }
)


def is_read_as_written(reading: Reading) -> bool:
    """Whether the entries are where they belong, so that what they hold is not the reader's opinion."""
    has_loose_loc = any(row["kind"] == "loc-missing" and row["evidence"] for row in reading["anomalies"])
    is_ours = reading.facts["kind"] in ("urlset", "sitemapindex", "rss", "atom")
    return is_ours and not has_loose_loc and REPAIRS.isdisjoint(reading.kinds)


def values(reading: Reading) -> list[dict[str, Any]]:
    """The entries that the reader found: raw values alone, absent ones left out."""
    is_feed = reading.facts["kind"] in ("rss", "atom")
    fields = ("loc", "lastmod") if is_feed else libxml2.CORE
    entries: list[dict[str, Any]] = [{field: row.get(field) for field in fields} for row in reading.entries]
    if not is_feed:
        for entry in entries:
            entry |= {table: [] for table in ("alternates", "images", "videos", "news")}
        for table, columns in COLUMNS.items():
            for row in reading[table]:
                entries[row["ordinal"]][table].append(_present({column: row[column] for column in columns}))
    return [_present(entry) for entry in entries]


def reference(root: Any, kind: str) -> list[dict[str, Any]]:
    """The same, from libxml2's tree."""
    if kind in ("rss", "atom"):
        return libxml2.feed_entries(root)
    return libxml2.sitemap_entries(root)


def _present(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


COLUMNS = {
    "alternates": ("rel", "hreflang", "href"),
    "images": libxml2.IMAGE_FIELDS,
    "videos": libxml2.VIDEO_COLUMNS,
    "news": ("publication_name", "publication_language", *libxml2.NEWS_FIELDS),
}


def test_verdict_and_values_agree_with_libxml2(cases: range, record_property: Callable[[str, object], None]) -> None:
    tally: Counter[str] = Counter(cases=len(cases))
    for number in cases:
        seed, document = corpus.case(number)
        reading = read(document, hash=False)
        if reading.facts["well_formed"] is None:
            continue
        tally["compared"] += 1
        verdict = libxml2.parse(document)
        if reading.facts["well_formed"] != verdict.well_formed:
            excuse = next((one.__name__ for one in DIFFERENCES if one(document, reading, verdict)), None)
            assert excuse, f"case {number} ({seed}): {reading.facts['well_formed']} but {verdict.errors}\n{document!r}"
            tally[excuse] += 1
        elif verdict.root is not None and verdict.well_formed:
            tally["well-formed"] += 1
            if is_read_as_written(reading):
                tally["values"] += 1
                if values(reading) != (expected := reference(verdict.root, reading.facts["kind"])):
                    excuse = next(
                        (one.__name__ for one in DIFFERENCES_OF_VALUES if one(document, reading, verdict)), None
                    )
                    assert excuse, f"case {number} ({seed}): {values(reading)} but {expected}\n{document!r}"
                    tally[excuse] += 1
    for what, count in tally.items():
        record_property(what, count)
    if cases:
        assert tally["compared"] >= 0.9 * len(cases), tally
        assert tally["well-formed"] >= 0.2 * len(cases), tally
        assert tally["values"] >= 0.7 * tally["well-formed"], tally
