"""The templates of the HTML report, which those of the workbench extend, and the values that they show.

The Content-Security-Policy (https://www.w3.org/TR/CSP3/) allows only this stylesheet and this script, by their hashes.
A script in the input would not run even if the escaping had a gap.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from urlset.model.json_values import as_json
from urlset.report import for_agents
from urlset.report.formats import part
from urlset.report.html import charts, filters, view
from urlset.report.pages import headline, sentence_on_pages
from urlset.report.style import Style
from urlset.report.words import limit_name, made_with, settings_of, shown_score, them
from urlset.text.safe import safe
from urlset.text.sizes import inflect, quantity
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jinja2 import Environment
    from jinja2.ext import Extension
    from jinja2.lexer import TokenStream
    from jinja2.runtime import Context

    from urlset.model.report_page import Page


def page_context(page: Page) -> dict[str, Any]:
    """Return the values that the template of a page shows, also in the frame of the workbench."""
    sheet, script = file("page.css"), file("page.js")
    groups = view.by_rule_of(page.checks) if page.report is None else view.by_rule(page.report, page.not_indexable)
    home = filters.home_of(view.urls_of(page, groups))
    return {
        "page": page,
        "home": home,
        "version": page.version,
        "summary": None if page.report is None else page.report.summary,
        "style": Markup(sheet),
        "script": Markup(script),
        "policy": _policy(sheet, script),
        "data": _data(page, home),
        "verdict": view.verdict_of(page),
        "groups": groups,
        "first": view.to_fix_first(page, groups),
        "tree": [] if page.report is None else view.tree_of(page.report),
        "view": view,
        "for_agents": for_agents,
        "charts": charts,
    }


def _policy(sheet: str, script: str) -> str:
    """Return the Content-Security-Policy."""
    return (
        f"default-src 'none'; style-src '{_digest(sheet)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _data(page: Page, home: str | None) -> Markup:
    """Return the data of the script's tables, as JSON that cannot close its script element."""
    members: dict[str, object] = {"home": home}
    if page.report is not None:
        members |= {
            "summary": as_json(page.report.finding_counts),
            "places": view.places_table(page.report),
            "documents": view.documents_table(page.report),
        }
    if page.pages is not None and page.not_indexable is not None and page.not_indexable.counts:
        members["pages"] = view.pages_table(page.not_indexable)
    text = json.dumps(_visible(members), ensure_ascii=True, separators=(",", ":"), allow_nan=False, default=str)
    # https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026").replace(">", "\\u003e"))


def _visible(value: object) -> object:
    """Return a value of a template or of the data, with all text escaped that would hide or reorder other text."""
    if isinstance(value, str):
        return value if isinstance(value, Markup) else safe(value)
    if isinstance(value, dict):
        return {_visible(key): _visible(member) for key, member in value.items()}
    return [*map(_visible, value)] if isinstance(value, list | tuple) else value


def _filter_at(html: str) -> str | None:
    """Return the filter of a value after this part of a template; None if `_visible` is enough.

    A form sends the values of its fields back, so they stay as they are. Preformatted text keeps its lines.
    """
    if re.search(r'\svalue="[^"]*\Z', html[html.rfind("<") :]):
        return "exact"
    for element, name in (("textarea", "exact"), ("pre", "lines")):
        if html.rfind(f"<{element}") > html.rfind(f"</{element}"):
            return name
    return None


def _filter_by_place() -> type[Extension]:
    """Return the extension that applies `_filter_at` to all templates, so that none has to name these filters."""
    from jinja2.ext import Extension
    from jinja2.lexer import Token

    class FilterByPlace(Extension):
        def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
            html, name = "", None
            for token in stream:
                if token.type == "data":
                    html += token.value
                elif token.type == "variable_end" and name is not None:
                    yield from (Token(token.lineno, "rparen", ")"), Token(token.lineno, "pipe", "|"))
                    yield Token(token.lineno, "name", name)
                yield token
                if token.type == "variable_begin" and (name := _filter_at(html)) is not None:
                    yield Token(token.lineno, "lparen", "(")

    return FilterByPlace


def at_home(show: Callable[[Any, str | None], Markup]) -> Callable[[Context, Any], Markup]:
    """Return the filter that shows URLs on the origin `home` of a page, if it has one, by their paths."""
    from jinja2 import pass_context

    @pass_context
    def shown(context: Context, text: Any) -> Markup:
        return show(text, context.get("home"))

    return shown


@cache
def environment() -> Environment:
    """Return the environment of the templates of the report, which also has the filters for those of the workbench."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(file), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=_visible, extensions=[_filter_by_place()],
    )  # fmt: skip
    environment.filters |= {
        "number": lambda number: f"{number:,}",
        "percent": lambda share: f"{100 * share:.1f}%",
        "shown_score": shown_score,
        "prose": filters.prose,
        "exact": filters.exact,
        "lines": filters.lines,
        "place": at_home(filters.place),
        "link_urls": at_home(filters.link_urls),
        "in_full": filters.place,
        "zip": zip,
        "safe_text": lambda value: safe(str(value)),
        "time": filters.moment,
        "as_row": filters.as_row,
        "sentence": filters.sentence,
        "page_reason": PageReason,
        "settings": settings_of,
        "limit_name": limit_name,
        "made_with": made_with,
        "headline": lambda counts, pages: headline(counts, pages.checked, is_all=pages.checked == pages.listed),
    }
    environment.globals |= {
        "quantity": quantity,
        "inflect": inflect,
        "them": them,
        "part": part,
        "sentence_on_pages": sentence_on_pages,
    }
    return environment


@cache
def file(name: str) -> str:
    """Return a file of the report: a template, its stylesheet, or its script."""
    return resources.files("urlset.report.html").joinpath("files", name).read_text("utf-8")


def render(page: Page, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    yield environment().get_template("page.html.j2").render(**page_context(page), bench=None, skip_to="verdict")
