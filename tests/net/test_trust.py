"""Who may be reached on whose behalf, and who gets the user's secrets: tables, and sequences of addresses at random."""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import ipaddress
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlset
from urlset.fetch.client import Client
from urlset.fetch.exchange import Exchange
from urlset.fetch.reply import Reuse
from urlset.net import reach as reach_module
from urlset.net.origin import Origin, ascii_host, origin_of
from urlset.net.reach import Reach
from urlset.net.trust import Trust
from urlset.options import ReadOptions
from urlset.sources.user_origin import parse_origin
from urlset.stages.named import trust_in

from .conftest import OTHER, PRIVATE, PUBLIC, Internet

if TYPE_CHECKING:
    from urlset.fetch.response import Response

SOURCES = Path(urlset.__file__).parent


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://example.com", ("http", "example.com", 80)),
        ("HTTPS://me:secret@EXAMPLE.com.:8443/a?b#c", ("https", "example.com", 8443)),
        ("https://Bücher.example/", ("https", "xn--bcher-kva.example", 443)),
        ("http://[2001:DB8:0:0::1]:81/", ("http", "2001:db8::1", 81)),
        ("http://***@example.com/", ("http", "example.com", 80)),
        ("ftp://example.com/", None),
        ("example.com", None),
        ("web/pages.xml", None),
        ("//example.com/", None),
        ("http://", None),
        ("http://exa mple.com/", None),
        ("http://127.1/", None),
        ("http://[::1", None),
        ("http://example.com:99999/", None),
        ("http://℀.com/", None),
        ("http://[v1.a]/", None),
        ("-", None),
        ("", None),
    ],
)
def test_origins(url: str, origin: tuple[str, str, int] | None) -> None:
    assert origin_of(url) == (None if origin is None else Origin(*origin))


@pytest.mark.parametrize("host", ["example.com", "bücher.example", "2001:db8::1", "10.0.0.1", "xn--bcher-kva.example"])
def test_sites_and_urls_are_spelled_alike(host: str) -> None:
    written = f"[{host}]" if ":" in host else host
    assert parse_origin(f"http://{written}").host == ascii_host(host) == ascii_host(ascii_host(host))


@given(st.text())
def test_no_text_is_too_much_for_an_origin(text: str) -> None:
    for url in (text, f"http://{text}", f"http://{text}/"):
        origin = origin_of(url)
        assert origin is None or origin_of(origin.url) == origin


# Secrets.


@pytest.mark.parametrize(
    ("named", "origin", "is_told"),
    [
        ("https://example.com/a", "https://example.com", True),
        ("https://example.com/", "http://example.com", False),
        ("https://example.com/", "https://example.com:8443", False),
        ("https://example.com/", "https://www.example.com", False),
        ("http://example.com/", "https://example.com", True),
        ("http://example.com:8080/", "http://example.com:8080", True),
        ("http://example.com:8080/", "https://example.com:8080", True),
        ("http://example.com:8080/", "http://example.com", False),
        ("http://example.com:8080/", "https://example.com", False),
        ("https://example.com:8443/", "http://example.com:8443", False),
        ("example.com", "http://example.com", False),
        ("example.com/pages.xml", "https://example.com", False),
    ],
)
def test_secrets_go_to_the_origins_that_are_named(named: str, origin: str, is_told: bool) -> None:
    [to] = [each for each in [origin_of(origin)] if each is not None]
    assert Trust.of([named]).may_have_secrets(to) is is_told


# Reach.

A, B, LINKED = "http://a.test", "http://b.test", "http://169.254.169.254"


