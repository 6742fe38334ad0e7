"""Resolve host names with the resolver of the system.

A lookup can take very long and cannot be canceled. So each one runs in its own daemon thread, which does not delay the
end of the program as the threads of asyncio would.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from aiohttp.abc import AbstractResolver, ResolveResult

if TYPE_CHECKING:
    from collections.abc import Sequence

AddressInfos = list[
    tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[str, int] | tuple[str, int, int, int]]
]


class SystemResolver(AbstractResolver):
    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name.

        Raises:
            OSError: The name cannot be resolved.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[AddressInfos] = loop.create_future()

        def deliver(result: AddressInfos | OSError) -> None:
            if answer.done():
                return  # The lookup was canceled.
            if isinstance(result, OSError):
                answer.set_exception(result)
            else:
                answer.set_result(result)

        def work() -> None:
            try:
                result: AddressInfos | OSError = socket.getaddrinfo(  # type: ignore[assignment]
                    host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
                )
            except OSError as error:
                result = error
            except UnicodeError:
                result = socket.gaierror(socket.EAI_NONAME, "not a name")
            # The loop may be closed by now.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(deliver, result)

        threading.Thread(target=work, name="urlset-names", daemon=True).start()
        return [_result(host, port, *entry) for entry in await answer]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _result(
    host: str,
    port: int,
    family: socket.AddressFamily,
    _kind: socket.SocketKind,
    protocol: int,
    _name: str,
    address: Sequence[str | int],
) -> ResolveResult:
    # The fourth element is the scope ID of a link-local address.
    scope = f"%{address[3]}" if len(address) == 4 and address[3] else ""
    return ResolveResult(
        hostname=host,
        host=f"{address[0]}{scope}",
        port=port,
        family=family,
        proto=protocol,
        flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    )
