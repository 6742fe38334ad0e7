"""`urlset.render` returns what the command writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cases import case_table

import urlset
from urlset.errors import UsageError
from urlset.report.formats import OUTPUTS

SITEMAP = b"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc></url><url><loc>/relative</loc><priority>2</priority></url></urlset>"""

SQL = "select loc, priority from urls"

VERBS: dict[str, tuple[list[str], Callable[[], Any]]] = {
    "validate": (["validate", "--select", "LOC"], lambda: urlset.validate("sitemap.xml", select=["LOC"])),
    "inspect": (["inspect"], lambda: urlset.inspect("sitemap.xml")),
    "sql": (["sql", SQL], lambda: urlset.query(SQL, "sitemap.xml")),
}


@pytest.mark.long("slow cases")
@case_table("command, form", lambda: [(command, form) for command in VERBS for form in OUTPUTS[command].formats])
def test_the_text_is_that_of_the_command(
    command: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sitemap.xml").write_bytes(SITEMAP)
    arguments, result = VERBS[command]
    written = cli(*arguments, "sitemap.xml", "--format", form).out
    # What a text report ends with is about the command line.
    assert written.startswith(urlset.render(result(), form))
    assert form == "text" or written == urlset.render(result(), form)


def test_results_without_such_a_format() -> None:
    report = urlset.validate(SITEMAP)
    with pytest.raises(UsageError, match="validate: no such format 'xlsx'; use text, concise, json"):
        urlset.render(report, "xlsx")
    with pytest.raises(UsageError, match="Url is not the result of a command"):
        urlset.render(urlset.Url(loc="https://example.com/"), "json")
    with pytest.raises(UsageError, match="Report is not the result of a command"):
        urlset.render(type("Report", (), {})(), "json")
    with pytest.raises(UsageError, match="fail_on: no such severity 'errors'; use error, warning"):
        urlset.render(report, "junit", fail_on="errors")
