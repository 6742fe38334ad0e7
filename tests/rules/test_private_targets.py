"""Which hosts are private or of test systems: the SQL on documents agrees with the traits that the reader gives."""

from __future__ import annotations

import duckdb
import pytest
from tests.cases import case_table

from urlset import _core
from urlset.net.urlparts import host_of
from urlset.rules.private_targets import PRIVATE_HOST, STAGING_HOST
from urlset.rules.queries import TRAIT_BITS

HOSTS = (
    "localhost", "intranet", "a.local", "a.localhost", "a.internal", "a.test", "a.invalid", "local", "local.example",
    "0.0.0.0", "10.0.0.1", "10.example.com", "127.0.0.1", "169.254.1.2", "169.253.1.2", "172.15.0.1", "172.16.0.1",
    "172.31.0.1", "172.32.0.1", "192.168.0.1", "192.169.0.1", "8.8.8.8", "::1", "::", "fc00::1", "fdff::1", "fe80::1",
    "febf::1", "fec0::1", "2001:db8::1", "example.com", "localhost.example.com", "staging.example.com", "staging.com",
    "www.uat12.example.com", "stg2.example.com", "preprod.example.com", "pre-prod1.a.example", "stages.example.com",
    "a.staging.example.com",
)  # fmt: skip


@pytest.mark.long("slow cases")
@case_table("host", HOSTS)
def test_the_same_hosts(host: str) -> None:
    url = f"http://[{host}]/" if ":" in host else f"http://{host}/"
    (batch,) = _core.Reader(f"{url}\n".encode(), document_id=0)
    (traits,) = batch["urls"].column("traits")
    with duckdb.connect() as connection:
        query = f"SELECT {PRIVATE_HOST}, {STAGING_HOST} FROM (SELECT $1 AS host)"
        row = connection.execute(query, [host_of(url)]).fetchone()
    assert row == (bool(traits & TRAIT_BITS["private-host"]), bool(traits & TRAIT_BITS["test-host"]))
