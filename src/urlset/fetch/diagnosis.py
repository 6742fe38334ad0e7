"""Translate exceptions of the network into a `FetchError` and a message."""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
from typing import TYPE_CHECKING

import aiohttp
from aiohttp import http_exceptions

from urlset.errors import reason_of
from urlset.fetch.address_guard import PrivateAddressError
from urlset.fetch.body import ChunkError
from urlset.fetch.connection import MAX_HEADERS
from urlset.fetch.encoding import EncodingError
from urlset.fetch.response import FetchError
from urlset.net.urlparts import without_surrogates
from urlset.text.sizes import limit_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.options.fetching import FetchingOptions

NO_ROUTE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL})

PROXY_AUTHENTICATION = "the proxy requires a user name and password; add them to the proxy URL"

Diagnosis = tuple[FetchError, str]


def diagnose(error: BaseException, options: FetchingOptions) -> Diagnosis:
    """Return the kind of error that an exception means, and a message about it without the URL."""
    match error:
        case PrivateAddressError() | aiohttp.ClientConnectorDNSError(os_error=PrivateAddressError()):
            return FetchError.PRIVATE_ADDRESS, str(getattr(error, "os_error", error))
        case aiohttp.ClientProxyConnectionError():
            return FetchError.PROXY, f"cannot connect to the proxy: {_system_words(error.os_error)}"
        case aiohttp.ClientHttpProxyError():
            return FetchError.PROXY, _proxy_words(error.status)
        case aiohttp.ConnectionTimeoutError():
            return FetchError.CONNECT_TIMEOUT, f"no connection within {options.connect_timeout:g} s"
        case aiohttp.SocketTimeoutError():
            return FetchError.READ_TIMEOUT, f"the server sent no data for {options.read_timeout:g} s"
        case TimeoutError():
            return FetchError.TIMEOUT, f"no complete response within {options.timeout:g} s"
        case aiohttp.ClientConnectorDNSError():
            return FetchError.DNS, _dns_words(error)
        case aiohttp.ClientConnectorCertificateError():
            return FetchError.TLS, f"invalid TLS certificate: {_certificate_words(error.certificate_error)}"
        case aiohttp.ClientSSLError():
            return FetchError.TLS, f"TLS handshake failed: {_tls_words(error.os_error)}"
        case aiohttp.ClientConnectorError():
            return _connection_diagnosis(error)
        case http_exceptions.HttpProcessingError() if _is_too_long(error):
            return FetchError.HEADERS_TOO_LARGE, headers_too_large(options)
        case http_exceptions.HttpProcessingError(message="Too many headers received"):
            return FetchError.HEADERS_TOO_LARGE, f"response has more than {MAX_HEADERS} headers"
        case http_exceptions.HttpProcessingError():
            return FetchError.BAD_RESPONSE, f"invalid HTTP response: {_one_line(error.message)}"
        case aiohttp.ServerDisconnectedError():
            return FetchError.RESET, "the server closed the connection without a response"
        case aiohttp.ClientOSError() | aiohttp.ClientConnectionError():
            return FetchError.RESET, f"connection lost: {_system_words(error)}"
        case aiohttp.InvalidURL():
            return FetchError.BAD_URL, f"not a valid URL: {_one_line(error.description or 'it cannot be requested')}"
        case _:
            return FetchError.BAD_RESPONSE, f"invalid HTTP response: {_one_line(str(error))}"


def headers_too_large(options: FetchingOptions) -> str:
    return f"response headers exceed {limit_size(options.max_header_bytes)}"


def diagnose_body(error: BaseException, options: FetchingOptions) -> Diagnosis:
    """Do the same for an exception that was raised while a body was read."""
    if isinstance(error, EncodingError):
        return FetchError.BAD_ENCODING, str(error)
    if isinstance(error, TimeoutError):
        return diagnose(error, options)
    if isinstance(error, ChunkError):
        return FetchError.BAD_RESPONSE, "invalid HTTP response: damaged chunked encoding"
    return FetchError.CUT_OFF, "response cut off"


def is_lasting_dns(error: BaseException) -> bool:
    """Return whether the name does not exist, rather than the resolver failing for the moment."""
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorDNSError) else None
    return not (isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN)


def _dns_words(error: aiohttp.ClientConnectorDNSError) -> str:
    more = "" if is_lasting_dns(error) else " (temporary DNS failure)"
    return f"host name {error.host} cannot be resolved{more}"


def _connection_diagnosis(error: aiohttp.ClientConnectorError) -> Diagnosis:
    number = error.os_error.errno
    words = f"cannot connect to {error.host}: {_system_words(error.os_error)}"
    if number in NO_ROUTE:
        return FetchError.UNREACHABLE, words
    if number == errno.ETIMEDOUT:
        return FetchError.CONNECT_TIMEOUT, words
    if isinstance(error.os_error, ConnectionResetError):
        # asyncio gives no error number if the other side closes the connection during the TLS handshake.
        return FetchError.RESET, words if number else f"{error.host} closed the connection during the TLS handshake"
    return FetchError.REFUSED, words


def _proxy_words(status: int) -> str:
    if status == 407:
        return PROXY_AUTHENTICATION
    return f"the proxy returned HTTP {status}"


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
    # The C parser of aiohttp reports this only in the text of the message.
    too_long = isinstance(error, http_exceptions.HttpProcessingError) and "Got more than" in error.message
    return too_long or any(isinstance(cause, http_exceptions.LineTooLong) for cause in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__ or following.__context__


def _system_words(error: BaseException) -> str:
    number = getattr(error, "errno", None)
    if isinstance(number, int) and number > 0:
        # By the error number, because asyncio puts the address into the text.
        return reason_of(OSError(number, os.strerror(number)))
    return _one_line(str(error))


def _one_line(text: str) -> str:
    """Return the first line of a library's message. Further lines often quote what the server sent."""
    first = next((line for line in re.split(r"[\r\n]", text) if line.strip()), "unknown")
    return without_surrogates(first.strip().rstrip(":.")[:120])
