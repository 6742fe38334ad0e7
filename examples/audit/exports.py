"""Writes what Search Console would export for the example with planted problems, in three languages.

The names of the members of the Japanese file are in CP932, as Search Console writes them.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Words(NamedTuple):
    """The words of an export in one language: names of its files, their headers, and the reason."""

    files: tuple[str, str, str]
    chart: str
    table: str
    metadata: str
    all_pages: str
    issue: str
    reason: str


ENGLISH = Words(
    files=("Chart.csv", "Table.csv", "Metadata.csv"),
    chart="Date,Affected pages",
    table="URL,Last crawled",
    metadata="Property,Value",
    all_pages="Sitemap,All known pages",
    issue="Issue",
    reason="",
)
"""The list of indexed pages, which names no issue."""

GERMAN = Words(
    files=("Diagramm.csv", "Tabelle.csv", "Metadaten.csv"),
    chart="Datum,Betroffene Seiten",
    table="URL,Letztes Crawling",
    metadata="Eigenschaft,Wert",
    all_pages="Sitemap,Alle bekannten Seiten",
    issue="Problem",
    reason="Gecrawlt – zurzeit nicht indexiert",
)

JAPANESE = Words(
    files=("チャート.csv", "表.csv", "メタデータ.csv"),
    chart="日付,影響を受けるページ",
    table="URL,前回のクロール",
    metadata="プロパティ,値",
    all_pages="サイトマップ,既知のすべてのページ",
    issue="問題",
    reason="検出 - インデックス未登録",
)


def write(folder: Path, urls: Sequence[str]) -> list[Path]:
    """Write the exports of some URLs, a third in each, and return their paths."""
    third = -(-len(urls) // 3)
    words = {"Valid": ENGLISH, "Drilldown-de": GERMAN, "Drilldown-ja": JAPANESE}
    paths = []
    for number, (name, language) in enumerate(words.items()):
        path = folder / f"example-Coverage-{name}-2026-11-20.zip"
        _write(path, language, urls[number * third : (number + 1) * third])
        paths.append(path)
    return paths


def _write(path: Path, words: Words, urls: Sequence[str]) -> None:
    # A page that was never crawled has this date.
    date = "1969-12-31" if words is JAPANESE else "2026-11-10"
    issue = [f'{words.issue},"{words.reason}"'] if words.reason else []
    contents = (
        [words.chart, f"2026-11-20,{len(urls)}"],
        [words.table, *(f'"{url}",{date}' for url in urls)],
        [words.metadata, words.all_pages, *issue],
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in zip(words.files, contents, strict=True):
            # As bytes in CP932 without the flag for UTF-8.
            archive.writestr(name.encode("cp932").decode("cp437"), "\ufeff" + "\n".join(lines))
