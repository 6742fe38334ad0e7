"""One request over HTTP/2, with the state machine of the h2 package, to an address that the guard allows."""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING

from urlset.clients.answer_record import BodyRecord, fields_of_head
from urlset.errors import requiring_extra
from urlset.fetch.encoding import EncodingError
from urlset.fetch.response import FetchError
from urlset.model.client_check import NotTried
from urlset.net.status import REDIRECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urlset.fetch.address_guard import Guard
    from urlset.fetch.request_url import Address

PIECE = 64 * 1024


async def ask(
    address: Address,
    headers: Mapping[str, str],
    guard: Guard,
    tls: ssl.SSLContext | bool,
    clock: Callable[[], float],
    max_bytes: int,
) -> tuple[dict[str, object], str | None] | NotTried:
    """Send a GET request; return what is recorded of the answer, and where it redirects.

    Args:
        address: The https URL.
        tls: How to check certificates, as for aiohttp.
        clock: Returns seconds.
        max_bytes: Bytes of the body, after decoding, at which reading ends.

    Raises:
        OSError: The server cannot be reached.
        MissingExtraError: The extra is missing.
    """
    with requiring_extra("http2", "HTTP/2 requires"):
        from h2.config import H2Configuration
        from h2.connection import H2Connection
        from h2.exceptions import ProtocolError
    origin = address.origin
    [resolved, *_] = await guard.resolve(origin.host, origin.port)
    context = tls if isinstance(tls, ssl.SSLContext) else ssl.create_default_context()
    if tls is False:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    reader, writer = await asyncio.open_connection(
        resolved["host"], resolved["port"], ssl=context, server_hostname=origin.host
    )
    try:
        if writer.get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
            return NotTried("http2", "the server does not offer HTTP/2")
        connection = H2Connection(H2Configuration(client_side=True, header_encoding="utf-8"))
        connection.initiate_connection()
        authority = origin.url.partition("://")[2]
        fields = [(":method", "GET"), (":authority", authority), (":scheme", "https"), (":path", address.target)]
        connection.send_headers(1, fields + [(name.lower(), value) for name, value in headers.items()], end_stream=True)
        writer.write(connection.data_to_send())
        exchange = _Exchange(connection, writer, clock, max_bytes)
        try:
            return await exchange.receive(reader, str(resolved["host"]))
        except (ProtocolError, EncodingError, UnicodeDecodeError) as error:
            reason = f"invalid HTTP/2 response: {str(error)[:120]}"
            return {"headers": {}, "error_kind": FetchError.BAD_RESPONSE.value, "error": reason}, None
        finally:
            connection.close_connection()
            writer.write(connection.data_to_send())
    finally:
        writer.close()


class _Exchange:
    """Receives the answer to the one request of a connection."""

    def __init__(self, connection, writer, clock: Callable[[], float], max_bytes: int) -> None:  # type: ignore[no-untyped-def]
        self._connection = connection
        self._writer = writer
        self._clock = clock
        self._max_bytes = max_bytes

    async def receive(self, reader: asyncio.StreamReader, peer: str) -> tuple[dict[str, object], str | None]:
        from h2 import events

        started = self._clock()
        recorded: dict[str, object] = {"headers": {}}
        location = None
        body = BodyRecord(None, self._max_bytes)
        wants_more = True
        while wants_more:
            data = await reader.read(PIECE)
            if not data:
                return {**recorded, **_cut_off_error("the server closed the connection")}, None
            for event in self._connection.receive_data(data):
                match event:
                    case events.ResponseReceived(headers=received):
                        head = {_text(name): _text(value) for name, value in received}
                        status = int(head[":status"])
                        ttfb = (self._clock() - started) * 1000
                        recorded = {**fields_of_head(status, head, "2", ttfb), "address": peer}
                        location = head.get("location") if status in REDIRECTS else None
                        body = BodyRecord(head.get("content-encoding"), self._max_bytes)
                    case events.DataReceived(data=piece, flow_controlled_length=length):
                        self._connection.acknowledge_received_data(length, 1)
                        wants_more = wants_more and body.add(piece)
                    case events.StreamEnded():
                        body.is_whole, wants_more = True, False
                    case events.StreamReset(error_code=code):
                        return {
                            **recorded,
                            **_cut_off_error(f"the server reset the stream (error {int(code or 0)})"),
                        }, None
                    case events.ConnectionTerminated(error_code=code):
                        return {
                            **recorded,
                            **_cut_off_error(f"the server went away (error {int(code or 0)})"),
                        }, None
            self._writer.write(self._connection.data_to_send())
            await self._writer.drain()
        return {**recorded, **body.fields()}, location


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode()


def _cut_off_error(reason: str) -> dict[str, object]:
    return {"error_kind": FetchError.CUT_OFF.value, "error": reason}
