"""A network of its own for this process: every address of the world is local, and names are resolved by us.

Linux alone, by root or where users may make namespaces: `unshare(2)`, then a few messages of rtnetlink, so that neither
`unshare` nor `ip` need be installed. A route of type local sends every address to this machine, so that a server bound
to all addresses sees each connection with the address that it was meant for.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from pathlib import Path

NAMESERVER = "9.9.9.9"

_CLONE_NEWNS, _CLONE_NEWUSER, _CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000

# linux/rtnetlink.h
_RTM_NEWLINK, _RTM_NEWADDR, _RTM_NEWROUTE = 16, 20, 24
_REQUEST, _ACK, _CREATE, _REPLACE = 0x1, 0x4, 0x400, 0x100
_IFA_ADDRESS, _IFA_LOCAL, _RTA_OIF = 1, 2, 4
_LOOPBACK = 1
_TABLE_LOCAL, _PROTOCOL_BOOT, _SCOPE_HOST, _TYPE_LOCAL = 255, 3, 254, 2

_libc = ctypes.CDLL(None, use_errno=True)


class NotAllowedError(Exception):
    """This machine makes no such namespace; the text says what it refuses."""


def enter(folder: Path, addresses: list[str]) -> bool:
    """Moves this process, which has one thread, into a network and a view of files of its own.

    Args:
        folder: Where files are put that stand in for those of /etc.
        addresses: Addresses of the machine besides the loopback ones: the system asks for names of a family only where
            it has an address of it.

    Returns:
        Whether there is IPv6.

    Raises:
        NotAllowedError: It cannot be done here.
    """
    try:
        _unshare()
        _mount(None, "/", _MS_REC | _MS_PRIVATE)
        _replace_files(folder)
        has_six = Path("/proc/net/if_inet6").exists()
        with _Netlink() as netlink:
            netlink.bring_up()
            for address in addresses:
                if ":" not in address or has_six:
                    netlink.add(address)
            netlink.make_everything_local(socket.AF_INET)
            if has_six:
                netlink.make_everything_local(socket.AF_INET6)
    except OSError as error:
        raise NotAllowedError(f"{error.strerror} ({error.filename or 'rtnetlink'})") from error
    return has_six


def _unshare() -> None:
    user, group = os.geteuid(), os.getegid()
    if user == 0 and _libc.unshare(_CLONE_NEWNET | _CLONE_NEWNS) == 0:
        return
    if _libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET | _CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1")


def _replace_files(folder: Path) -> None:
    files = {
        "resolv.conf": f"nameserver {NAMESERVER}\noptions timeout:2 attempts:1\n",
        "nsswitch.conf": "hosts: files dns\n",
        "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    }
    for name, text in files.items():
        instead = folder / name
        instead.write_text(text)
        place = Path("/etc", name)
        if not place.exists():
            raise FileNotFoundError(2, "No such file, so that nothing can be put in its place", str(place))
        _mount(instead, os.path.realpath(place), _MS_BIND)
    # A caching daemon would ask the network outside.
    for daemon in ("/var/run/nscd", "/run/systemd/resolve"):
        if Path(daemon).is_dir():
            (folder / "empty").mkdir(exist_ok=True)
            _mount(folder / "empty", os.path.realpath(daemon), _MS_BIND)


def _mount(source: Path | None, target: str, flags: int) -> None:
    what = b"none" if source is None else os.fsencode(source)
    if _libc.mount(what, os.fsencode(target), None, ctypes.c_ulong(flags), None) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), target)


class _Netlink:
    """As much of rtnetlink as is needed: https://man7.org/linux/man-pages/man7/rtnetlink.7.html."""

    def __enter__(self) -> _Netlink:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self._socket.bind((0, 0))
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def bring_up(self) -> None:
        self._ask(_RTM_NEWLINK, struct.pack("=BxHiII", 0, 0, _LOOPBACK, 1, 1))

    def add(self, text: str) -> None:
        family = socket.AF_INET6 if ":" in text else socket.AF_INET
        address = socket.inet_pton(family, text)
        head = struct.pack("=BBBBi", family, len(address) * 8, 0, 0, _LOOPBACK)
        self._ask(_RTM_NEWADDR, head + _attribute(_IFA_LOCAL, address) + _attribute(_IFA_ADDRESS, address))

    def make_everything_local(self, family: int) -> None:
        head = struct.pack(
            "=BBBBBBBBI", family, 0, 0, 0, _TABLE_LOCAL, _PROTOCOL_BOOT, _SCOPE_HOST, _TYPE_LOCAL, 0
        )  # fmt: skip
        self._ask(_RTM_NEWROUTE, head + _attribute(_RTA_OIF, struct.pack("=i", _LOOPBACK)))

    def _ask(self, kind: int, body: bytes) -> None:
        flags = _REQUEST | _ACK | (0 if kind == _RTM_NEWLINK else _CREATE | _REPLACE)
        self._socket.send(struct.pack("=IHHII", 16 + len(body), kind, flags, 1, 0) + body)
        answer = self._socket.recv(65536)
        number = -struct.unpack_from("=i", answer, 16)[0]
        if number:
            raise OSError(number, os.strerror(number))


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("=HH", 4 + len(value), kind) + value + b"\0" * (-len(value) % 4)
