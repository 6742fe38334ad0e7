"""The pages of the workbench."""

from __future__ import annotations

import asyncio
import errno
import re
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)

from urlset import _core
from urlset.api import ignore_rule
from urlset.comparison.page_words import PageWords
from urlset.errors import InputError, UrlsetError, UsageError, reason_of
from urlset.files.structured import decode_json
from urlset.model.monitoring import AlarmKind
from urlset.model.report_page import ChangeList, Page
from urlset.options.publishing import HostName
from urlset.report.html import view
from urlset.report.html.filters import home_of
from urlset.report.html.template import page_context
from urlset.report.html.template import render as report_html
from urlset.rules.rule import Severity
from urlset.serve import store_reader
from urlset.serve.explained_page import ExplainedPage
from urlset.serve.jobs import MAX_FILES, MAX_UPLOADED, RESULT, JobKind, JobState, check_target
from urlset.serve.request_parameters import (
    LONGEST_TEXT,
    begin_of,
    begin_text,
    grid_view,
    job_of,
    number,
    page_filter,
    parse_place,
    stored_files,
)
from urlset.serve.server import SCRIPTS, SHEETS, Server, file, run_tabs
from urlset.serve.snapshots import InPreparationError, state_of
from urlset.serve.user_queries import MAX_SECONDS, MAX_SHOWN, MEDIA_TYPES, CanceledError, Queries, QueryForm, ShownRows
from urlset.store.grid import EXAMPLE, Operator, grid_sql
from urlset.text.sizes import GiB

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from starlette.datastructures import FormData, UploadFile
    from starlette.requests import Request

    from urlset.model.comparison import Comparison
    from urlset.serve.jobs import Job
    from urlset.serve.snapshots import Preparation, Snapshot
    from urlset.serve.store_reader import SiteCard
    from urlset.store.grid import GridView

Result = TypeVar("Result")

MAX_FIELDS = 50
"""Maximum fields of a form."""

OLD_FORM = "The form is out of date, or comes from another site. Go back, reload the page, and try again."

BETWEEN_EVENTS = 0.5
"""Seconds between two events of a job."""

RECENT = 10
"""Jobs to show on the first page."""

MAX_CARDS = 12
"""Sites to show on the first page."""

MAX_MEMBERS = 10
"""Pages of an alarm to link."""

BARS = 50
"""Maximum bars of a chart."""

ACCEPTED = timedelta(days=90)
"""For how long findings are accepted, unless another date is chosen."""


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def _number(request: Request) -> int:
    return int(request.path_params["number"])


@asynccontextmanager
async def checked_form(request: Request, *, files: int = 0) -> AsyncIterator[FormData]:
    """Yield the form of a request that comes from a page of this server.

    Raises:
        HTTPException: It does not, or has too many fields.
    """
    async with request.form(max_files=files, max_fields=MAX_FIELDS) as form:
        token, browser = form.get("token"), request.scope["urlset.browser"]
        if not server_of(request).access.is_form_token(browser, token if isinstance(token, str) else ""):
            raise HTTPException(403, OLD_FORM)
        yield form


def of_store(view: Callable[[Request, Snapshot], Response]) -> Callable[[Request], Response]:
    """Return the handler of a page that depends on its address, the store, and the baseline only: it is made once.

    All viewers see the same, but for the token of their forms.
    """

    @wraps(view)
    def handler(request: Request) -> Response:
        server = server_of(request)
        with server.snapshots.current() as snapshot:
            address = f"{request.url.path}?{request.url.query}"

            def make() -> tuple[Response, int]:
                response = view(request, snapshot)
                return response, len(response.body) + len(address) + 1_000

            page = snapshot.get_or_make(("page", address, state_of(server.baseline), datetime.now(UTC).date()), make)
        headers = {name: value for name, value in page.headers.items() if name != "content-length"}
        return Response(server.with_token(request, bytes(page.body)), page.status_code, headers)

    return handler


def start(request: Request) -> Response:
    """The first page: what to audit, what runs, and the newest results."""
    server = server_of(request)
    try:
        with server.snapshots.current() as snapshot:
            cards, more = store_reader.site_cards(snapshot, MAX_CARDS)
    except InputError:
        cards, more = [], 0
    return _start(request, cards, more)


