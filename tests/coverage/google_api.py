"""A loopback server that speaks the APIs of search engines.

Of Search Console: tokens, inspection with quotas and faults, properties, and sitemaps. Of Bing: feeds.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote

Answer = tuple[int, dict[str, str], object]

INSPECT = "/v1/urlInspection/index:inspect"
SITEMAPS = "/webmasters/v3/sites/sc-domain%3Aexample.com/sitemaps"
ANALYTICS = "/webmasters/v3/sites/sc-domain%3Aexample.com/searchAnalytics/query"
GET_FEEDS = "/webmaster/api.svc/json/GetFeeds?"
BING_KEY = "0123456789abcdef0123456789abcdef"


class GoogleApi:
    """What the server does, and what it was asked.

    Attributes:
        url: Its URL.
        quota: Number of inspections until it returns 429.
        sites: The properties of the account.
        sitemaps: The submitted sitemaps of the property, as Google sends them.
        sitemaps_answer: What is answered instead, for the list and for each sitemap.
        feeds: What Bing answers to the right key.
        requested: The paths of all GET requests.
        allowed: Whether the account has access to the property.
        states: The result of each URL; by default it is indexed.
        faults: Called with a URL before it is inspected; returns an answer instead, or None.
        asked: The bodies of all inspections.
        tokens: Number of tokens that were issued.
        valid: The only token that is valid; None for every token.
        most_at_once: Most inspections at the same time.
        impressions: The impressions of each page by day, in California.
        incomplete_from: The first day whose data is still being collected.
        analytics_answer: Called with each request of Search Analytics; returns an answer instead, or None.
        queries: The bodies of these requests.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        self.quota = 10_000
        self.sites: list[tuple[str, str]] = [("sc-domain:example.com", "siteOwner")]
        self.sitemaps: list[dict[str, object]] = []
        self.sitemaps_answer: Answer | None = None
        self.feeds: Answer = (200, {}, {"d": []})
        self.requested: list[str] = []
        self.allowed = True
        self.states: dict[str, dict[str, object]] = {}
        self.faults: Callable[[str], Answer | None] = lambda url: None
        self.retry_after: str | None = None
        self.asked: list[dict[str, Any]] = []
        self.tokens = 0
        self.token_answer: Answer | None = None
        self.valid: str | None = None
        self.at_once = self.most_at_once = 0
        self.impressions: dict[str, dict[str, int]] = {}
        self.incomplete_from: str | None = None
        self.analytics_answer: Callable[[dict[str, Any]], Answer | None] = lambda body: None
        self.queries: list[dict[str, Any]] = []
        self.gate: threading.Event | None = None

    def sitemap(self, path: str, authorization: str) -> Answer:
        """The list of sitemaps, or one of them."""
        if self.valid is not None and authorization != f"Bearer {self.valid}":
            return 401, {}, error(401, "Request had invalid authentication credentials.")
        if not self.allowed:
            return 403, {}, error(403, "User does not have sufficient permission for site.")
        if self.sitemaps_answer is not None:
            return self.sitemaps_answer
        if path == SITEMAPS:
            return 200, {}, {"sitemap": self.sitemaps} if self.sitemaps else {}
        url = unquote(path.removeprefix(f"{SITEMAPS}/"))
        found = [one for one in self.sitemaps if one["path"] == url]
        return (200, {}, found[0]) if found else (404, {}, error(404, "Not found."))

    def analytics(self, body: dict[str, Any], authorization: str) -> Answer:
        """Impressions by day, or by page."""
        with self.lock:
            self.queries.append(body)
        if not self.allowed:
            return 403, {}, error(403, "User does not have sufficient permission for site.")
        if (answer := self.analytics_answer(body)) is not None:
            return answer
        days = {day: pages for day, pages in self.impressions.items() if body["startDate"] <= day <= body["endDate"]}
        if body["dimensions"] == ["DATE"]:
            counts = {day: sum(pages.values()) for day, pages in days.items() if pages}
        else:
            counts = {url: number for pages in days.values() for url, number in pages.items()}
        first = body["startRow"]
        rows = [
            {"keys": [key], "clicks": number // 2, "impressions": number, "ctr": 0.5, "position": 3.5}
            for key, number in list(counts.items())[first : first + body["rowLimit"]]
        ]
        found: dict[str, object] = {"responseAggregationType": "BY_PAGE"} | ({"rows": rows} if rows else {})
        if self.incomplete_from is not None and body["dimensions"] == ["DATE"]:
            found["metadata"] = {"firstIncompleteDate": self.incomplete_from}
        return 200, {}, found

    def token(self, form: dict[str, list[str]]) -> Answer:
        if self.token_answer is not None:
            return self.token_answer
        assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
        assert form["assertion"][0].count(".") == 2
        self.tokens += 1
        return 200, {}, {"access_token": f"secret-token-{self.tokens}", "expires_in": 3600, "token_type": "Bearer"}

    def inspect(self, body: dict[str, Any], authorization: str) -> Answer:
        with self.lock:
            self.asked.append(body)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.gate is not None:
                self.gate.wait(5)
            return self._inspected(body, authorization)
        finally:
            with self.lock:
                self.at_once -= 1

    def _inspected(self, body: dict[str, Any], authorization: str) -> Answer:
        if self.valid is not None and authorization != f"Bearer {self.valid}":
            return 401, {}, error(401, "Request had invalid authentication credentials.")
        if not self.allowed:
            return 403, {}, error(403, "You do not own this site, or the inspected URL is not part of this property.")
        with self.lock:
            self.quota -= 1
            if self.quota < 0:
                more = {} if self.retry_after is None else {"Retry-After": self.retry_after}
                return 429, more, error(429, "Quota exceeded for sc-domain:example.com.")
        url = body["inspectionUrl"]
        if (fault := self.faults(url)) is not None:
            return fault
        usual = {"verdict": "PASS", "coverageState": "Submitted and indexed", "lastCrawlTime": "2026-11-01T08:00:00Z"}
        return 200, {}, {"inspectionResult": {"indexStatusResult": self.states.get(url, usual)}}


def key_of_account(token_url: str) -> str:
    """The JSON key of a service account."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    # Short, since each client checks the primes of the key that it reads, which takes six times as long with 2048 bits.
    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    facts = {
        "type": "service_account",
        "project_id": "p",
        "private_key_id": "1",
        "private_key": private.decode(),
        "client_email": "urlset@p.iam.gserviceaccount.com",
        "client_id": "1",
        "token_uri": token_url,
    }
    return json.dumps(facts)


def error(code: int, message: str) -> dict[str, object]:
    return {"error": {"code": code, "message": message, "errors": [{"message": message, "reason": "any"}]}}


@contextmanager
def serving() -> Iterator[GoogleApi]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/token":
                self.answer(*api.token(parse_qs(content.decode())))
            elif self.path == INSPECT:
                assert self.headers["Content-Type"] == "application/json"
                self.answer(*api.inspect(json.loads(content), self.headers["Authorization"]))
            elif self.path == ANALYTICS:
                self.answer(*api.analytics(json.loads(content), self.headers["Authorization"]))
            else:
                self.answer(404, {}, {})

        def do_GET(self) -> None:
            api.requested.append(self.path)
            if self.path.startswith(GET_FEEDS):
                asked = parse_qs(self.path.partition("?")[2])
                is_known = asked["apikey"] == [BING_KEY]
                self.answer(
                    *(api.feeds if is_known else (400, {}, {"ErrorCode": 3, "Message": "ERROR!!! InvalidApiKey"}))
                )
                return
            if self.path.startswith(SITEMAPS):
                self.answer(*api.sitemap(self.path, self.headers["Authorization"]))
                return
            assert self.path == "/webmasters/v3/sites"
            assert self.headers["Authorization"].startswith("Bearer secret-token")
            entries = [{"siteUrl": site, "permissionLevel": level} for site, level in api.sites]
            self.answer(200, {}, {"siteEntry": entries} if entries else {})

        def answer(self, status: int, headers: dict[str, str], body: object) -> None:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    api = GoogleApi(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
