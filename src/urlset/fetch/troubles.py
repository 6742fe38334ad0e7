"""What each exception of the network means, as a `Trouble` with a plain sentence."""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
from typing import TYPE_CHECKING

import aiohttp
from aiohttp import http_exceptions

from urlset.fetch.answer import Trouble
from urlset.fetch.body import ChunkError
from urlset.fetch.encoding import EncodingError
from urlset.fetch.guard import PrivateAddressError
from urlset.net.urlparts import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.config import FetchOptions

MOST_HEADERS = 256
"""Headers of an answer, at most."""

NO_WAY = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL})

Diagnosis = tuple[Trouble, str]


def diagnose(error: BaseException, options: FetchOptions) -> Diagnosis:
    """Which trouble an exception is, and a sentence on it that holds no URL."""
    match error:
        case PrivateAddressError() | aiohttp.ClientConnectorDNSError(os_error=PrivateAddressError()):
            return Trouble.PRIVATE_ADDRESS, str(getattr(error, "os_error", error))
        case aiohttp.ClientProxyConnectionError():
            return Trouble.PROXY, f"no connection to the proxy: {_system_words(error.os_error)}"
        case aiohttp.ClientHttpProxyError():
            return Trouble.PROXY, _proxy_words(error.status)
        case aiohttp.ConnectionTimeoutError():
            return Trouble.CONNECT_TIMEOUT, f"no connection within {options.connect_timeout:g} seconds"
        case aiohttp.SocketTimeoutError():
            return Trouble.READ_TIMEOUT, f"the server sent nothing for {options.read_timeout:g} seconds"
        case TimeoutError():
            return Trouble.TIMEOUT, f"no complete answer within {options.timeout:g} seconds"
        case aiohttp.ClientConnectorDNSError():
            return Trouble.DNS, _dns_words(error)
        case aiohttp.ClientConnectorCertificateError():
            return Trouble.TLS, f"its TLS certificate is not valid: {_certificate_words(error.certificate_error)}"
        case aiohttp.ClientSSLError():
            return Trouble.TLS, f"TLS failed: {_tls_words(error.os_error)}"
        case aiohttp.ClientConnectorError():
            return _unconnected(error)
        case aiohttp.ClientResponseError() if _is_too_long(error):
            return Trouble.HEADERS_TOO_LARGE, f"its headers are longer than {options.max_header_bytes:,} bytes"
        case aiohttp.ClientResponseError(message="Too many headers received"):
            return Trouble.HEADERS_TOO_LARGE, f"it has more than {MOST_HEADERS} headers"
        case aiohttp.ClientResponseError():
            return Trouble.BAD_ANSWER, f"no valid HTTP answer: {_one_line(error.message)}"
        case aiohttp.ServerDisconnectedError():
            return Trouble.RESET, "the server closed the connection without an answer"
        case aiohttp.ClientOSError() | aiohttp.ClientConnectionError():
            return Trouble.RESET, f"the connection broke: {_system_words(error)}"
        case aiohttp.InvalidURL():
            return Trouble.BAD_URL, f"not a valid URL: {_one_line(error.description or 'it cannot be asked for')}"
        case _:
            return Trouble.BAD_ANSWER, f"no valid HTTP answer: {_one_line(str(error))}"


def diagnose_body(error: BaseException, options: FetchOptions) -> Diagnosis:
    """The same for an exception in the middle of a body."""
    if isinstance(error, EncodingError):
        return Trouble.BAD_ENCODING, str(error)
    if isinstance(error, TimeoutError):
        return diagnose(error, options)
    if isinstance(error, ChunkError):
        return Trouble.BAD_ANSWER, "no valid HTTP answer: its chunks are damaged"
    return Trouble.CUT_OFF, "the answer broke off"


def is_lasting_dns(error: BaseException) -> bool:
    """Whether the name does not exist, as against a resolver that could not say."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorDNSError) else None
    return not (isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN)


def _dns_words(error: aiohttp.ClientConnectorDNSError) -> str:
    more = "" if is_lasting_dns(error) else " at present"
    return f"the name {error.host} cannot be resolved{more}"


def _unconnected(error: aiohttp.ClientConnectorError) -> Diagnosis:
    number = error.os_error.errno
    words = f"no connection to {error.host}: {_system_words(error.os_error)}"
    if number in NO_WAY:
        return Trouble.UNREACHABLE, words
    if number == errno.ETIMEDOUT:
        return Trouble.CONNECT_TIMEOUT, words
    if isinstance(error.os_error, ConnectionResetError):
        # asyncio says it without a number when the other side ends the connection in the middle of TLS.
        return Trouble.RESET, words if number else f"{error.host} closed the connection before TLS was agreed on"
    return Trouble.REFUSED, words


def _proxy_words(status: int) -> str:
    if status == 407:
        return "the proxy asks for a user name and password"
    return f"the proxy refused with HTTP {status}"


def _certificate_words(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _one_line(error.verify_message).rstrip(".")
    return _one_line(str(error))


def _tls_words(error: OSError) -> str:
    reason = getattr(error, "reason", None)
    if isinstance(reason, str):
        return reason.lower().replace("_", " ")
    return _system_words(error)


def _is_too_long(error: BaseException) -> bool:
    # The C parser of aiohttp tells it in words only.
    too_long = isinstance(error, aiohttp.ClientResponseError) and "Got more than" in error.message
    return too_long or any(isinstance(cause, http_exceptions.LineTooLong) for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__ or following.__context__


def _system_words(error: BaseException) -> str:
    number = getattr(error, "errno", None)
    return os.strerror(number) if isinstance(number, int) and number > 0 else _one_line(str(error))


def _one_line(text: str) -> str:
    """The first line of what a library says: more is often what the server sent."""
    first = next((line for line in re.split(r"[\r\n]", text) if line.strip()), "unknown")
    return without_surrogates(first.strip().rstrip(":.")[:120])
