"""The API: the same as the commands write, and described by the table of its endpoints."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

import urlset
from urlset.serve.json_api import ENDPOINTS, openapi

from .conftest import Bench


def test_results_are_those_of_the_commands(bench: Bench) -> None:
    store = bench.server.snapshots.store
    runs = json.loads(urlset.render(urlset.history(store), "json"))["runs"]
    assert bench.client.get("/api/v1/runs").json()["runs"] == runs
    changes = json.loads(urlset.render(urlset.diff(f"{store}@1", f"{store}@2"), "json"))
    found = bench.client.get("/api/v1/compare?before=1&after=2").json()
    assert found["findings"] == changes["findings"]
    assert found["urls"] == changes["urls"]


def test_a_query_returns_its_rows(bench: Bench) -> None:
    found = bench.client.get("/api/v1/runs/2/sql?q=select+reason,count(*)+as+n+from+pages+group+by+1+order+by+2+desc,1")
    assert found.json()["columns"] == ["reason", "n"]
    assert found.json()["rows"][0] == [None, 3]
    assert found.json()["is_all"] is True
    wrong = bench.client.get("/api/v1/runs/2/sql?q=select+nothing+from+pages")
    assert wrong.status_code == 400
    assert "nothing" in wrong.json()["error"]


def test_errors_are_json_with_a_reason(bench: Bench) -> None:
    for address, status in (("/runs/9", 404), ("/jobs/9", 404), ("/compare", 400), ("/nothing", 404)):
        response = bench.client.get(f"/api/v1{address}")
        assert response.status_code == status
        assert response.json()["error"]


def test_every_endpoint_is_described_and_every_description_is_an_endpoint(bench: Bench) -> None:
    described = bench.client.get("/api/v1/openapi.json").json()
    operations = {(path, method.upper()) for path, methods in described["paths"].items() for method in methods}
    assert operations == {(f"/api/v1{one.path.replace(':int}', '}')}", one.method) for one in ENDPOINTS}
    assert json.loads(json.dumps(openapi())) == described


def _schema(described: dict[str, Any], path: str) -> dict[str, Any]:
    content = described["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    return {**content, "components": described["components"]}


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/api/v1/runs/{number}/sql", "/api/v1/runs/2/sql?q=select+1"),
        ("/api/v1/jobs", "/api/v1/jobs"),
        ("/api/v1/runs/{number}/pages", "/api/v1/runs/2/pages"),
    ],
)
def test_responses_fit_their_schemas(bench: Bench, path: str, address: str) -> None:
    described = bench.client.get("/api/v1/openapi.json").json()
    jsonschema.validate(bench.client.get(address).json(), _schema(described, path))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"[", "not a JSON object"),
        (b'{"target": ""}', "enter an address"),
        (b'{"target": "/etc/passwd"}', "not a site or URL"),
        (b'{"target": "file:///etc/passwd"}', "not a site or URL"),
        (b'{"target": "-"}', "not a site or URL"),
        (b'{"target": "s3://bucket/sitemap.xml"}', "s3://"),
        (b'{"target": "example.com", "kind": "delete"}', "kind must be"),
        (b'{"target": "example.com", "sample": 0}', "sample"),
        (b'{"target": "example.com", "kind": "page"}', "not the URL of a page"),
        (b'{"target": "a\\nb.example"}', "line breaks"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused_with_a_reason(bench: Bench, body: bytes, says: str) -> None:
    response = bench.client.post("/api/v1/jobs", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 400, response.text
    assert says in response.json()["error"]
    assert bench.server.jobs.list() == []


def test_a_body_that_is_too_large_is_refused(bench: Bench) -> None:
    response = bench.client.post("/api/v1/jobs", json={"target": "a" * 200_000})
    assert response.status_code == 413