def _start(
    request: Request,
    cards: Sequence[SiteCard],
    more: int = 0,
    *,
    problem: str | None = None,
    fields: Mapping[str, str] = {},
    status: int = 200,
) -> Response:
    server = server_of(request)
    return server.page(
        request, "start.html.j2", here="Start", cards=cards, more=more, jobs=server.jobs.list()[:RECENT],
        hosts=list(HostName), most_files=MAX_FILES, most_bytes=MAX_UPLOADED, problem=problem, given=fields,
        status=status,
    )  # fmt: skip


async def start_job(request: Request) -> Response:
    server = server_of(request)
    async with checked_form(request, files=MAX_FILES) as form:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        try:
            job = await _new_job(
                server, fields, [upload for upload in form.getlist("files") if not isinstance(upload, str)]
            )
        except UsageError as error:
            return _start(request, [], problem=str(error), fields=fields, status=400)
    return RedirectResponse(f"/jobs/{job.id}", 303)


async def _new_job(server: Server, fields: Mapping[str, str], uploads: list[UploadFile]) -> Job:
    """Start a job.

    Raises:
        UsageError: The request is invalid, or too many jobs wait.
    """
    kind, target, options = job_of(fields)
    uploads = [upload for upload in uploads if upload.filename]
    if uploads and kind not in (JobKind.AUDIT, JobKind.VALIDATE):
        raise UsageError("files can be audited or validated only")
    if not uploads:
        check_target(target, kind)
        options = {name: value for name, value in options.items() if name in ("sample", "crawl")}
    elif options.get("host") not in (None, *HostName):
        raise UsageError(f"host must be one of {', '.join(HostName)}")
    number = server.jobs.new_folder()
    try:
        count = await stored_files(uploads, server.jobs.folder_of(number)) if uploads else 0
        if count:
            paths = (upload.filename for upload in uploads if upload.filename)
            names = sorted({path.replace("\\", "/").partition("/")[0] for path in paths})
            target = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
        return server.jobs.start(number, kind, target, options, count)
    except BaseException:
        server.jobs.drop_folder(number)
        raise


def job(request: Request) -> Response:
    """A job: its progress, and then its result."""
    server, record = server_of(request), _job(request)
    if record.state is JobState.FINISHED and record.run is not None and "stay" not in request.query_params:
        return RedirectResponse(
            f"/runs/{record.run}/pages" if record.kind is JobKind.AUDIT else f"/runs/{record.run}", 303
        )
    if record.state is JobState.FINISHED and record.kind is JobKind.CHECK:
        result = _result(server, record, dict[str, Any])
        page = Page(
            command="check",
            targets=result["targets"],
            made_at=record.ended_at or datetime.now(UTC),
            version=_core.__version__,
            checks=[result["check"]],
        )
        return server.page(request, "page.html.j2", here="Start", run_id=None, **page_context(page))
    if record.state is JobState.FINISHED and record.kind is JobKind.PAGE:
        explained = _result(server, record, ExplainedPage)
        return server.page(
            request, "explained.html.j2", here="Start", job=record, explained=explained, stored=explained.stored,
            home=home_of([explained.url]),
        )  # fmt: skip
    return server.page(request, "job.html.j2", here="Start", job=record, state=record.state.value)


def job_events(request: Request) -> Response:
    """Send the job whenever it changes, as server-sent events."""
    number, jobs = _job(request).id, server_of(request).jobs

    async def events() -> AsyncIterator[bytes]:
        before = b""
        while (current := jobs.get(number)) is not None:
            text = msgspec.json.encode(current)
            # A comment keeps the connection open.
            yield b": waiting\n\n" if text == before else b"data: " + text + b"\n\n"
            before = text
            if current.state.is_over:
                return
            await asyncio.sleep(BETWEEN_EVENTS)

    return StreamingResponse(events(), media_type="text/event-stream")


def _job(request: Request) -> Job:
    record = server_of(request).jobs.get(_number(request))
    if record is None:
        raise HTTPException(404, "There is no such job; it may have been removed.")
    return record


def _result(server: Server, job: Job, kind: type[Result]) -> Result:
    try:
        return decode_json((server.jobs.folder_of(job.id) / RESULT).read_bytes(), kind)
    except (OSError, ValueError):
        raise HTTPException(404, "The result of this job was removed.") from None


async def act_on_job(request: Request) -> Response:
    async with checked_form(request):
        record, jobs = _job(request), server_of(request).jobs
    action = request.path_params["action"]
    actions = {"cancel": jobs.cancel, "resume": jobs.resume, "remove": jobs.remove}
    if action not in actions:
        raise HTTPException(404, "There is no such page.")
    await run_in_threadpool(actions[action], record.id)
    return RedirectResponse("/" if action == "remove" else f"/jobs/{record.id}?stay", 303)


