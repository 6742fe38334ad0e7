"""`coverage import`: exports in several languages, and files that are something else."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from urlset import api
from urlset.coverage import csv_tables
from urlset.coverage.exports import read_exports, rows_of
from urlset.errors import InputError, OutputError, UsageError
from urlset.model.coverage import ExportKind, ImportedFile, IndexReason, IndexState
from urlset.options.coverage import ImportOptions
from urlset.report.formats import render

Export = Callable[..., Path]

CHART = "\ufeffDate,Affected pages\n2026-11-19,2\n2026-11-20,3"
META = "Property,Value\nSitemap,All known pages\nIssue,{reason}"
TABLE = (
    'URL,Last crawled\nhttps://example.com/a,2026-11-01\n"https://example.com/b,c",1969-12-31\nhttps://example.com/d,'
)
URLS = {"https://example.com/a", "https://example.com/b,c", "https://example.com/d"}

LANGUAGES = {
    "en": ("Crawled - currently not indexed", {"Chart.csv": CHART, "Table.csv": TABLE, "Metadata.csv": META}),
    "en with another dash": ("Crawled – currently not indexed", {"1": CHART, "2": TABLE, "3": META}),
    "de": (
        "Gecrawlt – zurzeit nicht indexiert",
        {
            "Diagramm.csv": CHART.replace("Date,Affected pages", "Datum,Betroffene Seiten"),
            "Tabelle.csv": TABLE.replace("Last crawled", "Letztes Crawling"),
            "Metadaten.csv": "Eigenschaft,Wert\nSitemap,Alle bekannten Seiten\nProblem,{reason}",
        },
    ),
    "fr": (
        "Explorée, actuellement non indexée",
        {
            "Graphique.csv": CHART.replace("Date,Affected pages", "Date,Pages concernées"),
            "Tableau.csv": TABLE.replace("Last crawled", "Dernière exploration"),
            "Métadonnées.csv".replace(
                "é", "e"
            ): 'Propriété,Valeur\nSitemap,Toutes les pages connues\nProblème,"{reason}"',
        },
    ),
    "ja": (
        "クロール済み - インデックス未登録",
        {
            "チャート.csv": CHART.replace("Date,Affected pages", "日付,影響を受けるページ"),
            "表.csv": TABLE.replace("Last crawled", "前回のクロール"),
            "メタデータ.csv": "プロパティ,値\nサイトマップ,既知のすべてのページ\n問題,{reason}",
        },
    ),
}


def imported(store: Path, *files: Path, **fields: Any) -> ImportedFile:
    return api.import_coverage(files, store=store, **fields).files[0]


def rows(store: Path) -> dict[str, tuple[Any, ...]]:
    with duckdb.connect(str(store), read_only=True) as connection:
        found = connection.execute(
            'SELECT url, state, reason, last_crawled::VARCHAR, engine, source, "at"::VARCHAR FROM index_states'
        ).fetchall()
    return {url: tuple(rest) for url, *rest in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_export_in_any_language(language: str, export: Export, tmp_path: Path) -> None:
    reason, members = LANGUAGES[language]
    path = export({name: text.replace("{reason}", reason) for name, text in members.items()})
    file = imported(tmp_path / "u.duckdb", path)
    assert (file.kind, file.engine, file.urls, file.reason) == (ExportKind.SEARCH_CONSOLE, "google", 3, reason)
    assert file.states == {IndexState.NOT_INDEXED: 3}
    assert (file.is_dated, file.at.date().isoformat()) == (True, "2026-11-20")
    usual = ("not-indexed", "crawled-not-indexed")
    of_file = ("google", "search-console", "2026-11-20 00:00:00")
    assert rows(tmp_path / "u.duckdb") == {
        "https://example.com/a": (*usual, "2026-11-01 00:00:00", *of_file),
        "https://example.com/b,c": (*usual, None, *of_file),
        "https://example.com/d": (*usual, None, *of_file),
    }


def test_the_list_of_indexed_pages_names_no_issue(export: Export, tmp_path: Path) -> None:
    members = {"Chart.csv": CHART, "Table.csv": TABLE, "Metadata.csv": "Property,Value\nSitemap,All known pages\n"}
    file = imported(tmp_path / "u.duckdb", export(members, "example.com-Coverage-Valid-2026-11-20.zip"))
    assert (file.reason, file.states) == (None, {IndexState.INDEXED: 3})


LABELS = {
    # The rows of Metadata.csv, the reason, and the state.
    "Russian": ("Файл Sitemap,Все известные страницы\nПроблема,Страница с переадресацией", "not-indexed"),
    "Chinese, indexed": ("站点地图,所有已知网页", "indexed"),
    "Chinese": ("站点地图,所有已知网页\n问题名称,已抓取 - 尚未编入索引", "not-indexed"),
    "Polish": ("Mapa witryny,Wszystkie znane strony\nProblem,Strona zeskanowana", "not-indexed"),
    "Polish, indexed": ("Mapa witryny,Wszystkie znane strony", "indexed"),
    "Portuguese, the sitemap last": ("Problema,Rastreada mas não indexada\nSitemap,Todas", "not-indexed"),
    "a sitemap by its URL": ("x,https://example.com/s.xml\ny,Gecrawld", "not-indexed"),
    "Spanish, of indexed pages": ("Sitemap,Todas\nProblema,Página indexada sin contenido", "indexed"),
    # Both "blocked" and "indexed, though blocked" name robots.txt.
    "Dutch, robots.txt": ("Sitemap,Alle\nProbleem,Geblokkeerd door robots.txt", None),
}


@pytest.mark.parametrize("name", LABELS)
def test_the_files_of_an_export_say_the_state_in_any_language(name: str, export: Export, tmp_path: Path) -> None:
    labels, state = LABELS[name]
    file = imported(tmp_path / "u.duckdb", export({"t": TABLE, "m": f"p,v\n{labels}"}))
    texts = {row.split(",", 1)[1] for row in labels.split("\n")}
    assert (file.reason is None) == (len(texts) == 1)
    assert file.reason is None or (file.reason in texts and not file.reason.startswith(("Все", "所有", "Wszy", "http")))
    assert {row[0] for row in rows(tmp_path / "u.duckdb").values()} == {state}
    assert file.states == ({} if state is None else {IndexState(state): 3})
    assert not file.is_dated
    if state is None:
        assert file.unknown_reasons == {file.reason: 3}
        file = imported(tmp_path / "u.duckdb", export({"t": TABLE, "m": f"p,v\n{labels}"}), state="not-indexed")
        assert file.states == {IndexState.NOT_INDEXED: 3}


@pytest.mark.parametrize("reason", IndexReason)
def test_every_reason_is_known_in_english(reason: IndexReason) -> None:
    from urlset.coverage.reasons import _TEXTS, reason_of

    for text in _TEXTS[reason]:
        assert reason_of(text) is reason
        assert reason_of(f" {text.upper()} ") is reason


SUMMARY = {
    "Chart.csv": "Date,Not indexed,Indexed,Impressions\n2026-11-20,5,9,100",
    "Critical issues.csv": "Reason,Source,Validation,Pages\nNot found (404),Website,Started,5",
    "Non-critical issues.csv": "Reason,Source,Validation,Pages",
    "Metadata.csv": "Property,Value\nSitemap,All known pages",
}


def bomb() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}.csv", b"0" * (csv_tables.MAX_UNPACKED // 2))
    return content.getvalue()


def many() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(csv_tables.MAX_MEMBERS + 1):
            archive.writestr(f"{number}.csv", b"a,b")
    return content.getvalue()


def excel() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(
            "xl/workbook.xml", '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>'
        )
    return content.getvalue()


def damaged() -> bytes:
    content = bytearray(many()[:4] + excel()[4:])
    content[60] ^= 0xFF
    return bytes(content)


REFUSED: dict[str, tuple[bytes | Callable[[], bytes], str]] = {
    "a ZIP bomb": (bomb, "after decompression"),
    "too many members": (many, "more than 100 members"),
    "an Excel workbook": (excel, "Excel workbook; in Search Console, choose Export, and then Download CSV"),
    "a torn ZIP file": (excel()[:50], "damaged ZIP file"),
    "a damaged ZIP file": (damaged, "damaged ZIP file"),
    "an image": (b"\x89PNG\r\n\x1a\n\0\0", "is not a CSV file"),
    "an empty file": (b"", "not an export that urlset knows"),
    "another CSV": (b"a,b\n1,2\n", r"name its columns with --fields url=COLUMN \(columns: a, b\)"),
    "an unclosed quote": (b'URL,Last crawled\n"https://example.com/a', "not a valid CSV file"),
    "only the table of URLs": (TABLE.encode(), "Metadata.csv is missing, which states the reason"),
    "a page": (b"<!doctype html>", "not an export that urlset knows"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_files_are_refused(name: str, tmp_path: Path) -> None:
    content, said = REFUSED[name]
    path = tmp_path / "example.com-Coverage-Drilldown-2026-11-20.zip"
    path.write_bytes(content() if callable(content) else content)
    with pytest.raises(InputError, match=said):
        imported(tmp_path / "u.duckdb", path)
    assert not (tmp_path / "u.duckdb").exists()


def test_a_summary_under_the_name_of_a_drilldown_is_refused(export: Export, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is the summary of the report, which has no URLs, whatever its name"):
        imported(tmp_path / "u.duckdb", export(SUMMARY))
    with pytest.raises(InputError, match="no table of URLs"):
        imported(tmp_path / "u.duckdb", export({"a.csv": "a,b\nc,d"}))
    with pytest.raises(InputError, match=r"Metadata\.csv is missing, which states the reason"):
        imported(tmp_path / "u.duckdb", export({"t": TABLE}))


WHOLE = {"Chart.csv": CHART, "Table.csv": TABLE, "Metadata.csv": META.replace("{reason}", "Soft 404")}
BING_FILE = "URL,Last crawled,Discovered on,HTTP code\nhttps://example.com/e,2026/11/01,2026/10/01,200\n"

UNPACKED: dict[str, tuple[dict[str, str], tuple[str, ...], int | str]] = {
    # The files in a directory, what is imported of it, and the number of exports or the error.
    "a directory": (WHOLE, (".",), 1),
    "its files": (WHOLE, ("Chart.csv", "Table.csv", "Metadata.csv"), 1),
    "without the chart": (WHOLE, ("Table.csv", "Metadata.csv"), 1),
    "what macOS adds": (WHOLE | {"._Table.csv": "\0", "__MACOSX/Table.csv": "\0"}, (".",), 1),
    "directories in a directory": (
        {f"{name}/{file}": text for name in ("a", "b") for file, text in WHOLE.items()},
        (".",),
        2,
    ),
    "files of two directories": (
        {f"{name}/{file}": text for name in ("a", "b") for file, text in WHOLE.items()},
        ("a/Table.csv", "b/Table.csv", "b/Metadata.csv", "a/Metadata.csv"),
        2,
    ),
    "another export next to it": (WHOLE | {"bing.csv": BING_FILE}, (".",), 2),
    "without Metadata.csv": ({"Chart.csv": CHART, "Table.csv": TABLE}, (".",), r"\.: Metadata\.csv is missing"),
    "only Table.csv": (WHOLE, ("Table.csv",), r"Table\.csv: Metadata\.csv is missing, .* or the directory"),
    "without Table.csv": (
        {name: text for name, text in WHOLE.items() if name != "Table.csv"},
        (".",),
        r"\.: Table\.csv is missing, which has the URLs",
    ),
    "two exports in one directory": (WHOLE | {"Table (1).csv": TABLE}, (".",), "has several tables of URLs"),
    "the summary": (SUMMARY, (".",), "is the summary of the report, which has no URLs"),
    "an empty directory": ({}, (".",), "no file in this directory ends in .csv or .zip"),
    "too many files": ({f"{number}.csv": "a,b" for number in range(101)}, (".",), "more than 100 CSV files"),
}


def test_an_export_that_was_unpacked(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for number, (name, (members, targets, wanted)) in enumerate(UNPACKED.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        for member, text in members.items():
            (folder / member).parent.mkdir(exist_ok=True)
            (folder / member).write_text(text)
        with subtests.test(name), pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            if isinstance(wanted, str):
                with pytest.raises(InputError, match=wanted):
                    api.import_coverage(targets, store="u.duckdb")
                assert not Path("u.duckdb").exists()
                continue
            result = api.import_coverage(targets, store="u.duckdb")
            assert len(result.files) == wanted
            of_google = [file for file in result.files if file.engine == "google"]
            assert {(file.urls, file.reason) for file in of_google} == {(3, "Soft 404")}


def test_directories_of_archives(export: Export, tmp_path: Path) -> None:
    (tmp_path / "exports").mkdir()
    for reason in ("Soft 404", "Not found (404)"):
        path = export({"t": TABLE, "m": META.replace("{reason}", reason)}, f"{reason}.zip")
        path.rename(tmp_path / "exports" / path.name)
    result = api.import_coverage(tmp_path / "exports", store=tmp_path / "u.duckdb")
    assert sorted(str(file.reason) for file in result.files) == ["Not found (404)", "Soft 404"]
    (tmp_path / "exports" / "pages.csv").write_text("Address\nhttps://example.com/z\n")
    with pytest.raises(InputError, match="archive with several files; --fields is for a CSV file"):
        api.import_coverage(tmp_path / "exports", store=tmp_path / "u.duckdb", engine="x", fields={"url": "Address"})


def test_names_of_members_are_not_used(export: Export, tmp_path: Path) -> None:
    members = {"../../Chart.csv": CHART, "/etc/passwd": TABLE, "C:\\x": META.replace("{reason}", "Soft 404")}
    file = imported(tmp_path / "u.duckdb", export(members, "x.zip"))
    assert file.urls == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["u.duckdb", "x.zip"]


PERFORMANCE = 'Fecha,Clics,Impresiones,CTR,Posición\n2026-08-26,4,120,"3,33%","12,4"'
OTHERS: dict[str, tuple[str | dict[str, str], str]] = {
    "performance.zip": ({"a.csv": PERFORMANCE, "b.csv": "Filtro,Valor\nTipo,Web"}, "performance report"),
    "summary.zip": (SUMMARY, "summary of the report"),
    "Latest links.csv": ("Linking page,Last crawled\nhttps://example.net/a,2026-08-01", "links report"),
    "Top target pages.csv": ("Target page,Incoming links,Linking sites\nhttps://example.com/a,12,3", "links report"),
    "Internal links.csv": ("Seite,Interne Links\nhttps://example.com/a,12", "links report"),
    "Top linking text.csv": ("Ranking,Link text\n1,chairs\n2,oak", "links report"),
    "Seiten.csv": ("Seiten;Klicks;Impressionen;CTR;Position\nhttps://example.com/;4;120;3,33 %;12,4", "performance"),
    "None.csv": ("Página con enlaces,Último rastreo\n", "has no rows"),
}


def test_exports_of_other_reports_are_named_and_the_rest_is_imported(export: Export, tmp_path: Path) -> None:
    (tmp_path / "exports").mkdir()
    for name, (content, reason) in OTHERS.items():
        path = tmp_path / name
        if isinstance(content, str):
            path.write_text(content)
        else:
            export({key: text.encode() for key, text in content.items()}, name)
        with pytest.raises(InputError, match=reason):
            imported(tmp_path / "u.duckdb", path)
        path.rename(tmp_path / "exports" / name)
    export({"t": TABLE, "m": META.replace("{reason}", "Soft 404")}, "good.zip").rename(tmp_path / "exports/good.zip")
    result = api.import_coverage(tmp_path / "exports", store=tmp_path / "u.duckdb")
    assert [(Path(file.path).name, file.urls) for file in result.files] == [("good.zip", 3)]
    named = {Path(other.target).name: other.reason for other in result.left_out}
    assert named.keys() == OTHERS.keys()
    assert all(OTHERS[name][1] in reason for name, reason in named.items())


RESAVED = {
    # The dates of the table, the option, and the day of the first one or the error.
    "British": (("20/08/2026", "02/08/2026"), None, "2026-08-20"),
    "American": (("8/20/2026", "8/2/2026"), None, "2026-08-20"),
    "American, last row": (("8/2/2026", "8/20/2026"), None, "2026-08-02"),
    "Dutch": (("20-08-2026", "2-8-2026"), None, "2026-08-20"),
    "German": (("02.08.2026", "03.08.2026"), None, "2026-08-02"),
    "Japanese": (("2026/8/2", "2026/8/20"), None, "2026-08-02"),
    "Korean": (("2026.8.2.", "2026.8.20."), None, "2026-08-02"),
    "with a time": (("20/08/2026 10:05", "8/02/2026"), None, "2026-08-20"),
    "with the half of the day": (("8/20/2026 10:05:00 PM", "8/02/2026"), None, "2026-08-20"),
    "the same either way": (("08/08/2026", ""), None, "2026-08-08"),
    "ambiguous": (("02/08/2026", "03/08/2026"), None, "02/08/2026 in the column Last crawled can have the day"),
    "ambiguous, told": (("02/08/2026", "03/08/2026"), "dmy", "2026-08-02"),
    "ambiguous, told otherwise": (("02/08/2026", "03/08/2026"), "mdy", "2026-02-08"),
    "the column says otherwise": (("20/08/2026", "03/08/2026"), "mdy", "2026-08-20"),
    "mixed": (("20/08/2026", "08/20/2026"), None, "has 20/08/2026 and 08/20/2026: a program changed some"),
}


FORMS = ("semicolons", "UTF-16", "Windows", "sep=")


@pytest.mark.parametrize(
    ("name", "form"), [*((name, "commas") for name in RESAVED), *(("British", of) for of in FORMS)]
)
def test_dates_that_a_program_wrote_anew(name: str, form: str, export: Export, tmp_path: Path) -> None:
    dates, told, wanted = RESAVED[name]
    tables = {
        "t": [("URL", "Last crawled"), *((f"https://example.com/{n}", date) for n, date in enumerate(dates))],
        "m": [("Eigenschaft", "Wert für"), ("Sitemap", "Alle"), ("Problem", "Gecrawlt – zurzeit nicht indexiert")],
    }
    mark = {"commas": ",", "UTF-16": "\t"}.get(form, ";")
    encoding = {"UTF-16": "utf-16", "Windows": "cp1252"}.get(form, "utf-8-sig")
    texts = {key: "".join(f"{mark.join(row)}\r\n" for row in table) for key, table in tables.items()}
    start = f"sep={mark}\r\n" if form == "sep=" else ""
    path = export({key: (start + text).encode(encoding) for key, text in texts.items()})
    options = {} if told is None else {"dates": told}
    if not wanted.startswith("2026"):
        with pytest.raises(InputError, match=wanted):
            imported(tmp_path / "u.duckdb", path, **options)
        return
    file = imported(tmp_path / "u.duckdb", path, **options)
    assert (file.unread_dates, file.reason) == (0, "Gecrawlt – zurzeit nicht indexiert")
    assert str(rows(tmp_path / "u.duckdb")["https://example.com/0"][2]).startswith(wanted)


def test_the_date_of_a_report_follows_its_own_column(export: Export, tmp_path: Path) -> None:
    members = {"t": TABLE, "m": META.replace("{reason}", "Soft 404")}
    chart = "Date,Affected pages\n8/26/2026,2\n8/27/2026,3"
    assert imported(tmp_path / "u.duckdb", export(members | {"c": chart})).at.date().isoformat() == "2026-08-27"
    chart = "Date,Affected pages\n8/2/2026,2\n8/3/2026,3"
    with pytest.raises(
        InputError, match="8/2/2026 in the column Date can have the day or the month first; use --dates"
    ):
        imported(tmp_path / "u.duckdb", export(members | {"c": chart}))


def test_one_wrong_file_imports_nothing(export: Export, tmp_path: Path) -> None:
    good = export({"t": TABLE, "m": META.replace("{reason}", "Soft 404")}, "good.zip")
    bad = export({"a.csv": "a,b\nc,d"}, "bad.zip")
    with pytest.raises(InputError, match=r"bad\.zip"):
        imported(tmp_path / "u.duckdb", good, bad)
    assert not (tmp_path / "u.duckdb").exists()


def test_a_file_that_cannot_be_stored_takes_back_the_files_before_it(export: Export, tmp_path: Path) -> None:
    def of_reason(reason: str, name: str) -> Path:
        return export({"t": TABLE, "m": META.replace("{reason}", reason)}, name)

    imported(tmp_path / "u.duckdb", of_reason("Soft 404", "first.zip"))
    with duckdb.connect(str(tmp_path / "u.duckdb")) as connection:
        connection.execute("DELETE FROM index_states")
        # Stands for a full disk.
        connection.execute("CREATE UNIQUE INDEX one ON index_states (url, reason)")
        connection.execute("INSERT INTO index_states (url, reason) SELECT 'https://example.com/a', 'noindex'")
    with pytest.raises(OutputError, match="cannot be written"):
        imported(
            tmp_path / "u.duckdb", of_reason("Soft 404", "first.zip"), of_reason("Excluded by 'noindex' tag", "bad.zip")
        )
    with duckdb.connect(str(tmp_path / "u.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT reason FROM index_states").fetchall() == [("noindex",)]


def test_a_file_that_is_imported_again_replaces_its_rows(export: Export, tmp_path: Path) -> None:
    path = export({"c": CHART, "t": TABLE, "m": META.replace("{reason}", "Soft 404")})
    for _ in range(2):
        imported(tmp_path / "u.duckdb", path)
    with duckdb.connect(str(tmp_path / "u.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM index_states").fetchall() == [(3,)]


def test_an_export_as_long_as_exports_can_be_may_be_cut(export: Export, tmp_path: Path) -> None:
    table = "URL,Last crawled\n" + "\n".join(f"https://example.com/{number},2026-11-01" for number in range(1_000))
    file = imported(tmp_path / "u.duckdb", export({"t": table, "m": META.replace("{reason}", "Soft 404")}))
    assert (file.urls, file.is_cut) == (1_000, True)


BING = (
    "URL,Impressions,Clicks,Last crawled,Discovered on,HTTP code,Document size,Backlinks\n"
    "https://example.com/a,10,1,11/02/2026,01/05/2026,200,1000,3\nexample.com/b,0,0,x,,404,0,0\n"
    "https://example.com/c,0,0,soon,,200,0,0\n"
)


def test_site_explorer_of_bing_says_nothing_on_the_state(tmp_path: Path) -> None:
    path = tmp_path / "SiteExplorerUrls.csv"
    path.write_text(BING)
    file = imported(tmp_path / "u.duckdb", path)
    assert (file.kind, file.engine, file.urls, file.states) == (ExportKind.BING, "bing", 2, {})
    assert (file.skipped, file.unread_dates) == (1, 1)
    found = rows(tmp_path / "u.duckdb")
    assert found["https://example.com/a"][:5] == (None, None, "2026-11-02 00:00:00", "bing", "bing")
    file = imported(tmp_path / "u.duckdb", path, state="indexed")
    assert file.states == {IndexState.INDEXED: 2}


def test_any_csv_with_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    path.write_text(
        "Address,Indexed?,Why,Seen\nhttps://example.com/a,yes,,2026-11-01T10:00:00+02:00\n"
        "https://example.com/b,No,Not found (404),\nhttps://example.com/c,perhaps,,\n,,,\n"
    )
    fields = {"url": "Address", "state": "Indexed?", "reason": "Why", "last_crawled": "Seen"}
    file = imported(tmp_path / "u.duckdb", path, fields=fields, engine="seznam")
    assert file.states == {IndexState.INDEXED: 1, IndexState.NOT_INDEXED: 1}
    assert file.unknown_reasons == {"perhaps": 1}
    found = rows(tmp_path / "u.duckdb")
    assert found["https://example.com/a"][:5] == ("indexed", None, "2026-11-01 08:00:00", "seznam", "csv")
    assert found["https://example.com/b"][:2] == ("not-indexed", "not-found")
    assert found["https://example.com/c"][:2] == (None, None)


@pytest.mark.parametrize(
    ("fields", "engine", "said"),
    [
        ({"url": "Adress"}, "x", "has no column 'Adress'; did you mean 'Address'"),
        ({"url": "Address"}, None, "name the search engine that the file is from with --engine"),
        ({"state": "Address"}, "x", "name the column with the URLs"),
        ({"uri": "Address"}, "x", "unknown field 'uri'; known fields: url, state"),
    ],
)
def test_wrong_columns(tmp_path: Path, fields: dict[str, str], engine: str | None, said: str) -> None:
    path = tmp_path / "pages.csv"
    path.write_text("Address\nhttps://example.com/a\n")
    with pytest.raises(UsageError, match=said):
        imported(tmp_path / "u.duckdb", path, fields=fields, engine=engine)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(seed: int, export: Export, tmp_path: Path) -> None:
    """Bytes of an archive and of a table are changed at random: they are read, or refused with a reason."""
    chance = Random(seed)
    original = export({"c": CHART, "t": TABLE, "m": META.replace("{reason}", "Soft 404")}).read_bytes()
    path = tmp_path / "changed"
    for source in (original, BING.encode(), TABLE.encode("utf-16")):
        for _ in range(150):
            content = bytearray(source)
            for _ in range(chance.randint(1, 4)):
                place = chance.randrange(len(content))
                content[place : place + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
            path.write_bytes(content)
            try:
                [(_, found_export)], _ = read_exports([path], ImportOptions())
                found, told = rows_of(found_export, path, datetime.now(UTC))
            except InputError:
                continue
            assert len(found) == told.urls
            assert all(str(row["url"]).lower().startswith("http") for row in found)


@pytest.mark.parametrize(
    ("limit", "rows", "what"), [("MAX_ROWS", "a\n" * 21, "rows"), ("MAX_CELLS", "a,b,c\n" * 7, "cells")]
)
@pytest.mark.parametrize("is_archive", [True, False])
def test_rows_and_cells_are_limited_while_they_are_read(
    limit: str, rows: str, what: str, is_archive: bool, export: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_tables, limit, 20)
    if is_archive:
        # The members of an archive share the limit.
        half = len(rows) // 2
        path = export({"a": rows[:half], "b": rows[half:]}, "large.zip")
    else:
        path = tmp_path / "large.csv"
        path.write_text(rows)
    with pytest.raises(InputError, match=rf"large\.(zip|csv): has more than 20 {what}; split it"):
        csv_tables.tables_in(path)


def test_a_report_of_the_future_is_refused(export: Callable[..., Path], tmp_path: Path) -> None:
    path = export({
        "Chart.csv": "Date,Pages\n2199-02-08,1\n",
        "Table.csv": "URL,Last crawled\nhttps://example.com/a,2026-11-01\n",
        "Metadata.csv": "Property,Value\nIssue,Soft 404\nSitemap,All known pages\n",
    })  # fmt: skip
    with pytest.raises(InputError, match="its report is of 2199-02-08, in the future"):
        api.import_coverage(path, store=tmp_path / "urlset.duckdb")
    assert not (tmp_path / "urlset.duckdb").exists()


def test_urls_of_another_property_are_counted(export: Callable[..., Path], audited: Callable[..., Path]) -> None:
    path = export({
        "Table.csv": "URL,Last crawled\nhttps://example.com/a,2026-11-01\nhttps://example.org/b,2026-11-01\n",
        "Metadata.csv": "Property,Value\nIssue,Soft 404\nSitemap,All known pages\n",
    })  # fmt: skip
    store = audited({"a.xml": ["https://example.com/a"]})
    result = api.import_coverage(path, store=store)
    assert result.files[0].elsewhere == 1
    assert "1 URL on hosts that no run in the store lists" in "\n".join(render("coverage import", "text", result))
