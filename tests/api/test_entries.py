"""Typed entries: classes of the core that behave like frozen dataclasses, with the values of the tables."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import typing
from collections import defaultdict
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.api.test_documents import EVERYTHING

import urlset
from urlset import _core
from urlset.model import entry
from urlset.tables import TABLES, instant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset._core import Table

RECORDS = {"alternates": urlset.Alternate, "images": urlset.Image, "videos": urlset.Video, "news": urlset.News}
CLASSES = (*RECORDS.values(), urlset.Url, urlset.Child)

VIDEO: Any = (*map(str, range(19)), ("a", "b"))
ALTERNATE = urlset.Alternate("alternate", "de", "https://example.com/de")
WHOLE = urlset.Url(
    "https://example.com/ü",
    "2025-01-02",
    datetime(2025, 1, 2, tzinfo=UTC),
    "daily",
    "0.5",
    7,
    (ALTERNATE,),
    (urlset.Image("https://example.com/1.png", None, None, "One", None),),
    (urlset.Video(*VIDEO),),
    (urlset.News("N", "en", "2025-01-02", "T"),),
)
VALUES = (
    WHOLE,
    urlset.Url("https://example.com/"),
    urlset.Child("https://example.com/1.xml", line=3),
    urlset.Child(None, "2025", datetime(2025, 1, 1, tzinfo=UTC), 1),
    ALTERNATE,
    *WHOLE.images,
    *WHOLE.videos,
    *WHOLE.news,
)


def expected(tables: Mapping[str, Table]) -> list[urlset.Entry]:
    """Return the entries of tables, made from their rows one by one."""
    records: dict[str, dict[int, list[Any]]] = {name: defaultdict(list) for name in RECORDS}
    for name, record in RECORDS.items():
        lists = {column.name for column in TABLES[name].columns if column.type == "text[]"}
        names = [field.name for field in dataclasses.fields(record)]
        for row in tables[name].to_dicts() if name in tables else ():
            values = {key: tuple(row[key] or ()) if key in lists else row[key] for key in names}
            records[name][row["ordinal"]].append(record(**values))
    found: list[tuple[int, urlset.Entry]] = []
    for name in ("urls", "children"):
        for row in tables[name].to_dicts() if name in tables else ():
            fields: dict[str, Any] = {key: row[key] for key in ("loc", "lastmod", "line")}
            fields["lastmod_at"] = instant(row["lastmod_at"])
            if name == "children":
                found.append((row["ordinal"], urlset.Child(**fields)))
                continue
            fields |= {key: row[key] for key in ("changefreq", "priority")}
            fields |= {each: tuple(records[each][row["ordinal"]]) for each in RECORDS}
            found.append((row["ordinal"], urlset.Url(**fields)))
    return [each for _, each in sorted(found, key=lambda pair: pair[0])]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
class TestValue:
    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_pickles(self, value: Any, protocol: int) -> None:
        again = pickle.loads(pickle.dumps(value, protocol))
        assert type(again) is type(value)
        assert again == value

    def test_copies_compare_and_hash(self, value: Any) -> None:
        for again in (copy.copy(value), copy.deepcopy(value), dataclasses.replace(value)):
            assert again == value
            assert hash(again) == hash(value)
        assert value != object()
        assert value != dataclasses.astuple(value)

    def test_each_field_counts(self, value: Any) -> None:
        for field in dataclasses.fields(value):
            changed = dataclasses.replace(value, **{field.name: "something else"})
            assert getattr(changed, field.name) == "something else"
            assert changed != value

    def test_cannot_be_changed(self, value: Any) -> None:
        for field in dataclasses.fields(value):
            with pytest.raises(AttributeError):
                setattr(value, field.name, None)
            with pytest.raises(AttributeError):
                delattr(value, field.name)
        with pytest.raises(AttributeError):
            value.other = None

    def test_repr_is_python(self, value: Any) -> None:
        names: dict[str, Any] = {each.__name__: each for each in CLASSES}
        assert eval(repr(value), names | {"datetime": __import__("datetime")}) == value


@pytest.mark.parametrize("each", CLASSES, ids=lambda each: each.__name__)
def test_classes_are_documented_and_typed(each: Any) -> None:
    assert each.__module__ == "urlset.model.entry"
    assert each.__doc__ is not None
    assert not each.__doc__.startswith(f"{each.__name__}(")
    names = tuple(field.name for field in dataclasses.fields(each))
    assert each.__match_args__ == names
    assert each.__annotations__.keys() == set(names)
    assert typing.get_type_hints(each, vars(entry) | {"datetime": datetime}).keys() == set(names)


def test_constructor_has_the_defaults_of_the_declaration() -> None:
    for each in CLASSES:
        required = [field for field in dataclasses.fields(each) if field.default is dataclasses.MISSING]
        value = each(*(str(number) for number in range(len(required))))
        for number, field in enumerate(dataclasses.fields(each)):
            wanted = str(number) if field in required else field.default
            assert getattr(value, field.name) == wanted, field.name
        with pytest.raises(TypeError, match="missing"):
            each()
        with pytest.raises(TypeError, match="unexpected keyword"):
            each(*required, other=1)


def test_patterns_and_subclasses() -> None:
    match ALTERNATE:
        case urlset.Alternate(rel, hreflang, href):
            assert (rel, hreflang, href) == ("alternate", "de", "https://example.com/de")

    class Mine(urlset.Url):
        note = "x"

    mine = Mine("https://example.com/")
    assert (mine.loc, mine.images, mine.note) == ("https://example.com/", (), "x")
    assert mine != urlset.Url("https://example.com/")
    assert repr(mine).startswith("test_patterns_and_subclasses.<locals>.Mine(loc='https://example.com/', lastmod=None")


def test_given_values_are_kept_as_they_are() -> None:
    zone = timezone(timedelta(hours=2))
    at = datetime(2025, 1, 2, tzinfo=zone)
    url = urlset.Url("https://example.com/", None, at, images=[ALTERNATE], news=None)  # type: ignore[arg-type]
    assert url.lastmod_at is at
    values: list[object] = [url.images, url.news, url.videos]
    assert values == [[ALTERNATE], None, ()]


MIXED = b"""<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<sitemap><loc>https://example.com/1.xml</loc></sitemap>
<url><loc>https://example.com/a</loc><image:image><image:loc>https://example.com/1.png</image:loc></image:image></url>
<sitemap><loc>https://example.com/2.xml</loc><lastmod>2025-01-02T03:04:05.000001Z</lastmod></sitemap>
<url><lastmod>9999-12-31T23:59:59-05:00</lastmod></url>
<url><loc/><lastmod>0001-01-01T00:00:00+05:00</lastmod></url>
</sitemapindex>"""
LINES = b"".join(b"https://example.com/%d\n" % number for number in range(40_000))


@pytest.mark.parametrize("content", [EVERYTHING, MIXED, LINES, b"", b"<urlset/>"])
def test_entries_are_those_of_the_tables(content: bytes) -> None:
    document = urlset.read(content)
    assert list(document) == expected(document.tables)


PLACES = st.lists(st.sampled_from(["url", "sitemap", "image", "link", "news", "tags", "both"]), max_size=12)


@given(places=PLACES, rows=st.integers(1, 5))
def test_records_stay_with_their_entries(places: list[str], rows: int) -> None:
    parts = {
        "image": "<image:image><image:loc>https://example.com/{0}.png</image:loc></image:image>" * 2,
        "link": '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/{0}"/>',
        "news": "<news:news><news:title>{0}</news:title></news:news>",
        "tags": "<video:video><video:tag>{0}</video:tag><video:tag>é</video:tag></video:video>",
    }
    parts["both"] = parts["image"] + parts["link"]
    entries = [
        f"<{'sitemap' if place == 'sitemap' else 'url'}><loc>https://example.com/{number}</loc>"
        f"{parts.get(place, '').format(number)}</{'sitemap' if place == 'sitemap' else 'url'}>"
        for number, place in enumerate(places)
    ]
    head = EVERYTHING.partition(b"<url>")[0].decode()
    reader = _core.Reader(f"{head}{''.join(entries)}</urlset>".encode(), batch_rows=rows)
    batches = list(reader)
    for tables in batches:
        assert list(_core.Entries(tables)) == expected(tables)
    # As the Scrapy adapter reads them: records of entries that are not asked for are passed over.
    for without in ("urls", "children"):
        for tables in batches:
            some = {name: table for name, table in tables.items() if name != without}
            assert list(_core.Entries(some)) == expected(some)


def test_tables_of_other_types_are_refused() -> None:
    numbers = _core.Table.from_rows([("ordinal", "text")], [{"ordinal": "1"}])
    with pytest.raises(TypeError, match="column ordinal has the type Utf8"):
        next(_core.Entries({"urls": numbers}))
    with pytest.raises(KeyError, match="loc"):
        next(_core.Entries({"urls": _core.Table.from_rows([("ordinal", "int32")], [{"ordinal": 1}])}))
    with pytest.raises(TypeError):
        _core.Entries({"urls": []})  # type: ignore[dict-item]