@of_store
def runs(request: Request, snapshot: Snapshot) -> Response:
    """The runs of each site, with their trend."""
    return server_of(request).page(None, "runs.html.j2", here="Runs", sites=store_reader.sites(snapshot))


@of_store
def monitor(request: Request, snapshot: Snapshot) -> Response:
    """The open alarms of `urlset monitor`, and its rounds."""
    found = store_reader.monitored(snapshot)
    return server_of(request).page(
        None, "monitor.html.j2", here="Monitor", sites=found.sites, waiting=found.waiting, members=MAX_MEMBERS,
        home=home_of([found.sites[0].name]) if len(found.sites) == 1 else None,
        of_pages={AlarmKind.PAGES, AlarmKind.DEINDEXED, AlarmKind.NOT_CRAWLED},
        of_rules={AlarmKind.FINDING, AlarmKind.PLACES},
    )  # fmt: skip


def run(request: Request) -> Response:
    """The report of a run, in the frame of the workbench."""
    server, run_id = server_of(request), _number(request)
    with server.snapshots.current() as snapshot:
        row = store_reader.run_of(snapshot, run_id)
        if row.finished_at is None:
            raise InputError(snapshot.path.name, f"run {run_id} is not finished")

        def make() -> tuple[bytes, int]:
            values = page_context(store_reader.report_page(snapshot, run_id)) | {"data": "{}"}
            page = server.page(
                None, "page.html.j2", here="Runs", tabs=run_tabs(run_id), tab="Report", run_id=run_id, **values
            )
            return bytes(page.body), len(page.body)

        return HTMLResponse(server.snapshots.prepare(snapshot, ("run", run_id), make, row))


def run_report(request: Request) -> Response:
    """The report of a run as a single file, as `urlset report` writes it."""
    server, run_id = server_of(request), _number(request)
    with server.snapshots.current() as snapshot:

        def make() -> tuple[str, int]:
            text = "\n".join(report_html(store_reader.report_page(snapshot, run_id, is_file=True)))
            return text, len(text)

        row = store_reader.run_of(snapshot, run_id)
        text = server.snapshots.prepare(snapshot, ("file", run_id), make, row)
    headers = {"Content-Disposition": f'attachment; filename="urlset-run-{run_id}.html"'}
    return HTMLResponse(text, headers=headers)


@of_store
def pages(request: Request, snapshot: Snapshot) -> Response:
    """The pages of a run that cannot be indexed, and why."""
    server, run_id, params = server_of(request), _number(request), request.query_params
    chosen, after = page_filter(params), parse_place(params.get("after"))
    result = store_reader.pages_of(snapshot, run_id, chosen, after)
    row = store_reader.run_of(snapshot, run_id)
    names = ("reason", "under", "template", "status", "document", "q")
    query = {name: value for name, value in params.items() if name in names}
    return server.page(
        None, "pages.html.j2", here="Runs", tabs=run_tabs(run_id), tab="Pages", run=row, found=result, chosen=chosen,
        counts=result.counts, address=_address(f"/runs/{run_id}/pages", query), kept=query,
        next=None if result.after is None else f"{result.after[0]}-{result.after[1]}", is_first=after is None,
        home=home_of(page.url for page in result.pages), headline=store_reader.headline_of(snapshot, run_id),
    )  # fmt: skip


@of_store
def url(request: Request, snapshot: Snapshot) -> Response:
    server, run_id = server_of(request), _number(request)
    address = (request.query_params.get("u") or "").strip()
    if not address or len(address) > LONGEST_TEXT:
        raise UsageError("u: enter the URL as the sitemap lists it")
    row = store_reader.run_of(snapshot, run_id)
    page = store_reader.url_of(snapshot, row, address)
    return server.page(
        None, "url.html.j2", here="Runs", tabs=run_tabs(run_id), tab="Pages", run=row, url=address, found=page,
        facts=page.facts, stored=page.stored, home=home_of([address]),
    )  # fmt: skip


@of_store
def clock(request: Request, snapshot: Snapshot) -> Response:
    """How long the pages of a run take to crawl, index, and impression, as a picture."""
    server, run_id = server_of(request), _number(request)
    row = store_reader.run_of(snapshot, run_id)
    times = store_reader.clock_of(snapshot, row)
    slow = [page.url for step in times.steps if step.slow is not None for page in step.slow.examples]
    return server.page(
        None, "clock.html.j2", here="Runs", tabs=run_tabs(run_id), tab="Time to index", run=row, clock=times,
        home=home_of(slow),
    )  # fmt: skip


