"""Questions about the example site that an assistant answers from one or two calls, judged by exact facts."""

from __future__ import annotations

import os
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.cases import case_table

import urlset
from urlset.cli.mcp_tools import Tools
from urlset.options.assistants import AssistantOptions
from urlset.options.resolve import resolve
from urlset.pipeline.pages import page_list
from urlset.report.brief import BYTES_PER_TOKEN, DATA, MAX_TOKENS
from urlset.report.formats import render

ROOT = Path(__file__).parents[2]


class Call(NamedTuple):
    """A call of a tool."""

    tool: str
    arguments: dict[str, Any]


def page(url: str, **more: Any) -> Call:
    return Call("page", {"url": url, **more})


def sql(query: str) -> Call:
    return Call("sql", {"query": query})


RUN = Call("findings", {})
SINCE = Call("findings", {"before": 1})
PAGES = Call("pages", {})
FAULTY = Call("validate", {"target": "faulty.xml"})

QUESTIONS: dict[str, tuple[list[Call], list[str]]] = {
    "Why is /hidden not indexed?": (
        [page("/hidden")],
        ['"~/hidden" in run 2: not indexable, noindex: "meta robots: noindex"', "fix: Remove the noindex"],
    ),
    "Which header keeps /hidden-by-header out of the index?": (
        [page("/hidden-by-header")],
        ['not indexable, noindex: "X-Robots-Tag googlebot: none"'],
    ),
    "Which sitemap lists 404s, and on which line?": (
        [RUN],
        ["not-found (PGE001), 2 pages not indexable", '"~/gone": "404", listed in "~/sitemap.xml" line 5'],
    ),
    "Which listed pages are gone?": (
        [PAGES],
        ['"~/gone": "404", listed in "~/sitemap.xml" line 5', '"~/us": "410", listed in "~/sitemap.xml" line 33'],
    ),
    "What changed since the last run?": (
        [SINCE],
        ['1 URL added\n   "~/stools"', '1 URL removed\n   "~/sale"', "2 URLs with a changed lastmod: 2 later"],
    ),
    "Which findings are new?": (
        [SINCE],
        ["2 findings new\n   MOD015 warning, places 0 to 1", "MOD016 warning, places 0 to 1"],
    ),
    "Which finding is gone with its page?": (
        [SINCE],
        ["1 finding on pages no longer listed\n   PGE009 error, places 1 to 0"],
    ),
    "How did the lastmod of /chairs change?": (
        [SINCE],
        ['"~/chairs": lastmod "2025-11-03", then lastmod "2025-12-01" (later)'],
    ),
    "How many listed pages cannot be indexed?": (
        [RUN],
        ["15 of 49 listed pages cannot be indexed; it is unknown whether 4 more can"],
    ),
    "How many URLs do the sitemaps list?": ([RUN], ["in 2 documents with 49 URLs"]),
    "Which status codes did the pages return?": ([RUN], ["1 x 403", "1 x 404", "1 x 410", "1 x 500"]),
    "Which crawlers are blocked from everything?": ([RUN], ["GPTBot 49 of 49", "CCBot 49 of 49", "Googlebot 1 of 49"]),
    "Which line of robots.txt blocks /closed/page?": (
        [page("/closed/page")],
        ['not indexable, blocked-by-robots: "line 2: /closed/"'],
    ),
    "Where does /moved redirect to?": ([page("/moved")], ['not indexable, redirect: "~/chairs"']),
    "What to list instead of /moved-twice?": (
        [PAGES],
        ['"~/moved-twice": "~/chairs", listed in "~/sitemap.xml" line 10; edit: replace loc with "~/chairs"'],
    ),
    "What is the canonical of /copy?": ([page("/copy")], ['canonical-elsewhere: "~/chairs"', 'canonical: "~/chairs"']),
    "Which page has the text of /lamps-by-price?": (
        [page("/lamps-by-price")],
        ['"~/lamps-by-price" in run 2: not indexable, duplicate: "~/lamps"'],
    ),
    "Which page has a server error?": ([RUN], ['"~/broken": "500", listed in "~/sitemap.xml" line 7']),
    "Which page did not respond?": ([RUN], ['"~/hangs-up": "the server closed the connection without a response"']),
    "Which page refuses urlset?": ([RUN], ['"~/members": "403", listed in "~/sitemap.xml" line 6']),
    "Which redirect never ends?": ([RUN], ['"~/circle": "redirects to itself"']),
    "When did /sale expire?": ([page("/sale", run=1)], ['"~/sale" in run 1: not indexable, expired: "2025-01-31"']),
    "What is /picture?": ([page("/picture")], ['not indexable, not-html: "image/png"']),
    "Is /lamps indexable, and where is it listed?": (
        [page("/lamps")],
        ['"~/lamps" in run 2: indexable', 'listed in "~/sitemap.xml" line 21, lastmod "2025-12-01"'],
    ),
    "Which pages link to /gone?": ([page("/gone")], ['linked from 1 page\n   "~/chairs"']),
    "Is /unlisted in a sitemap, and who links to it?": (
        [page("/unlisted")],
        ['"~/unlisted" in run 2: listed in no sitemap', '"~/chairs"'],
    ),
    "Does /nowhere exist?": ([page("/nowhere")], ["No sitemap of the run lists this path, and no page"]),
    "Why does /lost look like an error page?": (
        [page("/lost")],
        ['PGE016 warning: "~/lost has the title \\"Page not found\\"" in "~/sitemap.xml" line 35'],
    ),
    "Which image is broken?": (
        [sql("select regexp_extract(message, '/[a-z.]+: .*') as image from findings where code = 'IMG006'")],
        ['"/lost.png: HTTP 404"'],
    ),
    "How many pages redirect?": (
        [sql("select count(*) as pages from pages where reason in ('redirect', 'client-redirect')")],
        ['columns: "pages"\n1. 3'],
    ),
    "Which page is the most clicks away from the home page?": (
        [page("/range/6")],
        ["LNK009 info", "~/range/6 is 6 clicks from the home page"],
    ),
    "What does HRL014 mean, and where is it?": (
        [Call("explain", {"code": "HRL014"}), page("/us")],
        ["# HRL014: hreflang-target-not-indexable", 'HRL014 error: "~/us returns 410" in "~/sitemap.xml" line 32'],
    ),
    "How is the hreflang value of faulty.xml fixed?": (
        [FAULTY],
        ['HRL003 error, 2 places: hreflang value is invalid\n   edit line 186: replace "en_GB" with "en-GB"'],
    ),
    "What is most urgent in faulty.xml?": ([FAULTY], ["1. XML002 error, 1 place: An & is not escaped"]),
    "Which command repairs faulty.xml?": ([FAULTY], ["`urlset fix --diff faulty.xml`"]),
    "How many entries does faulty.xml have?": (
        [Call("inspect", {"target": "faulty.xml"})],
        ['"faulty.xml": urlset, 36 URLs'],
    ),
}


