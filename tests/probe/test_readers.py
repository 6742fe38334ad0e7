"""Pages are read in parallel, and each caller gets the facts of its own page."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from urlset.probe import readers as module
from urlset.probe.readers import AT_ONCE, Readers
from urlset.web.html_page import PageFacts, read_page, read_pages

if TYPE_CHECKING:
    from collections.abc import Sequence


def page(number: int) -> bytes:
    return f"<html><title>Page {number}</title><main>caf\xe9 number {number}</main>".encode("latin-1")


def test_each_caller_gets_its_own_facts() -> None:
    count = AT_ONCE * 5 + 1

    async def work() -> list[PageFacts]:
        return await asyncio.gather(*(readers.read(page(number), "iso-8859-1") for number in range(count)))

    with Readers(2) as readers:
        read = asyncio.run(work())
    assert read == [read_page(page(number), charset="iso-8859-1") for number in range(count)]
    assert [facts.title for facts in read] == [f"Page {number}" for number in range(count)]


def test_error_is_raised_where_the_page_is_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(content: bytes, **_: object) -> PageFacts:
        if content == b"bad":
            raise MemoryError("no room")
        return read_page(content)

    def failing_together(pages: Sequence[tuple[bytes, str | None, bool]]) -> list[PageFacts]:
        return [failing(content) for content, _, _ in pages]

    monkeypatch.setattr(module, "read_page", failing)
    monkeypatch.setattr(module, "read_pages", failing_together)

    async def work() -> list[PageFacts | BaseException]:
        asked = (readers.read(content, None) for content in (b"<title>one", b"bad", b"<title>three"))
        return await asyncio.gather(*asked, return_exceptions=True)

    with Readers(1) as readers:
        first, second, third = asyncio.run(work())
    assert isinstance(second, MemoryError)
    assert isinstance(first, PageFacts)
    assert isinstance(third, PageFacts)
    assert (first.title, third.title) == ("one", "three")


def test_cancelled_caller_is_skipped_and_threads_end(monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, began = threading.Event(), threading.Event()

    def slow(pages: Sequence[tuple[bytes, str | None, str | None]]) -> list[PageFacts]:
        began.set()
        goes_on.wait(10)
        return read_pages(pages)

    monkeypatch.setattr(module, "read_pages", slow)

    async def work() -> PageFacts:
        given_up = asyncio.create_task(readers.read(b"<title>one", None))
        await asyncio.to_thread(began.wait, 10)
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        goes_on.set()
        return await readers.read(b"<title>two", None)

    with Readers(1) as readers:
        facts = asyncio.run(work())
    assert facts.title == "two"
    assert not any(thread.name.startswith("urlset-page") for thread in threading.enumerate())
