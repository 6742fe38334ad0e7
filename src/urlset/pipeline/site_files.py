"""Files of a site other than sitemaps: requests llms.txt, and decides whether robots.txt allows to request one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.fetch import read_bytes
from urlset.llms import MOST_OF_LLMS, is_html, parse_llms
from urlset.model.discovery import LlmsFile
from urlset.robots import Availability

if TYPE_CHECKING:
    from urlset.fetch.client import Client
    from urlset.options.probing import ProbingOptions
    from urlset.robots import Robots

ACCEPT = "text/markdown, text/plain, */*;q=0.5"


async def find_llms(client: Client, origin: str) -> LlmsFile | None:
    """Return the llms.txt of a site; None if it does not exist. An HTML page in its place is a "not found" page.

    Args:
        client: The HTTP client.
        origin: Scheme, host, and port.
    """
    answer = await client.get(f"{origin}/llms.txt", via=None, max_bytes=MOST_OF_LLMS + 1, accept=ACCEPT, retries=0)
    try:
        if not answer.is_success or answer.content is None:
            return None
        content = read_bytes(answer.content, MOST_OF_LLMS + 1)
    finally:
        answer.close()
    return None if is_html(content) else LlmsFile(answer.final_url, parse_llms(content))


def may_request(robots: Robots, url: str, options: ProbingOptions) -> bool:
    """Return whether a robots.txt allows urlset to request a URL that it applies to, or the user does."""
    if robots.availability is Availability.UNREACHABLE:
        return False
    return options.ask_forbidden or robots.allowed(options.robots_agent, url)
