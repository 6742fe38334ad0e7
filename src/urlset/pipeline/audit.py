"""`audit`: find, read and judge sitemaps, look at the pages that they list, and keep everything in a store.

A run has three parts, each committed as it goes: the sitemaps are read, the pages are looked at, everything is judged.
One that was killed goes on where it stopped: what was committed is judged from the store, and no document or page of it
is asked for twice.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from urlset.bounded import MOST_OF_LIST, read_whole
from urlset.config import MASK, ExpandOptions, ProbeMethod, Progressed, same_targets, shown_target
from urlset.errors import InputError, MisuseError, Unreadable
from urlset.model.audit import AgentAccess, Audited, Inventory, MediaSeen, PagesSeen
from urlset.pipeline.check import check
from urlset.pipeline.keep import finish_judged
from urlset.pipeline.ledger import Ledger
from urlset.pipeline.look import access_of_agents, compare_inventory, look_at_media, look_at_pages
from urlset.pipeline.named import site_named, trust_in
from urlset.pipeline.passing import Passing
from urlset.pipeline.recall import Recall
from urlset.pipeline.ruleset import rules_of
from urlset.pipeline.validate import Gone, validate
from urlset.sources.frontier import origin_of
from urlset.store.file import Store
from urlset.store.pages import Wish, compare_with_earlier, rows_of
from urlset.store.reading import kept_entries, refused_documents
from urlset.store.results import Results, keep_results
from urlset.store.rules_run import settings_of
from urlset.store.run import Run
from urlset.tables import CUTS, MEDIA, PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset._core import Table
    from urlset.config import AuditOptions, Progress, ValidateOptions
    from urlset.model.check import CheckResult
    from urlset.model.report import Report
    from urlset.model.run import RunRow
    from urlset.net.trust import Trust
    from urlset.pipeline.judge import Judge
    from urlset.robots import Robots


def audit(targets: Sequence[str], options: AuditOptions, progress: Progress | None = None) -> Audited:
    """Audits sites and sitemaps.

    Args:
        targets: What to audit: sites, or targets as `validate` takes them. May be empty to go on with a run.
        options: What to look at, and where to keep it.
        progress: Told after each document, and then after some pages.

    Returns:
        The findings, the pages in numbers, and who may fetch what.

    Raises:
        MisuseError: A target makes no sense, or there is no run to go on with.
        OutputError: The store cannot be written.
        InputError: The inventory cannot be read.
    """
    known = None if options.inventory is None else _inventory(options)
    # Rules that are wrong end it before there is a store.
    rules = {} if options.resume else _rules(options)
    with Store.create(options.store) as store:
        run, targets, options = _begun(store, targets, options, rules)
        ledger = Ledger(store, run, targets)
        trust = trust_in(targets, options.validate.read.fetch, discover=True)
        auditing = _Auditing(store, run, ledger, targets, options, known, progress, trust)
        report = auditing.read_and_judge()
        report = replace(report, unreadable=(*report.unreadable, *auditing.unseen()))
        auditing.finish(report)
        return Audited(
            report,
            auditing.pages,
            auditing.agents,
            auditing.inventory,
            options.store,
            run.run_id,
            auditing.earlier,
            auditing.checks,
            auditing.media,
        )


def _begun(
    store: Store, targets: Sequence[str], options: AuditOptions, rules: Mapping[str, object]
) -> tuple[Run, tuple[str, ...], AuditOptions]:
    """The run, what it is on and what it looks at: a new one, or the last that did not come to its end."""
    if not options.resume:
        if not targets:
            raise MisuseError("what to audit: urlset audit ORIGIN|TARGET…")
        return Run.begin(store, targets, {**_settings(options), **rules}), tuple(targets), options
    open_runs = [run for run in store.runs() if run.finished_at is None]
    if not open_runs:
        raise MisuseError(f"{options.store}: there is no run to go on with: each came to its end")
    last = open_runs[-1]
    return Run(store, last.run_id), _given_again(last, targets), _as_begun(options, json.loads(last.settings))


def _given_again(last: RunRow, targets: Sequence[str]) -> tuple[str, ...]:
    """The targets of a run that goes on. Passwords in them were not kept, so they have to be given again.

    Raises:
        MisuseError: They were not, or the run is on other targets.
    """
    is_masked = any(MASK in target for target in last.targets)
    if is_masked and (not targets or same_targets(targets, last.targets)):
        if tuple(map(shown_target, targets)) != last.targets or any(MASK in target for target in targets):
            raise MisuseError(
                f"run {last.run_id} is on {', '.join(last.targets)}; give the target with its password again"
            )
        return tuple(targets)
    if targets and tuple(map(shown_target, targets)) != last.targets:
        raise MisuseError(
            f"run {last.run_id} is on {', '.join(last.targets)}; give the same targets to go on with it"
            + ("" if is_masked else ", or none")
        )
    return last.targets


def _settings(options: AuditOptions) -> dict[str, object]:
    """What of the options says what was looked at, without secrets."""
    return {
        "look": options.look,
        "images": options.images,
        "method": options.probe.method.value,
        "ask_forbidden": options.probe.ask_forbidden,
        "include": list(options.include),
        "exclude": list(options.exclude),
        "sample": options.sample,
        "max_pages": options.max_pages,
        "profile": options.validate.profile,
        "select": list(options.validate.select),
        "ignore": list(options.validate.ignore),
    }


def _rules(options: AuditOptions) -> dict[str, object]:
    """What is kept of the rules that can find something in this audit."""
    checked = options.validate
    rules = rules_of(checked, checked.now or datetime.now(UTC), pages=options.look or options.images)
    return settings_of(checked, rules, pages=options.look, images=options.images)


def _as_begun(options: AuditOptions, kept: Mapping[str, Any]) -> AuditOptions:
    """The options of a run that goes on: it looks at what it began to look at, however it is called now."""
    return replace(
        options,
        look=kept["look"],
        images=kept.get("images", False),
        probe=replace(options.probe, method=ProbeMethod(kept["method"]), ask_forbidden=kept["ask_forbidden"]),
        include=tuple(kept["include"]),
        exclude=tuple(kept["exclude"]),
        sample=kept["sample"],
        max_pages=kept["max_pages"],
    )


def _inventory(options: AuditOptions) -> list[str]:
    """The URLs of the inventory, a line each."""
    path = options.inventory
    assert path is not None
    try:
        text = read_whole(path, MOST_OF_LIST).decode("utf-8-sig", "replace")
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror or error}") from None
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


@dataclass
class _Auditing:
    """One run on its way.

    Attributes:
        store: The store.
        run: The run in it.
        ledger: What became of its documents.
        targets: What is audited.
        options: How.
        known: The URLs of the inventory; None without one.
        progress: Told how far it is.
        trust: Whom the user trusts.
        pages: The pages in numbers; None before they were looked at.
        media: The images, thumbnails and videos in numbers; None as pages.
        agents: Who may fetch what.
        inventory: The comparison with the inventory.
        earlier: The run that pages were compared with.
        checks: The scores of the sites.
        failures: Pages and files that an internal error left without a result.
    """

    store: Store
    run: Run
    ledger: Ledger
    targets: Sequence[str]
    options: AuditOptions
    known: list[str] | None
    progress: Progress | None
    trust: Trust
    pages: PagesSeen | None = None
    media: MediaSeen | None = None
    agents: tuple[AgentAccess, ...] = ()
    inventory: Inventory | None = None
    earlier: int | None = None
    checks: tuple[CheckResult, ...] = ()
    failures: list[Unreadable] = field(default_factory=list)

    def read_and_judge(self) -> Report:
        """All of it: what an earlier process committed comes from the store."""
        report = validate(
            self.targets,
            self._reading(),
            self.progress,
            watch=Passing(self.run).watch,
            look=self._read_and_look,
            recall=self._recall(),
            ledger=self.ledger,
            trust=self.trust,
        )
        return replace(report, unreadable=(*report.unreadable, *self.failures))

    def unseen(self) -> Iterator[Unreadable]:
        """Gives the reason why no page could be requested, where it is not a rule of robots.txt."""
        pages = self.pages
        if pages is None or pages.looked_at:
            return
        what = f"none of {pages.chosen:,} could be requested: "
        if pages.private:
            reason = "lies" if pages.private == 1 else "lie"
            yield Unreadable(
                "listed pages",
                f"{what}{pages.private:,} {reason} on private addresses, to which a local file or a public target may "
                "not lead; --allow-private allows it",
            )
        elif pages.robots_unreachable:
            yield Unreadable(
                "listed pages",
                f"{what}robots.txt of their host cannot be reached; --ask-forbidden requests them anyway",
            )

    def finish(self, report: Report) -> None:
        """Scores the sites, and commits that with the findings and the end of the run."""
        sites = [target for target in self.targets if site_named(target) is not None] if self.options.score else []
        self.checks = tuple(check(sites, self.options.validate.read, trust=self.trust)) if sites else ()
        checks = [one.to_dict() for one in self.checks]
        results = Results(self.pages, self.agents, self.inventory, checks, self.earlier, self.media)
        keep_results(self.run, results, report)
        finish_judged(self.run, report, {"pages": 0 if self.pages is None else self.pages.looked_at})

    def _reading(self) -> ValidateOptions:
        """How sitemaps are found and read: sites are searched, and indexes followed, whatever else is said."""
        read = self.options.validate.read
        # A run that goes on keeps to the bounds that it began with.
        bounds = self.ledger.bounds or read.expand or ExpandOptions()
        read = replace(read, discover=True, robots=True, expand=bounds)
        return replace(self.options.validate, read=read, xsd=None)

    def _recall(self) -> Recall:
        """What names URLs afterwards: the store has them all."""
        return Recall(self.options.validate.read, partial(kept_entries, self.store, self.run.run_id))

    def _read_and_look(self, judge: Judge, gone: Gone) -> Iterator[Mapping[str, Table]]:
        """Commits that everything was read, then looks at the pages."""
        if not self.ledger.is_whole:
            self.run.add_rows(CUTS.name, list(gone.cuts))
            self.ledger.end()
        yield from self._look(judge.robots)

    def _look(self, robots: Sequence[tuple[int, Robots]]) -> Iterator[Mapping[str, Table]]:
        # What was not asked for says nothing of its host, which may be asked on behalf of another document.
        refused = refused_documents(self.store, self.run.run_id)
        by_origin = {
            origin_of(one.url): (number, one) for number, one in robots if one.url is not None and number not in refused
        }
        if self.options.look or self.options.images:
            self._ask({origin: one for origin, (_, one) in by_origin.items()})
        if self.options.look:
            kept = [shown_target(target) for target in self.targets]
            self.earlier = compare_with_earlier(self.store, self.run.run_id, kept)
        self.agents = access_of_agents(self.store, self.run, by_origin)
        if self.known is not None:
            most = self.options.validate.max_examples
            self.inventory = compare_inventory(self.store, self.run.run_id, self.known, most)
        for kind in (PAGES, MEDIA):
            for table in rows_of(self.store, self.run.run_id, kind):
                yield {kind.name: table}

    def _ask(self, robots: Mapping[str, Robots]) -> None:
        """Looks at the pages, then at what their entries name besides; each has the budgets to itself."""
        from urlset.fetch.fetcher import Fetcher

        options = self.options
        wish = Wish(options.include, options.exclude, options.sample, options.max_pages)
        # Pages are kept in the store, and need not be kept once more.
        fetch = replace(options.validate.read.fetch, cache=False)
        with Fetcher(fetch, self.trust) as fetcher:
            if options.look:
                tell = partial(self._tell, "pages")
                self.pages = look_at_pages(
                    self.store, self.run, fetcher, wish, options.probe, robots, tell, self.failures
                )
            if options.images:
                tell = partial(self._tell, "images")
                agents = options.validate.agents
                self.media = look_at_media(
                    self.store, self.run, fetcher, wish, options.probe, robots, agents, tell, self.failures
                )

    def _tell(self, what: str, done: int, total: int, size: int) -> None:
        if self.progress is not None:
            self.progress(Progressed(done, total, what, done, size))
