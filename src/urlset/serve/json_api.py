"""The workbench as JSON under `/api/v1`, from one table of endpoints, which also makes the OpenAPI description."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse

from urlset import _core
from urlset.errors import InputError, UsageError
from urlset.files.structured import decode_json
from urlset.report.formats import render
from urlset.report.json_schema import schema
from urlset.serve import store_reader
from urlset.serve.jobs import Job, JobKind
from urlset.serve.request_parameters import (
    LONGEST_TEXT,
    begin_of,
    begin_text,
    grid_view,
    number,
    page_filter,
    parse_place,
)
from urlset.serve.user_queries import CanceledError, Queries, QueryForm, ShownRows
from urlset.serve.views import new_job, server_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from starlette.requests import Request


LONGEST_BODY = 100_000
"""Maximum bytes of a request."""

BETWEEN = 0.5
"""Seconds between two events of a job."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint of the API.

    Attributes:
        path: Its path below `/api/v1`.
        about: What it returns, as a sentence.
        params: Its query parameters, each with a description.
        schema: The name of the JSON Schema of its response, as `urlset.report.json_schema` knows it; or the schema.
        body: The schema of its body.
        media_type: The Content-Type of its response.
    """

    path: str
    handler: Callable[[Request], object]
    about: str
    method: str = "GET"
    params: tuple[tuple[str, str], ...] = ()
    schema: str | Mapping[str, object] | None = None
    body: Mapping[str, object] | None = None
    media_type: str = "application/json"


def runs(request: Request) -> Response:
    try:
        with server_of(request).snapshots.current() as snapshot:
            rows = [run for _, group in store_reader.sites(snapshot) for run in group]
    except InputError:
        rows = []
    return _render("history", sorted(rows, key=lambda run: run.run_id))


def run(request: Request) -> Response:
    with server_of(request).snapshots.current() as snapshot:
        return _render("audit", store_reader.audit_of(snapshot, request.path_params["number"]))


def findings(request: Request) -> Response:
    server = server_of(request)
    tried = store_reader.severities_of(request.query_params.getlist("s"))
    with server.snapshots.current() as snapshot:
        outcome = store_reader.findings_of(snapshot, request.path_params["number"], server.baseline, tried)
    return _render("validate", outcome.report)


def pages(request: Request) -> Response:
    params = request.query_params
    with server_of(request).snapshots.current() as snapshot:
        result = store_reader.pages_of(
            snapshot, request.path_params["number"], page_filter(params), parse_place(params.get("after"))
        )
    after = None if result.after is None else f"{result.after[0]}-{result.after[1]}"
    listed, counts = (0, {}) if result.counts is None else (result.counts.checked, result.counts.reasons)
    return _json({"listed": listed, "counts": counts, "pages": result.pages, "after": after})


def url(request: Request) -> Response:
    address = (request.query_params.get("u") or "").strip()
    if not address:
        raise UsageError("u: the URL as the sitemap lists it is missing")
    with server_of(request).snapshots.current() as snapshot:
        row = store_reader.run_of(snapshot, request.path_params["number"])
        return _json(store_reader.url_of(snapshot, row, address))


def comparison(request: Request) -> Response:
    before, after = (number(request.query_params.get(name), name) for name in ("before", "after"))
    if before is None or after is None:
        raise UsageError("before and after: two runs are needed")
    snapshots = server_of(request).snapshots
    with snapshots.current() as snapshot:
        return _render("diff", store_reader.comparison_of(snapshots, snapshot, before, after))


def table(request: Request) -> Response:
    params = request.query_params
    view = grid_view(request.path_params["name"], params)
    with server_of(request).snapshots.current() as snapshot:
        result = store_reader.rows_of(snapshot, request.path_params["number"], view, begin_of(params.get("begin")))
    rows = [dict(zip(view.columns, row, strict=True)) for row in result.rows]
    return _json({"total": result.total, "rows": rows, "begin": begin_text(result.after)})


async def sql(request: Request) -> Response:
    text = (request.query_params.get("q") or "").strip()
    if not text or len(text) > LONGEST_TEXT:
        raise UsageError(f"q: a query of 1 to {LONGEST_TEXT:,} characters is missing")
    queries: Queries = request.app.state.queries
    with server_of(request).snapshots.current() as snapshot:
        try:
            async with queries.result(
                request, text, snapshot.path, request.path_params["number"], QueryForm.SHOWN
            ) as path:
                return Response(path.read_bytes(), media_type="application/json")
        except CanceledError:
            return Response(status_code=499)


def jobs(request: Request) -> Response:
    return _json({"jobs": server_of(request).jobs.list()})


def job(request: Request) -> Response:
    return _json(_job(request))


async def start_job(request: Request) -> Response:
    started = await new_job(server_of(request), await _body(request), [])
    return Response(msgspec.json.encode(started), 201, {"Location": f"/api/v1/jobs/{started.id}"}, "application/json")


async def act_on_job(request: Request) -> Response:
    await _body(request)
    jobs = server_of(request).jobs
    act = {"cancel": jobs.cancel, "resume": jobs.resume}[request.url.path.rpartition("/")[2]]
    await run_in_threadpool(act, _job(request).id)
    return _json(_job(request))


def job_events(request: Request) -> Response:
    number, server = _job(request).id, server_of(request)

    async def events() -> AsyncIterator[bytes]:
        before = b""
        while True:
            current = server.jobs.get(number)
            if current is None:
                return
            text = msgspec.json.encode(current)
            # A comment keeps the connection open.
            yield b": waiting\n\n" if text == before else b"data: " + text + b"\n\n"
            before = text
            if current.state.is_over:
                return
            await asyncio.sleep(BETWEEN)

    return StreamingResponse(events(), media_type="text/event-stream")


def description(_request: Request) -> Response:
    return JSONResponse(openapi())


_FILTERS = (
    ("reason", "Why a page cannot be indexed; also lacking (the default), indexable, or all"),
    ("under", "What the URL starts with"),
    ("template", "The first segments of its path, with * for those that vary, such as /shop/*/reviews"),
    ("status", "The status code"),
    ("document", "The number of the sitemap"),
    ("q", "What the URL contains"),
    ("after", "Continue after this page: `after` of the response before"),
)
_GRID = (
    ("columns", "A column to return; can be repeated"),
    ("filter", "A condition, COLUMN.OPERATOR.VALUE; can be repeated"),
    ("sort", "The column to sort by, with - in front for descending"),
    ("begin", "Continue: `begin` of the response before"),
)
_TRIED = (("s", "A severity to try out, CODE:SEVERITY; can be repeated"),)
_OBJECT = {"type": "object"}
_NEW_JOB = {
    "type": "object",
    "required": ["target"],
    "properties": {
        "target": {"type": "string", "description": "A site, or the URL of a sitemap or page"},
        "kind": {"type": "string", "enum": list(JobKind), "default": "audit"},
        "sample": {"type": "integer", "minimum": 1, "description": "Number of pages to request"},
        "crawl": {"type": "boolean", "description": "Follow links to pages in no sitemap"},
    },
}

ENDPOINTS = (
    Endpoint("/runs", runs, "The runs of the store, oldest first.", schema="history"),
    Endpoint("/runs/{number:int}", run, "The result of a run.", schema="audit"),
    Endpoint("/runs/{number:int}/findings", findings, "The findings of a run.", params=_TRIED, schema="validate"),
    Endpoint("/runs/{number:int}/pages", pages, "The pages of a run, 100 at a time.", params=_FILTERS, schema=_OBJECT),
    Endpoint(
        "/runs/{number:int}/url", url, "All that the store has about a URL.", params=(("u", "The URL as listed"),),
        schema=_OBJECT,
    ),
    Endpoint(
        "/runs/{number:int}/tables/{name}", table, "The rows of a table, 100 at a time.", params=_GRID, schema=_OBJECT
    ),
    Endpoint(
        "/runs/{number:int}/sql", sql, "The first 1,000 rows of a query.", params=(("q", "A SELECT of DuckDB"),),
        schema={"$ref": "#/components/schemas/ShownRows"},
    ),
    Endpoint(
        "/compare", comparison, "What changed between two runs.",
        params=(("before", "The earlier run"), ("after", "The later run")), schema="diff",
    ),
    Endpoint("/jobs", jobs, "The jobs, newest first.", schema=_OBJECT),
    Endpoint(
        "/jobs", start_job, "Start a job.", "POST", schema={"$ref": "#/components/schemas/Job"}, body=_NEW_JOB
    ),
    Endpoint("/jobs/{number:int}", job, "A job.", schema={"$ref": "#/components/schemas/Job"}),
    *(
        Endpoint(
            f"/jobs/{{number:int}}/{action}", act_on_job, f"{action.capitalize()} a job.", "POST",
            schema={"$ref": "#/components/schemas/Job"}, body=_OBJECT,
        )
        for action in ("cancel", "resume")
    ),
    Endpoint(
        "/jobs/{number:int}/events", job_events, "The job whenever it changes, as server-sent events.",
        media_type="text/event-stream",
    ),
    Endpoint("/openapi.json", description, "This description.", schema=_OBJECT),
)  # fmt: skip


def openapi() -> dict[str, object]:
    """Return the OpenAPI description: https://spec.openapis.org/oas/v3.1.1.html."""
    paths: dict[str, dict[str, object]] = {}
    names = {endpoint.schema for endpoint in ENDPOINTS if isinstance(endpoint.schema, str)}
    for endpoint in ENDPOINTS:
        path = endpoint.path.replace(":int}", "}")
        inner = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
        params: list[dict[str, object]] = [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "integer" if name == "number" else "string"},
            }
            for name in inner
        ]
        params += [
            {"name": name, "in": "query", "description": about, "schema": {"type": "string"}}
            for name, about in endpoint.params
        ]
        shape = (
            {"$ref": f"#/components/schemas/{endpoint.schema}"} if isinstance(endpoint.schema, str) else endpoint.schema
        )
        operation: dict[str, object] = {
            "summary": endpoint.about,
            "parameters": params,
            "responses": {
                "201" if endpoint.path == "/jobs" and endpoint.method == "POST" else "200": {
                    "description": endpoint.about,
                    "content": {endpoint.media_type: {} if shape is None else {"schema": shape}},
                },
                "default": {
                    "description": "What is wrong.",
                    "content": {
                        "application/json": {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}
                    },
                },
            },
        }
        if endpoint.body is not None:
            operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": endpoint.body}}}
        paths.setdefault(f"/api/v1{path}", {})[endpoint.method.lower()] = operation
    _, own = msgspec.json.schema_components([Job, ShownRows], ref_template="#/components/schemas/{name}")
    # The `$id` of a schema changes what its references mean only within it.
    schemas = {name: schema(name) for name in sorted(names)}
    return {
        "openapi": "3.1.1",
        "info": {"title": "urlset workbench", "version": _core.__version__},
        "paths": paths,
        "components": {
            "schemas": {**own, **schemas},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _job(request: Request) -> Job:
    record = server_of(request).jobs.get(request.path_params["number"])
    if record is None:
        raise HTTPException(404, "there is no such job")
    return record


async def _body(request: Request) -> dict[str, object]:
    """Return the JSON object of a request. A form of another site cannot send this Content-Type."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "send JSON, with Content-Type: application/json")
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > LONGEST_BODY:
            raise HTTPException(413, f"a request has at most {LONGEST_BODY:,} bytes")
    try:
        return decode_json(content or b"{}", dict[str, object])
    except ValueError as error:
        raise HTTPException(400, f"not a JSON object: {error}") from None


def _render(command: str, model: object) -> Response:
    return Response("\n".join(render(command, "json", model)), media_type="application/json")


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
