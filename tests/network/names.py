"""A small name server: what each name resolves to stands in `vectors.toml`, and may change from answer to answer."""

from __future__ import annotations

import socket
import struct
import threading
from collections import Counter
from typing import Any

from tests.network.namespace import NAMESERVER

_A, _CNAME, _AAAA = 1, 5, 28


class NameServer:
    """Answers questions of type A and AAAA on UDP.

    Attributes:
        asked: How often the A records of each name were asked for.
    """

    def __init__(self, vectors: dict[str, Any]) -> None:
        self._vectors = vectors
        self.asked: Counter[str] = Counter()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((NAMESERVER, 53))
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            question, client = self._socket.recvfrom(4096)
            self._socket.sendto(self._answer(question), client)

    def _answer(self, question: bytes) -> bytes:
        labels, place = [], 12
        while length := question[place]:
            labels.append(question[place + 1 : place + 1 + length].decode("ascii", "replace").lower())
            place += length + 1
        kind, _ = struct.unpack_from(">HH", question, place + 1)
        asked = question[12 : place + 5]
        name = ".".join(labels)
        records = b""
        count = 0
        owner = b"\xc0\x0c"
        if (real := self._vectors["aliases"].get(name)) is not None:
            target = b"".join(bytes([len(label)]) + label.encode() for label in real.split(".")) + b"\0"
            records += owner + struct.pack(">HHIH", _CNAME, 1, 0, len(target)) + target
            owner, name, count = target, real, 1
        addresses = self._addresses(name, kind)
        for address in addresses or ():
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            if (kind == _AAAA) == (family == socket.AF_INET6) and kind in (_A, _AAAA):
                raw = socket.inet_pton(family, address)
                records += owner + struct.pack(">HHIH", kind, 1, 0, len(raw)) + raw
                count += 1
        # NXDOMAIN where there is no such name.
        flags = 0x8180 if addresses is not None else 0x8183
        return question[:2] + struct.pack(">HHHHH", flags, 1, count, 0, 0) + asked + records

    def _addresses(self, name: str, kind: int) -> list[str] | None:
        vectors = self._vectors
        if (turns := vectors["turns"].get(name)) is not None:
            turn = self.asked[name]
            if kind == _A:
                self.asked[name] += 1
            found: list[str] = turns[min(turn, len(turns) - 1)]
            return found
        if kind == _A:
            self.asked[name] += 1
        for suffix, addresses in vectors["wildcards"].items():
            if name.endswith(f".{suffix}"):
                return list(addresses)
        known = vectors["names"].get(name)
        return None if known is None else list(known)
