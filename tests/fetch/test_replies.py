"""The replies of a run: what they answer, and what is requested again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from tests.loopback import served

from urlset.fetch import replies
from urlset.fetch.client import Client
from urlset.fetch.replies import KeptReply, Replies
from urlset.fetch.reply import Reply, Reuse
from urlset.fetch.response import FetchError, Response
from urlset.net.origin import Origin
from urlset.net.reach import Reach
from urlset.net.trust import Trust
from urlset.options.verbs import ReadOptions

KEY = ("GET", "https://example.com/")


def kept(content: bytes, limit: int = 100, error_kind: FetchError | None = None) -> Replies:
    found = Replies()
    found.keep(KEY, KeptReply(Reply(200, content=content, error_kind=error_kind), limit, Reach.PRIVATE, 0.0))
    return found


def test_a_reply_is_cut_to_a_smaller_limit() -> None:
    found = kept(b"12345").find(KEY, 3, Reach.PRIVATE)
    assert found is not None
    assert (found.within(5).content, found.within(5).error_kind) == (b"12345", None)
    assert (found.within(3).content, found.within(3).error_kind) == (b"123", FetchError.TOO_LARGE)
    # The one that is kept stays whole.
    assert found.reply.content == b"12345"


def test_a_reply_that_was_too_large_answers_no_larger_request() -> None:
    found = kept(b"12345", 5, FetchError.TOO_LARGE)
    assert found.find(KEY, 5, Reach.PRIVATE) is not None
    assert found.find(KEY, 6, Reach.PRIVATE) is None


def test_a_reply_from_a_private_address_is_for_those_who_may_reach_it() -> None:
    found = kept(b"secret")
    assert found.find(KEY, 100, Reach.LINK) is not None
    assert found.find(KEY, 100, Reach.PUBLIC) is None


def test_a_reply_to_get_answers_head() -> None:
    found = kept(b"12345").find(("HEAD", KEY[1]), 100, Reach.PRIVATE)
    assert found is not None
    assert (found.reply.status, found.reply.content) == (200, None)


@pytest.fixture
def site() -> Iterator[tuple[str, list[str]]]:
    """A server whose /old redirects to /new, and what it was asked."""
    asked: list[str] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(301 if self.path == "/old" else 200)
            if self.path == "/old":
                self.send_header("Location", "/new")
            self.send_header("Content-Length", "3")
            self.end_headers()
            self.wfile.write(b"new")

    with served(Site) as origin:
        yield origin, asked


def responses(origin: str, *paths: str, reuse: Reuse = Reuse.CACHE, via: Origin | None = None) -> list[Response]:
    async def work() -> list[Response]:
        async with Client(ReadOptions(cache=False, retries=0), Trust.of([origin])) as client:
            first = [await client.get(f"{origin}{paths[0]}", via=None)]
            rest = (client.get(f"{origin}{path}", via=via, reuse=reuse) for path in paths[1:])
            return first + list(await asyncio.gather(*rest))

    return asyncio.run(work())


def test_a_url_is_requested_once_also_after_a_redirect_and_by_many_at_once(site: tuple[str, list[str]]) -> None:
    origin, asked = site
    found = responses(origin, "/old", *["/new", "/old", "/other"] * 20)
    assert {response.content for response in found} == {b"new"}
    assert sorted(asked) == ["/new", "/old", "/other"]


def test_what_does_not_fit_is_requested_again(site: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    origin, asked = site
    monkeypatch.setattr(replies, "MAX_REPLY_BYTES", 3)
    responses(origin, "/a", "/b", "/b", "/a")
    assert sorted(asked) == ["/a", "/b", "/b"]


def test_a_file_that_may_have_changed_is_requested_again(site: tuple[str, list[str]]) -> None:
    origin, asked = site
    responses(origin, "/a", "/a", reuse=Reuse.NONE)
    assert asked == ["/a", "/a"]


def test_a_stranger_does_not_get_what_the_user_may_reach(site: tuple[str, list[str]]) -> None:
    origin, asked = site
    _, of_stranger = responses(origin, "/a", "/a", via=Origin("https", "stranger.example", 443))
    assert of_stranger.error_kind is FetchError.PRIVATE_ADDRESS
    assert asked == ["/a"]
