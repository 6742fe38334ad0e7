"""Results are plain values whose fields describe themselves."""

from __future__ import annotations

import copy
import pickle
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from msgspec import Meta, Struct, structs

import urlset.model
from urlset.model.comparison import Gaps, ListedUrl, Part
from urlset.model.query import QueryReport
from urlset.model.redirects import RedirectCounts
from urlset.model.robots import BlockedUrl

MODULES = [import_module(module.name) for module in iter_modules(urlset.model.__path__, "urlset.model.")]
RESULTS = [
    each
    for module in MODULES
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Struct) and each.__module__ == module.__name__
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.__name__)
def test_results_are_frozen_and_their_fields_described(result: type[Struct]) -> None:
    assert result.__struct_config__.frozen or result is RedirectCounts  # Counts while rows are streamed.
    kinds = get_type_hints(result, include_extras=True)
    if result is BlockedUrl:  # Its own text describes all of its fields.
        return
    for name in result.__struct_fields__:
        assert get_origin(kinds[name]) is Annotated, name
        about = get_args(kinds[name])[-1]
        assert isinstance(about, Meta), name
        assert about.description, name


def test_results_are_compared_shown_and_copied_by_value() -> None:
    url = ListedUrl("https://example.com/", "a.xml", lastmod=None)
    part = Part(1, (url,))
    assert part == Part(1, (ListedUrl("https://example.com/", "a.xml", None),)) != structs.replace(part, count=2)
    assert hash(part) == hash(copy.deepcopy(part)) == hash(pickle.loads(pickle.dumps(part)))
    assert (
        repr(url) == "ListedUrl(url='https://example.com/', document='a.xml', lastmod=None, respelled=None, moved=None)"
    )
    assert Gaps().unreadable == ()
    with pytest.raises(AttributeError):
        url.url = ""  # type: ignore[misc]


def test_long_results_have_a_short_repr() -> None:
    report = QueryReport(("a",), ("INTEGER",), [(1,), (2,)], arrow=lambda *_: None)
    assert repr(report) == (
        "QueryReport(columns=<1 item>, types=<1 item>, rows=<2 items>, unreadable=<0 items>, skipped=<0 items>)"
    )


def test_results_are_tables_in_notebooks() -> None:
    rows: list[tuple[object, ...]] = [(f"https://example.com/?a&{number}", "<script>\u202e") for number in range(11)]
    report: Any = QueryReport(("loc", "<b>"), ("VARCHAR", "VARCHAR"), rows)
    html = report._repr_html_()
    assert "<details open><summary><code>rows</code>: 11 items, the first 10</summary>" in html
    assert "<th>loc</th><th>&lt;b&gt;</th>" in html
    assert "<td>https://example.com/?a&amp;9</td><td>&lt;script&gt;\\u{202e}</td>" in html
    assert "a&amp;10" not in html
    assert "<td>skipped</td><td>&lt;0 items&gt;</td>" in html


def test_findings_and_documents_are_tables_in_notebooks() -> None:
    report: Any = urlset.validate(b"<urlset>" + b"x" * 100)
    html = report._repr_html_()
    assert f"<td>{report.findings[0].rule.code}</td>" in html
    assert "<code>documents</code>: 1 item, 20 of " in html
