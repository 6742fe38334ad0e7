"""One GET: with time-outs, a bound on its size, and a plain sentence for each way in which it can fail."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from typing import IO, TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import aiohttp

from urlset.errors import InputError
from urlset.fetch import Fetched

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from urlset.config import ReadOptions

USER_AGENT = "urlset/0.1"
MAX_REDIRECTS = 10
KEPT_IN_MEMORY = 8 * 1024 * 1024
"""Bodies above this many bytes go to a temporary file."""
PIECE = 64 * 1024

ACCEPT = "application/xml, text/xml, text/plain, application/rss+xml, application/atom+xml, application/gzip, */*;q=0.5"

Result = TypeVar("Result")


def get(url: str, options: ReadOptions) -> Fetched:
    """Fetches a URL with one GET, following redirects.

    Args:
        url: An absolute http(s) URL.
        options: `timeout` bounds the whole request, in seconds; `max_inflated` bounds the body, in bytes.

    Raises:
        InputError: There is no response, or not one with status 200.
    """
    return _run(_get(url, options))


async def _get(url: str, options: ReadOptions) -> Fetched:
    timeout = aiohttp.ClientTimeout(total=options.timeout, sock_connect=min(10.0, options.timeout))
    try:
        async with (
            aiohttp.ClientSession(
                timeout=timeout, headers={"User-Agent": USER_AGENT, "Accept": ACCEPT}, trust_env=True
            ) as session,
            session.get(url, max_redirects=MAX_REDIRECTS) as response,
        ):
            if response.status != 200:
                raise InputError(url, _status(response))
            body = await _body(response, options.max_inflated)
            return Fetched(body, _facts(response), is_ours=True)
    except TimeoutError:
        raise InputError(url, f"no complete answer within {options.timeout:g} seconds") from None
    except aiohttp.ClientError as error:
        raise InputError(url, _reason(error)) from None
    except (ValueError, UnicodeError) as error:
        raise InputError(url, f"not a valid URL: {error}") from None


async def _body(response: aiohttp.ClientResponse, bound: int) -> bytes | IO[bytes]:
    """The body, up to one byte more than the bound, so that the reader sees that there was more."""
    spool = tempfile.SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115 (a large one is read later)
    try:
        size = 0
        async for piece in response.content.iter_chunked(PIECE):
            spool.write(piece[: bound + 1 - size])
            size += len(piece)
            if size > bound:
                break
        spool.seek(0)
        if size > KEPT_IN_MEMORY:
            return spool
        content = spool.read()
    except BaseException:
        spool.close()
        raise
    spool.close()
    return content


def _facts(response: aiohttp.ClientResponse) -> dict[str, object]:
    final = str(response.url)
    hops = [str(earlier.url) for earlier in response.history][1:]
    headers = response.headers
    return {
        "final_url": final,
        "host": (urlsplit(final).hostname or "").lower() or None,
        "site_path": urlsplit(final).path,
        "http_status": response.status,
        "redirects": [*hops, final] if response.history else [],
        "content_type": headers.get("Content-Type"),
        "etag": headers.get("ETag"),
        "last_modified": headers.get("Last-Modified"),
    }


def _status(response: aiohttp.ClientResponse) -> str:
    reason = f" {response.reason}" if response.reason else ""
    where = f" at {response.url}" if response.history else ""
    return f"answered HTTP {response.status}{reason}{where}"


def _reason(error: aiohttp.ClientError) -> str:
    """What went wrong, in words for somebody who knows the site but not the library."""
    match error:
        case aiohttp.TooManyRedirects():
            return f"more than {MAX_REDIRECTS} redirects"
        case aiohttp.InvalidURL():
            return f"not a valid URL: {error.description or error}"
        case aiohttp.ClientConnectorCertificateError():
            return f"its TLS certificate is not valid: {error.certificate_error}"
        case aiohttp.ClientSSLError():
            return f"TLS failed: {error}"
        case aiohttp.ClientConnectorDNSError():
            return f"the name {error.host} cannot be resolved"
        case aiohttp.ClientConnectorError():
            return f"no connection to {error.host}: {_system_words(error.os_error)}"
        case aiohttp.ServerDisconnectedError():
            return "the server closed the connection without an answer"
        case aiohttp.ClientPayloadError():
            return f"the answer broke off: {error}"
        case aiohttp.ClientOSError():
            return f"the connection broke: {_system_words(error)}"
        case _:
            return f"no valid HTTP answer: {error}"


def _system_words(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _run(work: Coroutine[object, object, Result]) -> Result:
    """Runs it to its end, also where an event loop runs already, as it does in notebooks."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    outcome: list[Result | BaseException] = []

    def target() -> None:
        try:
            outcome.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 (raised again in the caller's thread)
            outcome.append(error)

    thread = threading.Thread(target=target, name="urlset-fetch")
    thread.start()
    thread.join()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]
