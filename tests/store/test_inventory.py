"""Inventories: lists, tables, and the exports of crawlers, as their programs write them."""

from __future__ import annotations

import gzip
from pathlib import Path

import duckdb
import pytest

from urlset.errors import InputError, UsageError
from urlset.store.inventory import InventoryFile

A, B, C = "https://example.com/", "https://example.com/a,b", "https://example.com/c?d=1;2"

# Name, text, the column that is taken, the URLs, and the rows without one.
EXPORTS = [
    (
        "internal_all.csv",
        f'"Address","Content Type","Status Code","Title 1","Canonical Link Element 1"\n'
        f'"{A}","text/html","200","One, two","{A}"\n"{B}","text/html","200","","{A}"\n',
        "Address",
        [A, B],
        0,
    ),
    (
        "internal_html.csv",
        f'"Internal - HTML"\n"Address","Content","Canonical Link Element 1"\n"{A}","text/html","{A}"\n',
        "Address",
        [A],
        0,
    ),
    ("sitebulb.csv", f"URL,Final URL,Crawl Depth\n{A},{A},0\n{C},{A},1\n", "URL", [A, C], 0),
    ("semrush.csv", f"Page URL;Title;Links\n{A};x;1\n{B};y;2\n", "Page URL", [A, B], 0),
    ("gsc.csv", f"\ufeffTop pages,Clicks,Impressions\n{A},1,2\n", "Top pages", [A], 0),
    ("botify.csv", f"Full URL|Depth\n{A}|0\n", "Full URL", [A], 0),
    ("unknown.csv", f"id,Adresse\n1,{A}\n2,{C}\n", "Adresse", [A, C], 0),
    ("excel.csv", f"sep=;\nURL;Name\n{A};\n", "URL", [A], 0),
    ("headless.csv", f"{A},2026-01-01\n{C},2026-01-02\n", "column 1", [A, C], 0),
    ("single.csv", f"url\n{A}\n\n{B}\n", "url", [A, B], 0),
    ("list.csv", f"{A}\n{B}\n{C}\n", "column 1", [A, B, C], 0),
    ("gaps.csv", f"URL,Status\n{A},200\nmailto:me@example.com,\n,404\n{C},200\n", "URL", [A, C], 2),
    ("multiline.csv", f'URL,Title\n{A},"one\ntwo"\n{C},three\n', "URL", [A, C], 0),
    ("URL_is_a_name.csv", f"URL,Link\nHome,{A}\nOther,{C}\n", "Link", [A, C], 0),
    ("export", f"URL\tTitle\n{A}\tHome\n", "URL", [A], 0),
    ("urls.txt", f"# a list\n{A}\n{B}\n\n{C}\nno URL\n", None, [A, B, C], 1),
]


@pytest.mark.parametrize(("name", "text", "column", "urls", "skipped"), EXPORTS, ids=[one[0] for one in EXPORTS])
def test_exports(tmp_path: Path, name: str, text: str, column: str | None, urls: list[str], skipped: int) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    found = InventoryFile.of(tmp_path / name, None)
    assert (found.column, list(found.urls()), found.skipped) == (column, urls, skipped)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_ahrefs_writes_utf_16_with_tabs(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "ahrefs.csv"
    path.write_text(f'"#"\t"URL"\t"Title"\n"1"\t"{A}"\t"Café"\n"2"\t"{C}"\t""\n', encoding)
    found = InventoryFile.of(path, None)
    assert (found.column, list(found.urls())) == ("URL", [A, C])


def test_gzip_and_parquet(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(f"URL,x\n{A},1\n".encode()))
    duckdb.sql(f"COPY (SELECT 1 AS id, '{A}' AS page, NULL::VARCHAR AS url) TO '{tmp_path / 'a.parquet'}'")
    assert list(InventoryFile.of(tmp_path / "a.csv.gz", None).urls()) == [A]
    found = InventoryFile.of(tmp_path / "a.parquet", None)
    assert (found.column, list(found.urls())) == ("page", [A])
    named = InventoryFile.of(tmp_path / "a.parquet", "id")
    assert (list(named.urls()), named.skipped) == ([], 1)


# Text, the column that the user named, and why it is refused.
REFUSED = [
    (f"URL,Page\n{A},{C}\n", None, UsageError, "several columns have URLs: 'URL', 'Page'; name one with"),
    (f"Source,Destination\n{A},{C}\n", None, UsageError, "several columns have URLs: 'Source', 'Destination'"),
    ("Title,Status\nHome,200\n", None, UsageError, "no column has http"),
    (f"URL,URL\n{A},{C}\n", "URL", UsageError, "several columns are named 'URL'"),
    (f"URL,x\n{A},1\n", "Address", UsageError, "no column is named 'Address'; the columns are 'URL', 'x'"),
    (f"URL,x\n{A},1\n{C},1,2\n", None, InputError, r"a\.csv:3: the row has a different number of values \(3\)"),
    (f'URL,x\n"{A},1\n' + "x" * 200_000, None, InputError, "is not valid CSV"),
    ('[{"url": 1}]', None, InputError, "is JSON"),
    ("PK\x03\x04", None, InputError, "is an Excel or ZIP file; export it as CSV"),
    ("PAR1 and no more", None, InputError, "cannot be read"),
    ("", None, UsageError, "no column has http"),
]


@pytest.mark.parametrize(("text", "column", "error", "message"), REFUSED)
def test_refused(tmp_path: Path, text: str, column: str | None, error: type[Exception], message: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(error, match=message):
        InventoryFile.of(path, column)


def test_a_chosen_column_settles_it(tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    path.write_text(f"Source,Destination\n{A},{C}\n", "utf-8")
    assert list(InventoryFile.of(path, "destination").urls()) == [C]
