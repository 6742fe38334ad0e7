"""The objects that handlers share: the store, the jobs, their protection, and the rendering of pages."""

from __future__ import annotations

import secrets
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, FunctionLoader
from markupsafe import Markup
from msgspec import Struct
from starlette.responses import HTMLResponse

from urlset import _core
from urlset.report.html import charts, filters
from urlset.report.html import template as report
from urlset.report.rows import as_text
from urlset.serve.guard import Access  # noqa: TC001 - a field of a Struct
from urlset.serve.jobs import Jobs  # noqa: TC001 - fields of a Struct
from urlset.serve.snapshots import Snapshots  # noqa: TC001 - fields of a Struct
from urlset.text.safe import safe
from urlset.text.sizes import size
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jinja2 import Environment
    from starlette.requests import Request

PLACES = (("Start", "/"), ("Runs", "/runs"), ("Monitor", "/monitor"), ("Explore", "/explore"), ("SQL", "/sql"))
"""The parts of the workbench."""

LONGEST_CELL = 300
"""Maximum characters of a cell to show."""

SHORT_CELL = 32
"""Maximum characters of a cell that is never broken into lines."""

SHEETS: dict[str, Callable[[str], str]] = {"page.css": report.file, "workbench.css": lambda name: file(name)}
SCRIPTS: dict[str, Callable[[str], str]] = {"page.js": report.file, "workbench.js": lambda name: file(name)}


FORM_TOKEN = secrets.token_hex(32)
"""Placeholder for the token in the forms of pages that all viewers share; a store cannot contain it."""


class Server(Struct, frozen=True):
    """A running workbench.

    Attributes:
        snapshots: The store.
        jobs: The jobs.
        access: What protects it.
        baseline: The baseline, which may not exist.
    """

    snapshots: Snapshots
    jobs: Jobs
    access: Access
    baseline: Path

    def page(
        self,
        request: Request | None,
        template: str,
        *,
        here: str,
        tabs: Sequence[tuple[str, str]] = (),
        tab: str = "",
        status: int = 200,
        **values: object,
    ) -> HTMLResponse:
        """Return a page of the workbench.

        Args:
            request: The request; None for a page that all viewers share, until `with_token`.
            here: The part of the workbench that it belongs to.
            tabs: Pages next to it, with their names.
            tab: Which of them it is.
        """
        frame = {
            "sheets": [f"/static/{name}" for name in SHEETS],
            "scripts": [f"/static/{name}" for name in SCRIPTS],
            "icon": "/static/icon.svg",
            "places": PLACES,
            "here": here,
            "tabs": tabs,
            "tab": tab,
        }
        common = {
            "bench": frame,
            "version": _core.__version__,
            "data": Markup("{}"),
            "parts": [],
            "skip_to": "content",
            "token": FORM_TOKEN if request is None else self._token(request),
            "charts": charts,
        }
        return HTMLResponse(environment().get_template(template).render({**common, **values}), status)

    def with_token(self, request: Request, body: bytes) -> bytes:
        """Return a page that all viewers share with the token of one of them in its forms."""
        return body.replace(FORM_TOKEN.encode(), self._token(request).encode())

    def _token(self, request: Request) -> str:
        return self.access.form_token(request.scope["urlset.browser"])


def run_tabs(run_id: int) -> list[tuple[str, str]]:
    """Return the pages about a run, with their names."""
    place = f"/runs/{run_id}"
    return [
        ("Report", place),
        ("Pages", f"{place}/pages"),
        ("Findings", f"{place}/findings"),
        ("Time to index", f"{place}/clock"),
        ("Tables", f"/explore?run={run_id}"),
        ("SQL", f"/sql?run={run_id}"),
    ]


@cache
def environment() -> Environment:
    """Return the templates of the workbench, which extend those of the report."""
    loaders = ChoiceLoader([FunctionLoader(_own_file), FunctionLoader(report.file)])
    jinja = report.environment().overlay(loader=loaders)
    jinja.filters |= {
        "size": size,
        "shown": report.at_home(lambda text, home: filters.breakable(filters.without_home(safe(text), home))),
        "without": lambda parameters, name: [(key, value) for key, value in parameters.items() if key != name],
        "short_path": _short_path,
        "cell": report.at_home(_cell),
        "form_name": lambda name: {"json": "JSON", "jsonl": "JSON Lines", "parquet": "Parquet"}.get(name, name.upper()),
    }
    jinja.globals |= {"reasons": {str(reason): reason for reason in PageReason}}
    return jinja


def _short_path(url: str) -> str:
    """Return the path of a URL, or the URL if it has none."""
    path = "/" + url.partition("://")[2].partition("/")[2] if "://" in url else url
    return url if path == "/" else path


def _cell(value: object, home: str | None) -> Markup:
    """Return the text of a cell, shortened if it is long, with links; those to `home` are shown by their paths."""
    text = as_text(value)
    short_text = f"{text[:LONGEST_CELL]}…" if len(text) > LONGEST_CELL else text
    more = Markup(" <small>({:,} characters)</small>").format(len(text)) if len(text) > LONGEST_CELL else Markup()
    markup = filters.link_urls(short_text, home) + more
    return Markup('<span class="short">{}</span>').format(markup) if len(text) <= SHORT_CELL else markup


def file(name: str) -> str:
    """Return a file of the workbench: a template, its stylesheet, its script, or its icon."""
    return resources.files("urlset.serve").joinpath("files", name).read_text("utf-8")


def _own_file(name: str) -> str | None:
    try:
        return file(name)
    except FileNotFoundError:
        return None
