"""The guard of the test suite itself: no test reaches another machine unnoticed."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).with_name("conftest.py").read_text("utf-8")


ATTEMPTS = [
    "socket.getaddrinfo('example.com', 80)",
    "socket.create_connection(('192.0.2.1', 80), 0.1)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
    "asyncio.run(asyncio.open_connection('192.0.2.1', 80))",
]


def test_an_attempt_fails_the_run_though_its_exception_is_swallowed(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    pytester.makeconftest(CONFTEST)
    tests = [
        f"def test_{number}():\n    with contextlib.suppress(OSError):\n        {attempt}\n"
        for number, attempt in enumerate(ATTEMPTS)
    ]
    pytester.makepyfile("import asyncio, contextlib, socket\n" + "".join(tests))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=len(ATTEMPTS), errors=len(ATTEMPTS))
    result.stdout.fnmatch_lines(["tried to reach another machine:*"] * len(ATTEMPTS))


def test_this_machine_may_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        assert asyncio.run(_resolved())


async def _resolved() -> object:
    return await asyncio.get_running_loop().getaddrinfo("localhost", 80)
