"""What a store says: its URLs and targets lead to public addresses only, and get no secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import pytest

from .conftest import PRIVATE, Internet

STORE = "theirs.duckdb"
SECRETS = ("--auth", "bob:hunter2", "--header", "X-Key: secret")
AUDIT = ("--store", STORE, "--no-pages", "--no-score")

USES = {
    "diff": ("diff", f"{STORE}@1", f"{STORE}@2", "--ask-removed", "10"),
    "notify": ("notify", "--from", f"{STORE}@1..2", "--dry-run", "--all"),
}


def stored(internet: Internet, cli: Callable[..., Any], host: str) -> None:
    """Two audits of a host that their user named; the second one lists fewer URLs."""
    for pages in (("/a", "/b", "/c"), ("/c",)):
        internet.urlset(host, "/list.xml", *(internet.url(host, page) for page in pages))
        assert cli("audit", internet.url(host, "/list.xml"), *AUDIT).code in (0, 1)
    internet.requests.clear()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("use", USES)
def test_private_hosts_are_not_requested(use: str, internet: Internet, cli: Callable[..., Any]) -> None:
    for host in ("intra.test", PRIVATE):
        stored(internet, cli, host)
        outcome = cli(*USES[use], *SECRETS)
        assert "internal error" not in outcome.text
        assert internet.requests == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("use", USES)
def test_public_hosts_get_no_secrets(use: str, internet: Internet, cli: Callable[..., Any]) -> None:
    stored(internet, cli, "public.test")
    cli(*USES[use], *SECRETS)
    assert {"/a", "/b"} <= {each.path for each in internet.requests}
    assert {(each.authorization, each.key) for each in internet.requests} == {(None, None)}


def unfinished(internet: Internet, cli: Callable[..., Any], host: str) -> None:
    """A run that ended before it kept anything but its targets."""
    stored(internet, cli, host)
    with duckdb.connect(STORE) as connection:
        connection.execute("UPDATE runs SET finished_at = NULL WHERE run_id = 2")
        for table in ("documents", "urls", "findings"):
            connection.execute(f"DELETE FROM {table} WHERE run_id = 2")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("more", [(), SECRETS], ids=["plain", "secrets"])
def test_a_resumed_run_on_a_private_address(more: tuple[str, ...], internet: Internet, cli: Callable[..., Any]) -> None:
    unfinished(internet, cli, PRIVATE)
    outcome = cli("audit", "--resume", *AUDIT, *more)
    target = internet.url(PRIVATE, "/list.xml")
    assert (outcome.code, outcome.err) == (
        2,
        f"urlset: {STORE}: {target} is on a private network, and a store can be from someone else; add the targets of "
        f"the run to resume it: {target}\n",
    )
    assert internet.requests == []
    assert cli("audit", target, "--resume", *AUDIT, *more).code in (0, 1)
    assert internet.paths(PRIVATE)


def test_a_resumed_run_on_a_name_of_a_private_address(internet: Internet, cli: Callable[..., Any]) -> None:
    unfinished(internet, cli, "intra.test")
    cli("audit", "--resume", *AUDIT)
    assert internet.requests == []


def test_secrets_in_a_resumed_run(internet: Internet, cli: Callable[..., Any]) -> None:
    unfinished(internet, cli, "public.test")
    outcome = cli("audit", "--resume", *AUDIT, *SECRETS)
    assert (outcome.code, "--auth and --header are sent only to targets that you name" in outcome.err) == (2, True)
    assert internet.requests == []
    assert cli("audit", internet.url("public.test", "/list.xml"), "--resume", *AUDIT, *SECRETS).code in (0, 1)
    assert {each.key for each in internet.requests if each.path == "/list.xml"} == {"secret"}


def test_a_resumed_run_on_a_public_host_needs_no_target(internet: Internet, cli: Callable[..., Any]) -> None:
    unfinished(internet, cli, "public.test")
    assert cli("audit", "--resume", *AUDIT).code in (0, 1)
    assert "/list.xml" in {each.path for each in internet.requests}
