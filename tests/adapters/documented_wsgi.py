"""The WSGI applications of docs/how-to/web-applications.md with the names that it leaves out, for type checkers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from urlset.adapters.wsgi import SitemapApp


class Query:
    """As much of a query of SQLAlchemy as the page uses."""

    def __iter__(self) -> Iterator[Page]:
        return iter([Page()])

    def order_by(self, _: object) -> Query:
        return self

    def slice(self, begin: int, end: int) -> list[Page]:
        return [*self][begin:end]

    def count(self) -> int:
        return 1


class Page:
    id = 1
    query = Query()

    def entry(self) -> dict[str, object]:
        return {"loc": "https://example.com/maps/a"}


def newest_change() -> datetime:
    return datetime(2025, 11, 14, tzinfo=UTC)


app = Flask(__name__)

sitemap = SitemapApp(lambda: (page.entry() for page in Page.query), "https://example.com/maps/")
app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/maps": sitemap})  # type: ignore[method-assign]  # Flask


def pages(begin: int, end: int) -> Iterator[dict[str, object]]:
    return (page.entry() for page in Page.query.order_by(Page.id).slice(begin, end))


SitemapApp(pages, "https://example.com/", count=Page.query.count, last_modified=newest_change)