@of_store
def findings(request: Request, snapshot: Snapshot) -> Response:
    """The findings of a run by rank, what the baseline hides, and severities that are tried out."""
    server, run_id, params = server_of(request), _number(request), request.query_params
    tried = store_reader.severities_of(params.getlist("s"))
    if (code := params.get("rule")) and (severity := params.get("severity")):
        tried |= store_reader.severities_of([f"{code}:{severity}"])
        return RedirectResponse(_trying(run_id, tried) + f"#rule-{code}", 303)
    row = store_reader.run_of(snapshot, run_id)
    outcome = store_reader.findings_of(snapshot, run_id, server.baseline, tried)
    without = {code: _trying(run_id, {other: name for other, name in tried.items() if other != code}) for code in tried}
    return server.page(
        None, "findings.html.j2", here="Runs", tabs=run_tabs(run_id), tab="Findings", run=row, known=outcome,
        groups=outcome.groups, tried=tried, without=without, severities=[*Severity, store_reader.IGNORED], view=view,
        download=_trying(run_id, tried, "urlset.toml"), until=(datetime.now(UTC) + ACCEPTED).date(),
        baseline=server.baseline, home=home_of(place for group in outcome.groups for place in group.urls),
    )  # fmt: skip


def _trying(run_id: int, tried: Mapping[str, str], what: str = "findings") -> str:
    return _address(f"/runs/{run_id}/{what}", [("s", f"{code}:{name}") for code, name in tried.items()])


async def accept(request: Request) -> Response:
    """Accept the findings of a rule until a date: add an entry to the baseline."""
    server, run_id = server_of(request), _number(request)
    async with checked_form(request) as form:
        texts = {name: str(form.get(name) or "").strip() for name in ("code", "document", "reason", "until")}
    if any(len(text) > LONGEST_TEXT for text in texts.values()):
        raise UsageError("the text is too long")
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", texts["until"]):
        raise UsageError("until: enter a date, such as 2027-01-31")
    if not texts["reason"]:
        raise UsageError("reason: say why the findings are accepted")
    document = texts["document"] or "*"
    if "://" not in document and not any(char in document for char in "*?["):
        # The response does not reveal whether a file exists on the server.
        raise UsageError("document: enter a URL, or a pattern such as */blog.xml")
    ignore_rule(texts["code"], document, reason=texts["reason"], until=texts["until"], baseline=server.baseline)
    return RedirectResponse(f"/runs/{run_id}/findings", 303)


def configuration(request: Request) -> Response:
    """The severities that are tried out, as `urlset.toml`."""
    tried = store_reader.severities_of(request.query_params.getlist("s"))
    headers = {"Content-Disposition": 'attachment; filename="urlset.toml"'}
    return PlainTextResponse(store_reader.configuration(tried), headers=headers, media_type="application/toml")


@of_store
def compare(request: Request, snapshot: Snapshot) -> Response:
    server, params = server_of(request), request.query_params
    chosen = sorted(run_id for text in params.getlist("run") if (run_id := number(text, "run")) is not None)
    before, after = number(params.get("before"), "before"), number(params.get("after"), "after")
    if len(chosen) == 2:
        return RedirectResponse(_address("/compare", {"before": chosen[0], "after": chosen[1]}), 303)
    if before is None or after is None:
        raise UsageError("choose two runs to compare")
    sides = store_reader.run_of(snapshot, before), store_reader.run_of(snapshot, after)
    comparison = store_reader.comparison_of(server.snapshots, snapshot, before, after)
    return server.page(
        None, "compare.html.j2", here="Runs", found=comparison, sides=sides, changes=[*_changes(comparison)],
        home=home_of(_urls_of(comparison)),
    )  # fmt: skip


def _urls_of(comparison: Comparison) -> Iterator[str]:
    """Yield URLs that the page of a comparison shows."""
    yield from (change.document for change in comparison.findings or ())
    yield from (listed.url for listed in (*comparison.added.examples, *comparison.removed.examples))
    if comparison.unindexed is not None:
        yield from (page.url for page in comparison.unindexed.examples)


def _changes(comparison: Comparison) -> Iterator[ChangeList]:
    return PageWords().lists(comparison.pages, comparison.moved_pages, comparison.robots, comparison.llms)


