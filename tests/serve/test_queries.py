"""SQL of users: what it may do, its limits, and its files."""

from __future__ import annotations

import html
import io
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest

from urlset.errors import UrlsetError
from urlset.serve import user_queries
from urlset.tables import PAGES

from .conftest import Bench


def ask(bench: Bench, sql: str, form: str = "") -> str:
    return f"/sql?run=2&q={quote(sql)}" + (f"&as={form}" if form else "")


def test_the_result_is_a_table_or_a_chart(bench: Bench) -> None:
    text = bench.page(ask(bench, "select reason, count(*) as n from pages group by 1 order by 2 desc"))
    assert "canonical-elsewhere" in text
    chart = bench.page(ask(bench, "select reason, count(*) as n from pages group by 1") + "&view=chart")
    assert 'class="across"' in chart
    assert PAGES.column("words").about in html.unescape(text)
    assert "A chart needs" in bench.page(ask(bench, "select 'a' as a, 'b' as b") + "&view=chart")


def test_long_cells_are_shortened(bench: Bench) -> None:
    text = bench.page(ask(bench, "select repeat('a', 300) as a, repeat('b', 301) as b"))
    assert f"{'a' * 300}<" in text
    assert f"{'b' * 300}… <small>(301 characters)</small>" in text


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("select * from read_csv('/etc/passwd')", "only read the tables"),
        ("copy pages to '/tmp/x.csv'", "SELECT"),
        ("delete from pages", "SELECT"),
        ("attach '/tmp/other.duckdb'", "SELECT"),
        ("select 1; select 2", "single"),
        ("select nothing", "nothing"),
        ("install httpfs", "SELECT"),
    ],
)
def test_a_query_can_only_read_its_tables(bench: Bench, tmp_path: Path, sql: str, says: str) -> None:
    asked = user_queries.Query(sql, bench.server.snapshots.store, 2, user_queries.QueryForm.SHOWN, tmp_path / "result")
    with pytest.raises(UrlsetError, match=says):
        user_queries.answer(asked)


def test_what_is_wrong_with_a_query_is_shown_without_paths(bench: Bench) -> None:
    text = html.unescape(bench.page(ask(bench, "select * from read_csv('/etc/passwd')"), 400))
    assert "only read the tables" in text
    assert str(bench.server.snapshots.store.parent) not in text


def test_a_query_that_takes_too_long_is_ended(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_queries, "MAX_SECONDS", 0.5)
    sql = "select count(*) from range(1000000) a, range(1000000) b where a.range + b.range = 3"
    text = html.unescape(bench.page(ask(bench, sql), 400))
    assert "ran longer than 0.5 s" in text


@pytest.mark.long("slow cases")
def test_only_so_many_rows_are_shown_and_files_have_all(bench: Bench) -> None:
    sql = "select range as n from range(1500)"
    text = bench.page(ask(bench, sql))
    assert "1,000 rows; there are more" in text
    assert len(bench.client.get(ask(bench, sql, "csv")).text.splitlines()) == 1501
    assert len(bench.client.get(ask(bench, sql, "jsonl")).text.splitlines()) == 1500
    import polars

    assert polars.read_parquet(io.BytesIO(bench.client.get(ask(bench, sql, "parquet")).content)).height == 1500


def test_a_worksheet_has_text_that_is_never_a_formula_or_link(bench: Bench) -> None:
    sql = "select '=1+1' as a, 'https://www.example.com/' as b, 1.5 as c, true as d, null as e, 'NaN'::DOUBLE as f"
    response = bench.client.get(ask(bench, sql, "xlsx"))
    assert response.headers["content-disposition"] == 'attachment; filename="urlset.xlsx"'
    with zipfile.ZipFile(io.BytesIO(response.content)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert "hyperlink" not in sheet
    assert "=1+1" in sheet
    assert "<v>1.5</v>" in sheet


def test_a_cell_that_would_be_cut_is_refused(bench: Bench) -> None:
    assert bench.client.get(ask(bench, "select repeat('a', 32767) as a", "xlsx")).status_code == 200
    text = html.unescape(bench.page(ask(bench, "select repeat('a', 32768) as a", "xlsx"), 400))
    assert "row 1, a: a cell has room for 32,767 characters" in text


def test_too_many_queries_at_once_are_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_queries, "MAX_WAITING", 0)
    assert "too many queries run" in bench.page(ask(bench, "select 1"), 400)
