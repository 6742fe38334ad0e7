"""Whatever a server sends is the outcome of its URL: no answer ends a run, and none is an internal error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fetch.test_connection import OK, asked
from tests.hostile_servers.answers import answer, site

from urlset.fetch.client import Client
from urlset.fetch.fetcher import Fetcher
from urlset.fetch.response import FetchError, Response
from urlset.fetch.tolerance import MAX_INFORMATIONAL

QUICK = ("--no-cache", "--no-config", "--retries", "0", "--timeout", "2")
EARLY = b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"


async def _once(client: Client, origin: str) -> list[Response]:
    return [await client.get(f"{origin}/a", via=None)]


@pytest.mark.parametrize("times", [1, MAX_INFORMATIONAL])
@pytest.mark.parametrize("at_once", [True, False], ids=["with the response", "before it"])
def test_informational_responses_are_skipped(times: int, at_once: bool) -> None:
    answers = [EARLY * times + OK] if at_once else [EARLY * times, OK]
    _, [response] = asked([b"".join(answers)], _once)
    assert (response.status, response.content, response.problems) == (200, b"ok", ())


@pytest.mark.parametrize("times", [MAX_INFORMATIONAL + 1, 3_000])
@pytest.mark.parametrize("end", [OK, b""], ids=["response", "nothing"])
def test_too_many_informational_responses_are_an_invalid_response(times: int, end: bytes) -> None:
    _, [response] = asked([EARLY * times + end], _once)
    assert response.error_kind == FetchError.BAD_RESPONSE
    assert response.reason == "invalid HTTP response: more than 100 informational responses"


@given(st.integers(0, 2**32))
def test_every_answer_is_an_outcome(seed: int) -> None:
    _, [response] = asked([answer(seed, b"<urlset/>")], _once, read_timeout=0.5)
    assert response.error_kind is None or response.error_kind in FetchError
    assert (response.status is None) <= (response.error_kind is not None)


def arguments(command: str, url: str) -> list[str]:
    match command:
        case "validate" | "inspect" | "diff":
            return [command, *[f"{url}/index.xml"] * (2 if command == "diff" else 1), "--expand"]
        case "sql":
            return ["sql", "SELECT count(*) FROM urls", f"{url}/index.xml", "--expand"]
        case "robots":
            return ["robots", url, "--policy", "--rate", "1000"]
        case "page":
            return ["audit", f"{url}/page"]
        case _:
            return [command, url]


COMMANDS = ("validate", "inspect", "diff", "sql", "robots", "page", "audit", "check", "discover")


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_end_with_an_outcome(
    command: str, cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with site(COMMANDS.index(command)) as url:
        outcome = cli(*arguments(command, url), *QUICK)
    assert outcome.code in (0, 1, 3), outcome.err
    assert "internal error" not in outcome.text
    assert "Traceback" not in outcome.err


def test_the_other_children_of_an_index_are_read(cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    real = Fetcher.submit

    def submit(self: Fetcher, url: str, **more: Any) -> Any:
        future = real(self, url, **more)
        if url.endswith("/3.xml"):
            future.result()
            future = type(future)()
            future.set_exception(RecursionError("planted"))
        return future

    with site(0) as url:
        found = cli("inspect", f"{url}/index.xml", "--expand", "--urls", *QUICK)
        assert f"{url}/page\n" in found.out
        monkeypatch.setattr(Fetcher, "submit", submit)
        found = cli("inspect", f"{url}/index.xml", "--expand", "--urls", *QUICK)
    assert f"{url}/page\n" in found.out
    assert f"{url}/3.xml: internal error, please report it: RecursionError" in found.err
    assert found.code == 4