def origin(url: str) -> Origin:
    found = origin_of(url)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("named", "reached", "to", "via", "limit"),
    [
        # The user's own word, before anything is known of the host and after.
        ([A], {}, A, None, Reach.LINK),
        ([A], {"a.test": Reach.PRIVATE}, A, None, Reach.PRIVATE),
        ([A], {"a.test": Reach.PUBLIC}, A, None, Reach.PUBLIC),
        (["http://10.0.0.1"], {}, "http://10.0.0.1", None, Reach.PRIVATE),
        (["http://8.8.8.8"], {}, "http://8.8.8.8", None, Reach.PUBLIC),
        (["http://localhost"], {}, "http://localhost", None, Reach.PRIVATE),
        ([LINKED], {}, LINKED, None, Reach.LINK),
        # Documents of its own origin, by http or https, and those of no other.
        ([A], {"a.test": Reach.PRIVATE}, A, A, Reach.PRIVATE),
        ([A], {"a.test": Reach.PRIVATE}, "https://a.test", A, Reach.PRIVATE),
        (["https://a.test"], {"a.test": Reach.PRIVATE}, A, "https://a.test", Reach.PRIVATE),
        ([A], {"a.test": Reach.PRIVATE}, "http://a.test:8080", A, Reach.PUBLIC),
        ([A], {"a.test": Reach.PRIVATE}, "http://www.a.test", A, Reach.PUBLIC),
        ([A], {"a.test": Reach.PRIVATE}, A, B, Reach.PUBLIC),
        ([A, B], {"a.test": Reach.PRIVATE, "b.test": Reach.PUBLIC}, A, B, Reach.PUBLIC),
        ([A, B], {"a.test": Reach.PRIVATE}, A, B, Reach.PUBLIC),
        ([A], {"b.test": Reach.PRIVATE}, A, B, Reach.PUBLIC),
        # Both are named, and both are private: one may lead to the other, and to nothing nearer than itself.
        ([A, B], {"a.test": Reach.PRIVATE, "b.test": Reach.PRIVATE}, A, B, Reach.PRIVATE),
        ([A, B], {"b.test": Reach.PRIVATE}, A, B, Reach.PRIVATE),
        ([A, LINKED], {"a.test": Reach.PRIVATE}, LINKED, A, Reach.PRIVATE),
        # Nobody's word.
        ([A], {"a.test": Reach.PRIVATE}, "http://10.0.0.1", A, Reach.PUBLIC),
        ([], {}, A, None, Reach.PUBLIC),
        ([A], {}, "http://localhost", None, Reach.PUBLIC),
        (["a.test", "a.test/sitemap.xml"], {}, A, None, Reach.PUBLIC),
    ],
)
def test_how_near_an_address_may_be(
    named: list[str], reached: dict[str, Reach], to: str, via: str | None, limit: Reach
) -> None:
    trust = Trust.of(named)
    for host, reach in reached.items():
        trust.reached_hosts.narrow(host, reach)
    behalf = None if via is None else origin(via)
    assert trust.limit(origin(to), behalf) is limit
    assert Trust.of(named, allow_private=True).limit(origin(to), behalf) is Reach.LINK


@given(st.lists(st.sampled_from(list(Reach)), min_size=1))
def test_reach_only_narrows(reaches: list[Reach]) -> None:
    trust = Trust.of([A])
    limits = []
    for reach in reaches:
        trust.record_connection("a.test", reach)
        limits.append(trust.limit(origin(A), None))
    assert limits == sorted(limits, reverse=True)
    assert limits[-1] == min(reaches)


def test_hosts_that_nobody_named_are_not_remembered() -> None:
    trust = Trust.of([A])
    trust.record_connection("b.test", Reach.PUBLIC)
    assert trust.reached_hosts.of("b.test") is None


def test_the_value_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Trust().allow_private = True  # type: ignore[misc]


# With connections: every sequence of answers, each fetched on somebody's behalf.

GONE = "127.9.9.9"
ANSWERS = st.lists(st.sampled_from([[PUBLIC], [PRIVATE], [OTHER], [GONE], [PRIVATE, PUBLIC]]), min_size=1, max_size=5)
BEHALVES = [None, "http://public.test", "http://intra.test", "http://flip.test"]


@pytest.fixture
def quiet(internet: Internet) -> Internet:
    for host in ("public.test", "intra.test", "flip.test"):
        internet.put(host, "/a", "a", "text/plain")
    return internet


def in_order(internet: Internet, asked: list[tuple[str, str | None]]) -> list[Response]:
    """Fetches from hosts one after the other, each on behalf of an origin; nothing is kept alive between them."""
    trust = Trust.of(internet.url(host) for host in ("public.test", "flip.test"))

    async def work() -> list[Response]:
        answers = []
        for host, via in asked:
            behalf = None if via is None else origin(f"{via}:{internet.port}")
            async with Client(ReadOptions(retries=0, cache=False), trust) as client:
                answers.append(await client.get(internet.url(host, "/a"), via=behalf))
        return answers

    return asyncio.run(work())


@pytest.mark.hypothesis
def test_sequences_of_addresses(quiet: Internet) -> None:
    """Whatever a name answers: once it was public it is, and on behalf of strangers it never is anything else."""

    @given(ANSWERS, st.lists(st.sampled_from(BEHALVES), min_size=1, max_size=5))
    def check(answers: list[list[str]], behalves: list[str | None]) -> None:
        quiet.names["flip.test"] = [list(each) for each in answers]
        quiet.requests.clear()
        in_order(quiet, [("flip.test", via) for via in behalves])
        was_public = False
        arrived = [each.address for each in quiet.requests]
        for address in arrived:
            assert not (was_public and address != PUBLIC)
            was_public |= address == PUBLIC
        if not {None, "http://flip.test"} & set(behalves):
            assert set(arrived) <= {PUBLIC}

    check()