@of_store
def explore(request: Request, snapshot: Snapshot) -> Response:
    row = store_reader.run_of(snapshot, number(request.query_params.get("run"), "run"))
    tables = store_reader.tables_of(snapshot, row.run_id)
    return server_of(request).page(
        None, "explore.html.j2", here="Explore", tabs=run_tabs(row.run_id), tab="Tables", run=row, tables=tables
    )


@of_store
def table(request: Request, snapshot: Snapshot) -> Response:
    server, params = server_of(request), request.query_params
    chosen = grid_view(request.path_params["name"], params)
    if "where" in params:
        return RedirectResponse(_grid_address(chosen, number(params.get("run"), "run")), 303)
    begin = begin_of(params.get("begin"))
    row = store_reader.run_of(snapshot, number(params.get("run"), "run"))
    result = store_reader.rows_of(snapshot, row.run_id, chosen, begin)
    return server.page(
        None, "table.html.j2", here="Explore", tabs=run_tabs(row.run_id), tab="Tables", run=row, view=chosen,
        found=result, sql=grid_sql(chosen), operators=list(Operator), here_at=_grid_address(chosen, row.run_id),
        next=None if result.after is None else _grid_address(chosen, row.run_id, begin=begin_text(result.after)),
        sorted_by={name: _grid_address(chosen, row.run_id, sort=_next_sort(chosen, name)) for name in chosen.columns},
        without=[
            _grid_address(chosen, row.run_id, without=place) for place, _ in enumerate(chosen.filters)
        ],
        is_first=begin == (None, 0), forms=[form for form in QueryForm if form is not QueryForm.SHOWN],
        home=home_of(value for row in result.rows for value in row if isinstance(value, str)),
    )  # fmt: skip


def _next_sort(view: GridView, name: str) -> str:
    """Return how to sort by a column when its name is chosen: ascending at first, then descending."""
    return f"-{name}" if view.sort == name and not view.descending else name


def _grid_address(
    view: GridView,
    run_id: int | None,
    *,
    sort: str | None = None,
    begin: str | None = None,
    without: int | None = None,
) -> str:
    if sort is None and view.sort is not None:
        sort = f"-{view.sort}" if view.descending else view.sort
    filters = [
        ("filter", f"{condition.column}.{condition.operator}.{condition.value}")
        for place, condition in enumerate(view.filters)
        if place != without
    ]
    members: list[tuple[str, object]] = [("run", run_id), *(("columns", name) for name in view.columns), *filters]
    members += [("sort", sort), ("begin", begin)]
    return _address(f"/explore/{view.table.name}", [(name, value) for name, value in members if value is not None])


async def sql(request: Request) -> Response:
    """SQL on a run: the query, its result as a table or chart, or as a file.

    A link on another site only enters the query: its owner decides whether it runs.
    """
    server, params = server_of(request), request.query_params
    # A browser sends the line breaks of a form as CRLF.
    text = (params.get("q") or "").replace("\r\n", "\n").strip()
    form = QueryForm(params["as"]) if params.get("as") in [*QueryForm] else QueryForm.SHOWN
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"a query has at most {LONGEST_TEXT:,} characters")
    display, problem, status = None, None, 200
    with server.snapshots.current() as snapshot:
        row = await run_in_threadpool(store_reader.run_of, snapshot, number(params.get("run"), "run"))
        tables = await run_in_threadpool(store_reader.tables_of, snapshot, row.run_id)
        if text and not request.scope["urlset.is_foreign"]:
            queries: Queries = request.app.state.queries
            try:
                async with queries.result(request, text, snapshot.path, row.run_id, form) as path:
                    if form is not QueryForm.SHOWN:
                        return await _file_response(path, form)
                    display = msgspec.json.decode(path.read_bytes(), type=ShownRows)
            except CanceledError:
                return Response(status_code=499)
            except UsageError as error:
                problem, status = str(error).replace(str(snapshot.path), snapshot.path.name), 400
    wants_chart = params.get("view") == "chart"
    charted, chart = _chart(display) if display is not None and wants_chart else ("", [])
    return server.page(
        request, "sql.html.j2", here="SQL", tabs=run_tabs(row.run_id), tab="SQL", run=row, sql=text or EXAMPLE,
        tables=tables, shown=display, problem=problem, status=status, seconds=MAX_SECONDS, most=MAX_SHOWN,
        charted=charted, chart=chart, wants_chart=wants_chart,
        forms=[each for each in QueryForm if each is not QueryForm.SHOWN],
        files={form: _address("/sql", {"run": row.run_id, "q": text, "as": form}) for form in QueryForm},
    )  # fmt: skip


