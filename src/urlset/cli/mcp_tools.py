"""The tools of `urlset mcp`, as functions that return text: what they may reach, and what they answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Any, TypeVar

from urlset.errors import UsageError
from urlset.files.repository_links import LEADS_OUT, confine, is_visible_below, leads_out
from urlset.options.comparing import DiffOptions
from urlset.options.querying import QueryOptions
from urlset.options.storing import DEFAULT_STORE
from urlset.options.verbs import InspectOptions, ValidateOptions
from urlset.report.formats import render
from urlset.sources import is_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.options.resolve import ResolvedOptions

MAX_SECONDS = 60.0
"""Maximum time of a query, for which an assistant waits."""

MAX_SECONDS_TO_ANSWER = 300.0
"""Maximum time of a call of another tool."""

MAX_ASKED = 50
"""Maximum URLs, and crawlers, to test against a robots.txt in a call."""

MAX_DOCUMENTS = 1_000
"""Maximum documents of a site to read."""

Options = TypeVar("Options", bound=InspectOptions)

_SITE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Reach:
    """What the tools of a server can reach, as plain values for the processes in which they run.

    Attributes:
        root: The directory, which is the working directory.
        config: The configuration file, if any.
        explicit: The options of the command line, by their names.
    """

    root: Path
    config: Path | None = None
    explicit: Mapping[str, object] = field(default_factory=dict)
    allow_fetch: bool = False


def answer_in_process(reach: Reach, tool: str, *arguments: object) -> str:
    """Run a tool in a separate process, so that nothing that it reads can block or end the server.

    Raises:
        UrlsetError: The question cannot be answered, or takes too long.
    """
    from urlset.serve.processes import call_in_process

    # DuckDB stops most queries itself a little earlier.
    seconds = MAX_SECONDS + 2 if tool == "sql" else MAX_SECONDS_TO_ANSWER
    return call_in_process(_answer_here, reach, tool, arguments, seconds=seconds)


def _answer_here(reach: Reach, tool: str, arguments: tuple[object, ...]) -> str:
    from urlset.database.interrupts import end_on_interrupt
    from urlset.options.assistants import AssistantOptions
    from urlset.options.configuration_file import load
    from urlset.options.resolve import resolve

    # If the server has ended, the process ends itself after the time limit of a query.
    end_on_interrupt()
    file = None if reach.config is None else load(reach.config)
    tools = Tools(reach.root, resolve(AssistantOptions, file, reach.explicit), allow_fetch=reach.allow_fetch)
    confine(reach.root)
    text: str = getattr(tools, tool)(*arguments)
    return text


class Tools:
    """Answers questions about files below a directory, stores in it, and, if allowed, public URLs.

    Args:
        root: The directory, which is the working directory.
    """

    def __init__(self, root: Path, configuration: ResolvedOptions[Any], *, allow_fetch: bool) -> None:
        self._root = root.resolve()
        self._configuration = configuration
        self._allow_fetch = allow_fetch

    def inspect(self, target: str) -> str:
        from urlset.pipeline.inspect import inspect
        from urlset.stages.named import trust_of_assistant

        options = self._reading(self._configuration.of(InspectOptions).options)
        return _answer("inspect", inspect([self._target(target)], options, trust=trust_of_assistant()))

    def validate(self, target: str, site: bool = False, base_url: str | None = None) -> str:
        """Return the findings on sitemaps, or on a directory of pages, which is audited into a temporary store.

        Args:
            target: A file, directory, or URL; a site with `site`.
            site: Whether to search the site of a URL for sitemaps, and to follow indexes.
            base_url: Where a directory of pages will be published; by default as its files say.
        """
        from urlset.pipeline.edits import with_edits
        from urlset.pipeline.validate import validate
        from urlset.stages.named import trust_of_assistant

        if site and not self._allow_fetch:
            raise UsageError(_NO_FETCH)
        named = self._target(target, is_site=site)
        if isinstance(named, Path) and (named.is_dir() or base_url is not None):
            audited = self._audit(named, base_url)
            if audited is not None:
                return audited
        options = self._reading(self._configuration.of(ValidateOptions).options)
        options = replace(options, robots=False, discover=site, expand=site)
        report = validate([named], options, trust=trust_of_assistant())
        return _answer("validate", with_edits(report))

    def _audit(self, folder: Path, base_url: str | None) -> str | None:
        """Return the result of an audit of a directory; None if it has no pages."""
        from msgspec import structs

        from urlset.files.scratch import Scratch
        from urlset.hosting.published_files import PublishedFolder
        from urlset.options.auditing import AuditOptions
        from urlset.pipeline.audit import audit_opened
        from urlset.stages.folder_audit import folder_site

        options = self._reading(self._configuration.of(AuditOptions).options)
        options = replace(options, external=False, images=False, base_url=base_url or options.base_url)
        if base_url is None and not PublishedFolder.of(folder).has_pages:
            return None
        with Scratch() as scratch:
            options = replace(options, store=scratch.path / DEFAULT_STORE.name)
            site = folder_site([str(folder)], options)
            audited = audit_opened([str(folder)], site, options)
            return _answer("audit", structs.replace(audited, store=None, run_id=None))

    def page(self, url: str, store: str = str(DEFAULT_STORE), run: int | None = None) -> str:
        """Return what a run has about a URL, or a path on any host."""
        from urlset.pipeline.stored_run import facts_of

        if not url.strip():
            raise UsageError("url is empty; name a URL as listed, or a path such as /about")
        _, facts = facts_of(self._file(store), url, run)
        return _answer("mcp page", facts)

    def findings(
        self,
        store: str = str(DEFAULT_STORE),
        run: int | None = None,
        before: int | str | None = None,
        base_url: str | None = None,
    ) -> str:
        """Return the result of a run; with `before`, what changed since that run, or since another directory."""
        path = self._file(store)
        if before is None:
            if path.is_dir():
                raise UsageError(
                    "a directory has no stored findings; use `validate`, or name an earlier one as `before`"
                )
            from urlset.pipeline.stored_run import stored_audit

            return _answer("audit", stored_audit(path, run))
        from urlset.pipeline.diff import diff

        options = replace(self._reading(self._configuration.of(DiffOptions).options), ask_removed=None)
        options = replace(options, base_url=base_url or options.base_url)
        later = f"{path}@{run}" if run is not None else str(path)
        earlier = f"{path}@{before}" if str(before).isdecimal() else str(self._local(str(before)))
        return _answer("diff", diff(earlier, later, options))

    def robots(self, target: str = "robots.txt", urls: Sequence[str] = (), agents: Sequence[str] = ()) -> str:
        """Return what a robots.txt says, or whether it allows URLs to crawlers.

        Args:
            target: A robots.txt, its directory, or a URL of its site.
            urls: URLs, or paths, to test.
            agents: Crawlers to test; by default those that `urlset robots` tests.
        """
        from urlset.pipeline.robots import robots_in
        from urlset.stages.named import trust_of_assistant
        from urlset.stages.session import Session
        from urlset.web.agents import DEFAULT_AGENTS

        if len(urls) > MAX_ASKED or len(agents) > MAX_ASKED:
            raise UsageError(f"at most {MAX_ASKED} URLs and {MAX_ASKED} crawlers can be tested at once")
        named = self._target(target)
        if isinstance(named, Path) and named.is_dir():
            if not (named / "robots.txt").exists():
                raise UsageError("the directory has no robots.txt")
            named = self._file(str(named / "robots.txt"))
        options = self._reading(self._configuration.of(InspectOptions).options)
        with Session(options, trust_of_assistant()) as session:
            return _answer("robots", robots_in(session, str(named), urls, tuple(agents) or DEFAULT_AGENTS))

    def sql(self, query: str, target: str = str(DEFAULT_STORE)) -> str:
        from urlset.pipeline.sql import open_query

        options = self._reading(self._configuration.of(QueryOptions).options)
        seconds = min(options.max_time or MAX_SECONDS, MAX_SECONDS)
        options = replace(options, robots=False, allow_files=False, max_time=seconds)
        with open_query(query, [self._local(target)], options) as opened_query:
            unreadable, _ = opened_query.read()
            if unreadable:
                raise UsageError(f"{unreadable[0].target}: {unreadable[0].reason}")
            return _answer("sql", opened_query.run())

    def explain(self, code: str) -> str:
        from urlset.pipeline.explain import explain
        from urlset.report.brief import MAX_BYTES, Brief, Group, Quotes
        from urlset.rules.registry import all_rules

        if is_url(code.strip()):
            raise UsageError(
                "a URL is not a rule; use `page` with the store of an audit to see why it is not indexable"
            )
        text = explain(code, self._configuration.of(ValidateOptions))
        if not any(code.strip().upper() in (rule.code, rule.name.upper()) for rule in all_rules()):
            # A custom rule is text of a configuration.
            quote = Quotes()
            return "\n".join(Brief(quote.heading(), [Group(quote(text, MAX_BYTES // 8))]).lines())
        return text.encode()[:MAX_BYTES].decode(errors="ignore")

    def _reading(self, options: Options) -> Options:
        """Return the options that are safe for a target that a site may have talked an assistant into.

        Nothing but the target is requested, and no private address. Credentials are only for origins that a user names.
        """
        return replace(
            options,
            discover=False,
            expand=False,
            allow_private=False,
            insecure=False,
            header=(),
            auth=None,
            cache=False,
            max_documents=min(options.max_documents, MAX_DOCUMENTS),
        )

    def _target(self, text: str, *, is_site: bool = False) -> str | Path:
        """Return a URL that may be requested, or a file."""
        if is_url(text) or (is_site and _SITE.fullmatch(text) and not Path(text).exists()):
            if not self._allow_fetch:
                raise UsageError(_NO_FETCH)
            return text
        # As a path, it is not taken for a host or standard input.
        return self._file(text)

    def _local(self, text: str) -> str | Path:
        """Return a file, or a run of a store."""
        name, at, run = text.rpartition("@")
        if at and run.isdecimal() and not Path(text).exists():
            return f"{self._file(name)}@{run}"
        return self._file(text)

    def _file(self, text: str) -> Path:
        """Return a path below the root, relative to it.

        Raises:
            UsageError: It leads out of it, is hidden, does not exist, or is a pipe or device.
        """
        path = self._root / text
        try:
            real = path.resolve()
            # What is outside is refused before anything tells whether it exists.
            if not real.is_relative_to(self._root):
                raise UsageError(
                    "outside the directory of the server; start `urlset mcp DIR` with a directory that has it"
                )
            if not is_visible_below(real, self._root):
                raise UsageError("hidden files are not read")
            mode = real.stat().st_mode
        except (OSError, RuntimeError, ValueError):
            raise UsageError("no such file in the directory of the server") from None
        if leads_out(path):
            raise UsageError(f"this {LEADS_OUT}")
        if not (S_ISREG(mode) or S_ISDIR(mode)):
            raise UsageError("not a regular file")
        local = real.relative_to(self._root)
        # A file called `-` is not standard input.
        return real if local.name.startswith("-") else local


_NO_FETCH = "this server reads files only; start it with `urlset mcp --allow-fetch` to request public URLs"


def _answer(command: str, model: object) -> str:
    return "\n".join(render(command, "llm", model))