def test_an_open_connection_to_a_private_address_is_not_used_on_behalf_of_a_stranger(quiet: Internet) -> None:
    quiet.names["flip.test"] = [[PRIVATE]]

    async def work() -> list[Response]:
        trust = Trust.of([quiet.url("flip.test")])
        async with Client(ReadOptions(retries=0, cache=False), trust) as client:
            own = origin(quiet.url("flip.test"))
            url = quiet.url("flip.test", "/a")
            stranger = origin("http://public.test")
            return [await client.get(url, via=via, reuse=Reuse.NONE) for via in (None, stranger, own)]

    assert [answer.ok for answer in asyncio.run(work())] == [True, False, True]
    assert quiet.paths(PRIVATE) == ["/a", "/a"]


def test_a_name_that_was_resolved_before_it_turned_out_public(quiet: Internet) -> None:
    """Of two requests at once the one with the private address comes second, and is not connected."""
    quiet.names["flip.test"] = [[PRIVATE]]
    trust = Trust.of([quiet.url("flip.test")])

    async def work() -> Response:
        async with Client(ReadOptions(retries=0, cache=False), trust) as client:
            assert isinstance(client._exchange, Exchange)
            guard = client._exchange._guards[Reach.LINK]
            resolve = guard.resolve

            async def late(*place: Any, **more: Any) -> Any:
                found = await resolve(*place, **more)
                trust.record_connection("flip.test", Reach.PUBLIC)
                return found

            guard.resolve = late  # type: ignore[method-assign]
            return await client.get(quiet.url("flip.test", "/a"), via=None)

    assert asyncio.run(work()).reason is not None
    assert quiet.requests == []


def test_a_failed_tls_handshake_tells_where_a_host_is(quiet: Internet) -> None:
    quiet.names["flip.test"] = [[PUBLIC], [PRIVATE]]
    trust = Trust.of([f"https://flip.test:{quiet.port}/"])

    async def work() -> list[Response]:
        answers = []
        for scheme in ("https", "http"):
            async with Client(ReadOptions(retries=0, cache=False), trust) as client:
                answers.append(await client.get(f"{scheme}://flip.test:{quiet.port}/a", via=None))
        return answers

    assert [answer.error_kind and answer.error_kind.value for answer in asyncio.run(work())] == [
        "tls",
        "private-address",
    ]
    assert quiet.requests == []


# What targets name.


@pytest.mark.parametrize(
    ("targets", "discover", "named"),
    [
        (["https://example.com/a.xml"], False, ["https://example.com"]),
        (["example.com"], False, ["https://example.com"]),
        (["example.com"], True, ["https://example.com"]),
        (["localhost:8000/shop/"], True, ["http://localhost:8000"]),
        (["localhost:8000"], True, ["http://localhost:8000"]),
        (["web/pages.xml", "web", "-", "./example.com"], True, []),
        (["example.com/sitemap.xml"], True, ["https://example.com"]),
        (["http://web/pages.xml"], True, ["http://web"]),
        (["http://bob:hunter2@example.com/"], True, ["http://example.com"]),
        ([b"https://example.com/", Path("example.com")], True, []),
    ],
)
def test_what_targets_name(targets: list[str | bytes | Path], discover: bool, named: list[str]) -> None:
    trust = trust_in(targets, ReadOptions(), discover=discover)
    assert trust.named_origins == {origin(url) for url in named}


def test_a_folder_is_no_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "example.com").mkdir()
    assert trust_in(["example.com", "example.com/"], ReadOptions(), discover=True).named_origins == frozenset()


# The one place.


def test_trust_is_made_in_one_place() -> None:
    made: set[str] = set()
    for path in SOURCES.rglob("*.py"):
        text = path.read_text("utf-8")
        assert "trusted_hosts" not in text, path
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            if isinstance(called, ast.Name) and called.id == "Trust":
                made.add(path.relative_to(SOURCES).as_posix())
    assert made == {"stages/named.py"}


CAPABILITIES = ("comparison/", "coverage/", "pipeline/", "stages/")


def test_only_stages_and_commands_make_clients() -> None:
    clients = "Fetcher|Client|ClientSession|Connections|TCPConnector|GuardedConnector"
    made = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if re.search(rf"(?<!class )\b({clients})\(", path.read_text("utf-8"))
    }
    # The others are told which hosts to trust.
    elsewhere = {"fetch/exchange.py", "fetch/fetcher.py", "cluster/tasks.py", "clients/send.py"}
    assert {each for each in made if not each.startswith(CAPABILITIES)} == elsewhere


def test_the_private_addresses_are_those_of_the_registry() -> None:
    """The fixture of these tests changes the list; nothing else does."""
    assert ipaddress.IPv4Network("127.0.0.0/8") in reach_module.NOT_PUBLIC_V4
