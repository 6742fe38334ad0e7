"""Check listed images, thumbnails, and videos: responses, content, and which crawlers robots.txt blocks.

Images are requested with HEAD, which is enough for the checks. Thumbnails are fetched until their dimensions are known.
Videos are large and are not requested; only robots.txt is checked for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.fetch.reply import Reuse
from urlset.fetch.response import FetchError
from urlset.options.probing import ProbeMethod
from urlset.probe.facts import content_length
from urlset.probe.heads import is_not_understood
from urlset.probe.pictures import HEAD_BYTES, picture_of
from urlset.web.robots_txt import Availability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.fetch.client import Client
    from urlset.fetch.response import Response
    from urlset.probe.facts import ProbeTarget, Row
    from urlset.web.robots_txt import Robots

ACCEPT = "image/*, */*;q=0.5"

OWN_AGENTS = {
    ("googlebot", "image"): "Googlebot-Image",
    ("googlebot", "thumbnail"): "Googlebot-Image",
    ("googlebot", "video"): "Googlebot-Video",
}
"""The special crawlers for a kind of file. They follow the group of the main crawler if no group names them."""


def agents_of(kind: str, agents: Sequence[str]) -> list[str]:
    """Return the crawlers that fetch files of a kind for the given crawlers.

    Example:
        >>> agents_of("image", ["Googlebot", "Bingbot"])
        ['Googlebot-Image', 'Bingbot']
    """
    return list(dict.fromkeys(OWN_AGENTS.get((agent.lower(), kind), agent) for agent in agents))


class MediaProbe:
    """Fetches listed files.

    Args:
        method: The HTTP method for images.
        agents: The crawlers to check robots.txt for.
    """

    def __init__(self, method: ProbeMethod, agents: Sequence[str]) -> None:
        self._method = method
        self._agents = agents

    def robots_row(self, robots: Robots, target: ProbeTarget) -> Row:
        """Return the columns with what robots.txt of its host says about a file."""
        if robots.availability is not Availability.READ:
            return {}
        agents = agents_of(target.listed["kind"], self._agents)
        blocked = [agent for agent in agents if not robots.verdict(agent, target.url).allowed]
        return {"blocked_for": blocked or None}

    async def ask(self, client: Client, target: ProbeTarget) -> Row:
        if target.listed["kind"] == "video":
            return {**target.listed, "skipped": "video"}
        if target.listed["kind"] == "image" and self._method is not ProbeMethod.GET:
            answer = await client.head(target.url, via=target.via, retries=0)
            if not is_not_understood(answer):
                return _row(target, "HEAD", answer)
        answer = await client.get(target.url, via=target.via, accept=ACCEPT, max_bytes=HEAD_BYTES, reuse=Reuse.RUN)
        try:
            return _row(target, "GET", answer) | _facts_of_answer(answer)
        finally:
            answer.close()


def _row(target: ProbeTarget, method: str, answer: Response) -> Row:
    # The rest of a large file is not needed, so exceeding the limit is not a problem.
    error_kind = None if answer.error_kind is FetchError.TOO_LARGE else answer.error_kind
    row: Row = {
        **target.listed,
        "method": method,
        "status": answer.status,
        "final_url": answer.final_url,
        "error_kind": error_kind,
        "error": answer.reason if error_kind is not None else None,
        "fetched_at": answer.fetched_at,
        "elapsed_ms": answer.elapsed_ms,
        "bytes": content_length(answer.headers),
        "content_type": answer.headers.get("content-type"),
    }
    if answer.hops:
        row |= {
            "hops": [*(hop.url for hop in answer.hops[1:]), answer.final_url],
            "hop_statuses": [hop.status for hop in answer.hops],
        }
    return row


def _facts_of_answer(answer: Response) -> Row:
    if answer.content is None or answer.status is None or not 200 <= answer.status < 300:
        return {"received": answer.wire_bytes}
    content = answer.content
    data = content if isinstance(content, bytes) else content.read(HEAD_BYTES)
    row: Row = {"received": answer.wire_bytes, "format": "none"}
    if (picture := picture_of(data)) is not None:
        row |= {"format": picture.format, "width": picture.width, "height": picture.height}
    return row
