"""Who may use the workbench: hosts, origins, the token of a shared server, the tokens of forms, and headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from urlset.serve.app import ROUTES, Place
from urlset.serve.guard import Access

from .conftest import Bench, opened

NAMED = ("localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST", "127.0.0.1")
STRANGE = (
    "evil.example",
    "evil.example:8080",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "192.168.1.2",
    "",
    "[",
)


@pytest.mark.parametrize("host", NAMED)
def test_a_name_of_the_loopback_network_is_answered(bench: Bench, host: str) -> None:
    assert bench.client.get("/login", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", STRANGE)
def test_another_name_that_leads_here_is_not_answered(bench: Bench, host: str) -> None:
    for address in ("/", "/static/page.css", "/jobs/1/events", "/login"):
        response = bench.client.get(address, headers={"host": host})
        assert response.status_code == 421
        assert "urlset.duckdb" not in response.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:8080"},
        {"origin": "http://127.0.0.1:8081"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_what_another_site_sends_is_refused(bench: Bench, headers: dict[str, str]) -> None:
    for address in ("/sql?q=select+1", "/jobs/1/events"):
        assert bench.client.get(address, headers=headers).status_code == 403
    assert bench.client.post("/jobs", headers=headers, data={"target": "example.com"}).status_code == 403


def test_a_link_on_another_site_opens_a_page_but_sends_no_form(bench: Bench) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert bench.client.get("/runs", headers=link).status_code == 200
    assert bench.client.post("/jobs", headers=link, data={"target": "example.com"}).status_code == 403


POSTS = [route.path for route in ROUTES if "POST" in (route.methods or ())]


@pytest.mark.parametrize("path", POSTS)
def test_every_form_needs_the_token_of_its_browser(bench: Bench, path: str) -> None:
    address = path.replace("{number:int}", "1").replace("{action:str}", "cancel")
    for token in ("", "0" * 64, bench.token()[:-1]):
        assert bench.client.post(address, data={"token": token, "target": "example.com"}).status_code == 403
    with TestClient(bench.app, base_url="http://127.0.0.1:8080") as other:
        other.get("/")
        # The token of another browser.
        assert other.post(address, data={"token": bench.token(), "target": "example.com"}).status_code == 403
    assert bench.server.jobs.list() == []


def test_every_response_has_the_headers_that_protect_it(bench: Bench) -> None:
    for address in ("/", "/nothing", "/runs/2", "/sql?q=x", "/static/page.js", "/jobs/1/events", "/runs/2/report"):
        headers = bench.client.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_cookies_are_for_this_site_only(bench: Bench) -> None:
    with TestClient(bench.app, base_url="http://127.0.0.1:8080") as fresh:
        cookie = fresh.get("/").headers["set-cookie"]
    assert re.fullmatch(r"urlset-browser=[\w-]{32}; Path=/; HttpOnly; SameSite=Strict", cookie)


@pytest.fixture
def shared(made: Path, tmp_path: Path) -> Iterator[Bench]:
    """A workbench that other machines may reach."""
    with opened(tmp_path, made, Place("0.0.0.0", names=("audits.example",))) as found:
        yield found


def test_a_shared_server_needs_its_token(shared: Bench) -> None:
    token = shared.server.access.token
    assert token is not None
    for address in ("/", "/runs/2", "/sql?q=select+1", "/runs/2/report", "/jobs/1/events", "/nothing"):
        response = shared.client.get(address, follow_redirects=False)
        assert (response.status_code, response.headers.get("location")) == (303, "/login")
    assert shared.client.get("/login?token=wrong").status_code == 403
    opened = shared.client.get(f"/login?token={token}", follow_redirects=False)
    cookie = opened.headers["set-cookie"]
    assert re.match(r"urlset-session=[0-9a-f]{64}; HttpOnly; Path=/; SameSite=strict", cookie)
    assert token not in cookie
    assert shared.client.get("/runs/2").status_code == 200


def test_the_token_can_be_typed(shared: Bench) -> None:
    form = {"token": shared.token("/login"), "secret": shared.server.access.token or ""}
    assert shared.client.post("/login", data=form, follow_redirects=False).headers["location"] == "/"
    assert shared.client.get("/").status_code == 200


def test_a_cookie_of_another_server_does_not_count(shared: Bench) -> None:
    other = Access(token="other")
    for value in (other.session, "", "é", shared.server.access.token or ""):
        headers = {b"cookie": f"urlset-session={value}".encode()}
        assert shared.client.get("/", headers=headers, follow_redirects=False).status_code == 303


@pytest.mark.parametrize("host", ["audits.example:8080", "192.168.1.2:8080", "localhost"])
def test_a_shared_server_answers_to_addresses_and_its_names(shared: Bench, host: str) -> None:
    assert shared.client.get("/login", headers={"host": host}).status_code == 200


def test_a_shared_server_does_not_answer_to_other_names(shared: Bench) -> None:
    assert shared.client.get("/login", headers={"host": "evil.example"}).status_code == 421