ANSWERS: dict[str, str] = {}
"""Answers by call, since several questions make the same."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the store of two runs on the example site, which changed in between, and a faulty sitemap."""
    folder = tmp_path_factory.mktemp("assistant")
    shutil.copy(ROOT / "examples" / "faulty" / "sitemap.xml", folder / "faulty.xml")
    site = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))
    with site["serving"]() as origin:
        for _ in range(2):
            options: dict[str, Any] = {"store": folder / "urlset.duckdb", "ignore": ("LOC024",), "crawl": True}
            urlset.audit(origin, preview=True, images=True, retries=0, **options)
            site["change"]()
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def answer(call: Call, folder: Path) -> str:
    key = repr(call)
    if key not in ANSWERS:
        ANSWERS[key] = asked(call, folder)
    return ANSWERS[key]


def asked(call: Call, folder: Path) -> str:
    if call.tool == "pages":
        with page_list(folder / "urlset.duckdb") as pages:
            return "\n".join(render("pages", "llm", pages))
    tools = Tools(folder, resolve(AssistantOptions, None, {}), allow_fetch=False)
    text: str = getattr(tools, call.tool)(**call.arguments)
    return text


@pytest.mark.sampled(10)
@case_table("calls, facts", QUESTIONS)
def test_a_question_is_answered_by_one_or_two_calls(folder: Path, calls: list[Call], facts: list[str]) -> None:
    assert len(calls) <= 2
    answers = [answer(call, folder) for call in calls]
    for call, text in zip(calls, answers, strict=True):
        assert len(text.encode()) <= MAX_TOKENS * BYTES_PER_TOKEN
        assert text.startswith("# " if call.tool == "explain" else DATA)
    for fact in facts:
        assert fact in "\n".join(answers), fact


def test_there_are_thirty_questions() -> None:
    assert len(QUESTIONS) >= 30
    assert not [question for question in QUESTIONS if re.search(r"[^?]$", question)]
