"""Draws the page: one file with everything in it, which asks nobody for anything.

The style and the script are let run by their hashes (https://www.w3.org/TR/CSP3/), and nothing else is: a script that
came with the input would not run, even if the escaping had a hole.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from urlset.report import json as validate_json
from urlset.report.check_text import points
from urlset.report.html import charts, view
from urlset.report.words import counted, instant, times
from urlset.safe import safe

if TYPE_CHECKING:
    from datetime import datetime

    from jinja2 import Environment

    from urlset.model.report_page import Page
    from urlset.model.run import Section

URL_SHOWN = 200
"""Longest URL that is shown whole, in characters."""


def render(page: Page) -> str:
    """The page as HTML."""
    style, script = _file("page.css"), _file("page.js")
    groups = view.by_rule_of(page.checks) if page.report is None else view.by_rule(page.report)
    return _environment().get_template("page.html.j2").render(
        page=page,
        summary=None if page.report is None else page.report.summary,
        style=Markup(style),
        script=Markup(script),
        policy=policy(style, script),
        data=_data(page),
        verdict=view.verdict_of(page),
        groups=groups,
        first=view.to_fix_first(page, groups),
        tree=[] if page.report is None else view.tree_of(page.report),
        view=view,
        charts=charts,
    )  # fmt: skip


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy: nothing is loaded, and only these two run."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _data(page: Page) -> Markup:
    """What the script draws tables from, as JSON that cannot end the element it stands in."""
    members: dict[str, object] = {}
    if page.report is not None:
        members = {
            "summary": validate_json.summary_as_json(page.report),
            "places": view.places_table(page.report),
            "documents": view.documents_table(page.report),
        }
    text = json.dumps(members, ensure_ascii=True, separators=(",", ":"), allow_nan=False, default=str)
    # https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026").replace(">", "\\u003e"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_file), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "number": lambda number: f"{number:,}",
        "percent": lambda share: f"{100 * share:.1f} %",
        "points": points,
        "prose": prose,
        "place": place,
        "safe_text": lambda value: safe(str(value)),
        "time": moment,
        "as_row": as_row,
        "health_kind": view.health_kind,
    }
    environment.globals |= {"counted": counted, "times": times}
    return environment


@cache
def _file(name: str) -> str:
    return resources.files("urlset.report.html").joinpath("files", name).read_text("utf-8")


def prose(text: str) -> Markup:
    """A paragraph of a rule's page: what stands between backticks as code, links as their text."""
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    pieces = re.split(r"`([^`]+)`", plain)
    return Markup("").join(
        Markup("<code>{}</code>").format(safe(piece)) if number % 2 else escape(safe(piece))
        for number, piece in enumerate(pieces)
    )


def place(text: str | None) -> Markup:
    """A URL or a path as text that is safe to show: a link if it is one of the web and harmless, shortened if long."""
    if text is None:
        return Markup()
    plain = safe(text)
    shown = _breakable(plain)
    if len(plain) > URL_SHOWN:
        half = URL_SHOWN // 2
        shown = Markup("{}<mark>…</mark>{} <small>({} characters)</small>").format(
            _breakable(plain[:half]), _breakable(plain[-half:]), f"{len(text):,}"
        )
    # Whatever had to be escaped leads elsewhere than it says.
    if plain == text and text[:8].lower().startswith(("http://", "https://")) and len(text) <= URL_SHOWN * 10:
        return Markup('<a class="url" href="{}" rel="noopener noreferrer nofollow" target="_blank">{}</a>').format(
            text, shown
        )
    return Markup('<span class="url">{}</span>').format(shown)


def _breakable(text: str) -> Markup:
    """Text that may go on in the next line behind a slash, before it has to in the middle of a word."""
    return Markup("<wbr>").join(re.split(r"(?<=[^/]/)(?=[^/])", text))


def moment(at: datetime) -> Markup:
    """An instant; the script puts it into the reader's words."""
    return Markup('<time datetime="{}">{}</time>').format(
        at.replace(tzinfo=None).isoformat(timespec="seconds") + "Z", instant(at.replace(microsecond=0))
    )


def as_row(one: charts.Bar | Section) -> tuple[str, int]:
    """What a chart shows, as a row of the table beside it."""
    return (one.label, one.count) if isinstance(one, charts.Bar) else (one.name, one.urls)
