"""`diff`: two sides, each a run of a store or what is read for it, put side by side."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.config import ExpandOptions, shown_target
from urlset.errors import InputError, MisuseError, is_internal_error
from urlset.model.comparison import Comparison, Side
from urlset.pipeline.departed import ask_removed
from urlset.pipeline.keep import LISTING_TABLES, keep_judged, keep_listed
from urlset.pipeline.named import trust_in
from urlset.pipeline.ruleset import rules_of
from urlset.scratch import Scratch
from urlset.sources import is_url

if TYPE_CHECKING:
    from urlset.config import DiffOptions, Progress, ValidateOptions
    from urlset.errors import Unreadable
    from urlset.model.comparison import FindingChange
    from urlset.net.trust import Trust
    from urlset.sources import Target

STORE_SUFFIX = ".duckdb"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A side, in a store.

    Attributes:
        path: The store's file.
        run_id: The run.
        name: What the side is called.
        is_judged: Whether rules were run on it.
        unreadable: What of it could not be read.
    """

    path: Path
    run_id: int
    name: str
    is_judged: bool
    unreadable: tuple[Unreadable, ...] = ()


def diff(before: str, after: str, options: DiffOptions, progress: Progress | None = None) -> Comparison:
    """Compares two sides.

    Args:
        before: The earlier side: a store (`FILE.duckdb`, its newest whole run; `FILE.duckdb@3`, run 3), or a target as
            `validate` takes it.
        after: The later side.
        options: What to compare, and how to read.
        progress: Told after each document that is read.

    Returns:
        What changed.

    Raises:
        InputError: A side cannot be read at all.
        MisuseError: A side makes no sense.
    """
    from urlset.store.compare import Comparer
    from urlset.store.file import Store
    from urlset.store.rules_run import Judged

    trust = _trust(before, after, options)
    with ExitStack() as stack:
        folder = stack.enter_context(Scratch()).path
        sides = [
            _kept(given, folder / f"{name}{STORE_SUFFIX}", options, progress, trust)
            for name, given in (("before", before), ("after", after))
        ]
        comparer = stack.enter_context(
            Comparer((sides[0].path, sides[0].run_id), (sides[1].path, sides[1].run_id), options.max_examples)
        )
        described, judged = [], []
        for name, side in zip(("before", "after"), sides, strict=True):
            with Store.read(side.path) as store:
                row = store.run(side.run_id)
            judged.append(Judged.of(row))
            documents = row.documents or 0
            described.append(
                Side(
                    side.name,
                    side.run_id if store_of(before if name == "before" else after) else None,
                    row.started_at,
                    documents,
                    comparer.url_count(name),
                    tuple(f"{one.target}: {one.reason}" for one in side.unreadable),
                    any(is_internal_error(one.reason) for one in side.unreadable),
                )
            )
        lastmod, moved = comparer.lastmods()
        removed = comparer.only("before", "after")
        departed = counts = None
        if options.ask_removed is not None:
            departed, counts = ask_removed(comparer, options.ask_removed, options, trust)
        findings: tuple[FindingChange, ...] | None = None
        one_sided: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        if all(side.is_judged for side in sides):
            findings, one_sided = comparer.findings(judged[0], judged[1])
        return Comparison(
            before=described[0],
            after=described[1],
            added=comparer.only("after", "before"),
            removed=removed,
            lastmod=lastmod,
            moved=moved,
            children_added=comparer.children("after", "before"),
            children_removed=comparer.children("before", "after"),
            findings=findings,
            one_sided=one_sided,
            departed=departed,
            departed_counts=counts,
            max_drop=options.max_drop,
        )


def _trust(before: str, after: str, options: DiffOptions) -> Trust:
    """Whom the user trusts: both sides, and what a run of a store was on."""
    from urlset.store.file import Store

    fetch = options.validate.read.fetch
    named: list[Target] = []
    for given in (before, after):
        if (found := store_of(given)) is not None:
            path, wanted = found
            with Store.read(path) as store:
                named += store.run(wanted).targets
        elif _reading(given, options.validate).read.discover or is_url(given):
            named.append(given)
    return trust_in(named, fetch, discover=True)


def _kept(given: str, place: Path, options: DiffOptions, progress: Progress | None, trust: Trust) -> _Kept:
    """A side as a run of a store: the one it names, or a new one that it is read into."""
    from urlset.store.file import Store
    from urlset.store.run import Run

    if (found := store_of(given)) is not None:
        path, wanted = found
        with Store.read(path) as store:
            row = store.run(wanted)
        if row.finished_at is None:
            raise InputError(shown_target(given), f"run {row.run_id} did not come to its end")
        return _Kept(path, row.run_id, f"{path}, run {row.run_id}", is_judged=row.errors is not None)
    with Store.create(place) as store:
        reading = _reading(given, options.validate)
        run = Run.begin(store, [given], _settings(reading) if options.judge else {}, tables=LISTING_TABLES)
        if options.judge:
            unreadable = keep_judged(run, [given], reading, progress, trust).unreadable
        else:
            unreadable, _ = keep_listed(run, [given], reading, progress, trust)
        row = store.run(run.run_id)
    if not row.documents:
        reason = unreadable[0].reason if unreadable else "there is no sitemap in it"
        raise InputError(shown_target(given), reason)
    return _Kept(place, run.run_id, shown_target(given), options.judge, tuple(unreadable))


def _settings(options: ValidateOptions) -> dict[str, object]:
    """What is kept of the rules that a side is judged by."""
    from urlset.store.rules_run import settings_of

    return settings_of(options, rules_of(options, options.now or datetime.now(UTC)), pages=False, images=False)


def _reading(given: str, options: ValidateOptions) -> ValidateOptions:
    """How a side is read: a site is searched and its indexes followed; what is on disk lies there whole."""
    # A word without a dot is more likely a path that is mistyped than a host.
    names_a_host = is_url(given) or "." in given or ":" in given
    if not names_a_host or (not is_url(given) and Path(given).exists()):
        return options
    read = replace(options.read, discover=True, expand=options.read.expand or ExpandOptions())
    return replace(options, read=read)


def store_of(given: str) -> tuple[Path, int | None] | None:
    """The store and the run that a side, or a target, names; None if it is no store.

    Raises:
        MisuseError: What stands behind the @ is no run.
    """
    if is_url(given) or given == "-":
        return None
    name, at, number = given.rpartition("@")
    if at and _is_store(Path(name)):
        if not number.isdecimal() or not number.isascii():
            raise MisuseError(f"{given}: behind the @ stands the number of a run, not {number!r}")
        return Path(name), int(number)
    return (Path(given), None) if _is_store(Path(given)) else None


def _is_store(path: Path) -> bool:
    from urlset.database import is_signed

    if path.is_file():
        with path.open("rb") as file:
            return is_signed(file.read(12))
    return path.suffix == STORE_SUFFIX and not path.exists()
