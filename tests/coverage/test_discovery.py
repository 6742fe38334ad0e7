"""Requests and recorded answers of Search Console are those of its discovery document."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import ValidationError
from tests.coverage import discovery
from tests.coverage.google_api import SITEMAPS
from tests.coverage.test_reported import OF_GOOGLE

from urlset.coverage.google import INSPECT, SITES
from urlset.coverage.search_analytics import _TYPES

URL = "https://example.com/a"
QUERY = {"startDate": "2026-11-01", "endDate": "2026-11-01", "startRow": 0, "rowLimit": 25_000}


def test_paths_are_those_of_the_document() -> None:
    paths = {method: facts["path"] for method, facts in discovery.DOCUMENT["methods"].items()}
    assert paths == {
        discovery.INSPECT: INSPECT,
        discovery.QUERY: f"{SITES}/{{siteUrl}}/searchAnalytics/query",
        discovery.LIST_SITEMAPS: f"{SITES}/{{siteUrl}}/sitemaps",
        discovery.GET_SITEMAP: f"{SITES}/{{siteUrl}}/sitemaps/{{feedpath}}",
        discovery.LIST_SITES: SITES,
    }


def test_types_of_search_are_those_of_the_document() -> None:
    request = discovery.DOCUMENT["$defs"]["SearchAnalyticsQueryRequest"]["properties"]
    assert sorted(_TYPES.values()) == sorted(request["type"]["enum"])


def test_recorded_answers(google: Any) -> None:
    google.states[URL] = {
        "verdict": "NEUTRAL",
        "coverageState": "Duplicate, Google chose different canonical than user",
        "lastCrawlTime": "2026-10-30T12:00:00Z",
        "googleCanonical": "https://example.com/b",
        "userCanonical": URL,
        "sitemap": ["https://example.com/old.xml"],
    }
    google.sitemaps = [OF_GOOGLE]
    google.impressions = {"2026-11-01": {URL: 3}}
    google.incomplete_from = "2026-11-01"
    asked = {"inspectionUrl": URL, "siteUrl": "sc-domain:example.com"}
    answers = [
        (discovery.INSPECT, google.inspect(asked, "")),
        (discovery.INSPECT, google.inspect(asked | {"inspectionUrl": "https://example.com/c"}, "")),
        (discovery.QUERY, google.analytics({**QUERY, "dimensions": ["DATE"]}, "")),
        (discovery.QUERY, google.analytics({**QUERY, "dimensions": ["PAGE"]}, "")),
        (discovery.LIST_SITEMAPS, google.sitemap(SITEMAPS, "")),
        (discovery.GET_SITEMAP, google.sitemap(f"{SITEMAPS}/{quote(str(OF_GOOGLE['path']), safe='')}", "")),
        (discovery.LIST_SITES, (200, {}, {"siteEntry": [{"siteUrl": URL, "permissionLevel": "SITE_OWNER"}]})),
    ]
    for method, (status, _, answer) in answers:
        assert status == 200, method
        discovery.check(method, "response", answer)


@pytest.mark.parametrize(
    ("method", "request_body"),
    [
        (discovery.QUERY, {"dimensions": ["page"]}),
        (discovery.QUERY, {"rows": 3}),
        (discovery.QUERY, {"rowLimit": "3"}),
        (discovery.INSPECT, {"inspectionUrl": 3}),
    ],
)
def test_wrong_requests_are_found(method: str, request_body: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        discovery.check(method, "request", request_body)
