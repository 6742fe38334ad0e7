"""The ASGI application of docs/how-to/web-applications.md with the names that it leaves out, for type checkers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import NamedTuple

from starlette.applications import Starlette

from urlset.adapters.asgi import SitemapApp


class Row(NamedTuple):
    url: str
    updated: str


class Database:
    async def stream(self, _: str) -> AsyncIterator[Row]:
        yield Row("https://example.com/maps/a", "2025-11-14")


app = Starlette()
database = Database()


async def pages() -> AsyncIterator[dict[str, object]]:
    async for row in database.stream("SELECT url, updated FROM pages"):
        yield {"loc": row.url, "lastmod": row.updated}


app.mount("/maps", SitemapApp(pages, "https://example.com/maps/"))  # Starlette, FastAPI
