"""Find out what a preview adds to its responses, before anything of its site is requested from it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.fetch.reply import ERROR_BODY
from urlset.web.logins import is_login

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response
    from urlset.net.previews import Preview

UNUSED_PATH = "/urlset-unused-path-for-previews"
"""A path that no site has."""

RESTRICTING = ("noindex", "none", "nofollow", "noarchive", "nosnippet", "noimageindex")
"""The directives that previews add, with which search engines leave them out."""


def examine(fetcher: Fetcher, previews: Sequence[Preview]) -> None:
    """Request three URLs of each preview, and record the directives of X-Robots-Tag that it adds to all responses.

    One page alone may have them on purpose; that at least two of the home page, a missing page, and robots.txt have
    them shows that the host adds them: nginx adds headers to responses of missing pages only with `always`.

    Raises:
        InputError: A preview cannot be reached, or requires a login.
    """
    for preview in previews:
        home, unused, robots = (
            fetcher.get(f"{preview.origin.url}{path}", via=None, max_bytes=ERROR_BODY)
            for path in ("/", UNUSED_PATH, "/robots.txt")
        )
        for answer in (home, unused, robots):
            answer.close()
        if home.status is None:
            raise InputError(preview.origin.url, f"the preview cannot be requested: {home.reason}")
        if (login := _login(home, unused)) is not None:
            raise InputError(
                preview.origin.url,
                f"the preview requires a login ({login}); pass its credentials with --auth or --header",
            )
        found = Counter(directive for answer in (home, unused, robots) for directive in _restricting(answer))
        added = tuple(directive for directive in RESTRICTING if found[directive] > 1)
        if "noindex" in added or "none" in added:
            preview.directives = added


def _login(home: Response, unused: Response) -> str | None:
    """Return what shows that a host wants a login for any URL; None if nothing does."""
    if home.status in (401, 403) and unused.status == home.status:
        return f"HTTP {home.status}"
    targets = {answer.final_url.partition("?")[0] if answer.hops else None for answer in (home, unused)}
    target = targets.pop()
    if target is not None and not targets and is_login(target):
        return f"all URLs redirect to {target}"
    return None


def _restricting(answer: Response) -> set[str]:
    directives = {part.strip().lower() for part in answer.headers.get("x-robots-tag", "").split(",")}
    return directives.intersection(RESTRICTING)