async def _file_response(path: Path, form: QueryForm) -> Response:
    """Return a response with a file, which is removed when this returns, so it is opened before."""
    stream = path.open("rb")

    def pieces() -> Iterator[bytes]:
        with stream:
            while piece := stream.read(1 << 18):
                yield piece

    size = path.stat().st_size
    if size > 10 * GiB:
        stream.close()
        raise UsageError("the result is larger than 10 GiB; use `urlset sql` for it")
    headers = {"Content-Disposition": f'attachment; filename="urlset.{form.value}"', "Content-Length": str(size)}
    return StreamingResponse(pieces(), media_type=MEDIA_TYPES[form], headers=headers)


def _chart(display: ShownRows) -> tuple[str, list[tuple[str, float]]]:
    """Return the bars of a result: the name of its first column of numbers, and their labels, from its first column.

    Both are empty without such a column.
    """
    numeric = [
        place
        for place in range(len(display.columns))
        if any(isinstance(row[place], int | float) and not isinstance(row[place], bool) for row in display.rows)
    ]
    place = next((column for column in numeric if column or len(display.columns) == 1), None)
    if place is None:
        return "", []
    rows = [(row[0], value) for row in display.rows if isinstance(value := row[place], int | float) and value >= 0]
    return display.columns[place], [("NULL" if label is None else str(label), value) for label, value in rows[:BARS]]


async def login(request: Request) -> Response:
    """Ask for the token, and remember a browser that has given it."""
    server = server_of(request)
    secret = request.query_params.get("token")
    if request.method == "POST":
        async with checked_form(request) as form:
            secret = str(form.get("secret") or "")
    if secret is not None and server.access.is_token(secret.strip()):
        return server.access.logged_in()
    return server.page(
        request, "login.html.j2", here="", is_wrong=secret is not None, status=200 if secret is None else 403
    )


def static(request: Request) -> Response:
    kinds = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    name = request.path_params["name"]
    files = {**SHEETS, **SCRIPTS, "icon.svg": file}
    if name not in files:
        raise HTTPException(404, "There is no such file.")
    return Response(
        files[name](name), media_type=kinds[name.rpartition(".")[2]], headers={"Cache-Control": "private, max-age=300"}
    )


def error_response(request: Request, error: Exception) -> Response:
    server = server_of(request)
    if isinstance(error, InPreparationError):
        return _in_preparation(request, error.preparation)
    status, text = 500, "Something went wrong in urlset itself. The log of the server has the details."
    if isinstance(error, HTTPException):
        status, text = error.status_code, error.detail
        if status == 404 and text == "Not Found":
            text = "There is no such page."
    elif isinstance(error, UrlsetError):
        status = 404 if isinstance(error, InputError) else 400
        text = str(error)
    return server.page(request, "error.html.j2", here="", status=status, text=text, code=status)


def disk_error_response(request: Request, error: Exception) -> Response:
    """Return the response if the disk is full; other errors of the system are internal errors, which are logged."""
    if not isinstance(error, OSError) or error.errno not in (errno.ENOSPC, errno.EDQUOT):
        raise error
    return error_response(request, HTTPException(507, f"The disk of the server is full: {reason_of(error)}."))


def _in_preparation(request: Request, preparation: Preparation) -> Response:
    """Return the response while a result is computed: what is known already."""
    server, runs = server_of(request), preparation.runs
    headers = {"Refresh": "2", "Retry-After": "2"}
    with server.snapshots.current() as snapshot:
        audited = store_reader.stored_page_counts(snapshot, runs[-1].run_id)
    page = server.page(
        request, "preparing.html.j2", here="Runs", tabs=run_tabs(runs[0].run_id) if len(runs) == 1 else (),
        tab="Report", status=202, preparation=preparation, runs=runs, audited=audited,
    )  # fmt: skip
    page.headers.update(headers)
    return page


async def cancel_preparation(request: Request) -> Response:
    async with checked_form(request):
        server_of(request).snapshots.cancel(_number(request))
    return RedirectResponse("/runs", 303)


def _address(path: str, members: Mapping[str, object] | list[tuple[str, object]]) -> str:
    return f"{path}?{urlencode(members)}" if members else path
