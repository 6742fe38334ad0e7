"""Listed images, thumbnails and videos: what they answer, whether they are pictures, and whom robots.txt keeps away.

Images are asked for by HEAD, which says all that a sitemap is about. Thumbnails are fetched as far as it takes to know
their size. Videos are large and are not asked for: their robots.txt alone is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.fetch.answer import Trouble
from urlset.options.probing import ProbeMethod
from urlset.probe.heads import is_not_understood
from urlset.probe.pictures import ENOUGH, picture_of
from urlset.robots import Availability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.fetch.answer import Answer
    from urlset.fetch.client import Client
    from urlset.probe.facts import Row, Wanted
    from urlset.robots import Robots

ACCEPT = "image/*, */*;q=0.5"

OWN_AGENTS = {
    ("googlebot", "image"): "Googlebot-Image",
    ("googlebot", "thumbnail"): "Googlebot-Image",
    ("googlebot", "video"): "Googlebot-Video",
}
"""Crawlers that another one leaves a kind of file to; they heed its group where they have none."""


def agents_of(kind: str, agents: Sequence[str]) -> list[str]:
    """Who fetches files of a kind on behalf of these crawlers.

    Example:
        >>> agents_of("image", ["Googlebot", "Bingbot"])
        ['Googlebot-Image', 'Bingbot']
    """
    return list(dict.fromkeys(OWN_AGENTS.get((agent.lower(), kind), agent) for agent in agents))


class MediaLook:
    """How a listed file is looked at."""

    def __init__(self, method: ProbeMethod, agents: Sequence[str]) -> None:
        """Gets ready.

        Args:
            method: How images are asked for.
            agents: Crawlers that robots.txt is asked about.
        """
        self._method = method
        self._agents = agents

    def told(self, robots: Robots, wanted: Wanted) -> Row:
        """What robots.txt of its host says of a file."""
        if robots.availability is not Availability.READ:
            return {}
        agents = agents_of(wanted.listed["kind"], self._agents)
        closed = [agent for agent in agents if not robots.verdict(agent, wanted.url).allowed]
        return {"forbidden_to": closed or None}

    async def ask(self, client: Client, wanted: Wanted) -> Row:
        """Asks for a file, and gives its row."""
        if wanted.listed["kind"] == "video":
            return {**wanted.listed, "left_out": "video"}
        if wanted.listed["kind"] == "image" and self._method is not ProbeMethod.GET:
            answer = await client.head(wanted.url, via=wanted.via, retries=0)
            if not is_not_understood(answer):
                return _row(wanted, "HEAD", answer)
        answer = await client.get(wanted.url, via=wanted.via, accept=ACCEPT, max_bytes=ENOUGH)
        try:
            return _row(wanted, "GET", answer) | _seen(answer)
        finally:
            answer.close()


def _row(wanted: Wanted, method: str, answer: Answer) -> Row:
    # What lies beyond the bound is of no interest, and nothing is wrong with it.
    trouble = None if answer.trouble is Trouble.TOO_LARGE else answer.trouble
    length = answer.headers.get("content-length", "")
    row: Row = {
        **wanted.listed,
        "method": method,
        "status": answer.status,
        "final_url": answer.final_url,
        "trouble": trouble,
        "error": answer.reason if trouble is not None else None,
        "fetched_at": answer.fetched_at,
        "elapsed_ms": answer.elapsed_ms,
        "bytes": int(length) if length.isdecimal() and len(length) < 19 else None,
        "content_type": answer.headers.get("content-type"),
    }
    if answer.hops:
        row |= {
            "hops": [*(hop.url for hop in answer.hops[1:]), answer.final_url],
            "hop_statuses": [hop.status for hop in answer.hops],
        }
    return row


def _seen(answer: Answer) -> Row:
    if answer.content is None or answer.status is None or not 200 <= answer.status < 300:
        return {"received": answer.wire_bytes}
    content = answer.content
    data = content if isinstance(content, bytes) else content.read(ENOUGH)
    row: Row = {"received": answer.wire_bytes, "format": "none"}
    if (picture := picture_of(data)) is not None:
        row |= {"format": picture.format, "width": picture.width, "height": picture.height}
    return row
