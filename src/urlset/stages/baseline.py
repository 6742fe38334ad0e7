"""The baseline: known findings that do not count, in a JSON file that people can read and review.

An entry represents a rule in a document. It has the number of places that broke the rule, and the fingerprints of the
first `MIN_EXAMPLES` places. What counts as new:

* A finding without an entry is new.
* If all places are available, in the entry and in the run, a place is new if its fingerprint occurs more often in the
  run than in the entry. The remaining finding has only the new places, and their exact count.
* If there are more places than `MIN_EXAMPLES`, fingerprints cannot identify the new ones. The finding is then known
  unless its count has grown, in which case all of it is new. Only in this case, a new place that replaces a fixed one
  goes unnoticed.

An entry can have a `reason`, and a date `expires`, the last day on which it applies; after that, its findings count
again. An entry without a count and fingerprints has both, and covers all findings of its rule in the documents that its
document, which can be a pattern, matches; `urlset ignore` adds such entries.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from urlset.errors import ConfigError, OutputError, reason_of
from urlset.files.bounded import MAX_BASELINE_BYTES, read_file
from urlset.files.publish import publish
from urlset.files.structured import decode_json
from urlset.model.finding import fingerprint, normal_form
from urlset.sources import is_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from urlset.model.finding import Finding

VERSION = 1
"""Version of the format, raised on changes that an older urlset cannot read."""

MIN_EXAMPLES = 100
"""Maximum fingerprints per entry, and minimum examples per finding that a run with a baseline must keep."""

LONGEST_WAIT = 5.0
"""Seconds to wait for another process that changes the baseline."""

_KEYS = {"code", "document", "count", "fingerprints", "reason", "expires"}


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """Known places of a rule in a document.

    Attributes:
        document: The document: its URL, or its path relative to the directory of the baseline; or a pattern, if all
            places are covered.
        count: Number of places that break the rule; None to cover all places.
        fingerprints: Fingerprints of the first places, sorted, with duplicates.
        reason: Why the finding is accepted, if given.
        expires: The last day on which the entry applies; None if it does not expire.
    """

    code: str
    document: str
    count: int | None
    fingerprints: tuple[str, ...]
    reason: str | None = None
    expires: date | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.code, normal_form(self.document)

    @property
    def covers_all(self) -> bool:
        """Whether it covers all places in the documents that it matches."""
        return self.count is None

    def is_over(self, today: date) -> bool:
        return self.expires is not None and self.expires < today

    def matches(self, code: str, document: str) -> bool:
        """Return whether an entry that covers all places covers those of a rule in a document.

        A pattern without a slash is matched with the name of the document only, as in `per-document-ignores`.
        """
        if code != self.code:
            return False
        name = document if "/" in self.document else document.rstrip("/").rpartition("/")[2]
        return normal_form(document) == normal_form(self.document) or (
            is_pattern(self.document) and fnmatchcase(name, self.document)
        )


def is_pattern(document: str) -> bool:
    return any(char in document for char in "*?[")


@dataclass(frozen=True, slots=True)
class BaselineResult:
    """Findings after applying a baseline.

    Attributes:
        new_findings: The findings that count.
        known_count: Number of findings that do not count, in whole or in part.
        expired_findings: Expired entries that would have matched a finding.
    """

    new_findings: tuple[Finding, ...]
    known_count: int
    expired_findings: tuple[KnownFinding, ...]


def compare(
    findings: Iterable[Finding],
    entries: Iterable[KnownFinding],
    document_name: Callable[[int], str],
    today: date,
) -> BaselineResult:
    """Separate new findings from known ones.

    Args:
        findings: The findings of a run that kept at least `MIN_EXAMPLES` places of each.
        document_name: Returns the name of a document in the baseline; see `names_from`.
    """
    entries = tuple(entries)
    known_entries = {entry.key: entry for entry in entries if not entry.covers_all}
    covering = [entry for entry in entries if entry.covers_all]
    new: list[Finding] = []
    expired: list[KnownFinding] = []
    known_count = 0
    for finding in findings:
        name = document_name(finding.document_id)
        matching = [entry for entry in covering if entry.matches(finding.rule.code, name)]
        if not all(entry.is_over(today) for entry in matching):
            known_count += 1
            continue
        entry = known_entries.get((finding.rule.code, normal_form(name)))
        if entry is not None and entry.is_over(today):
            matching.append(entry)
            entry = None
        remainder = finding if entry is None else _new_in(finding, entry, name)
        if remainder is not None:
            expired += matching
            new.append(remainder)
        known_count += remainder is not finding
    return BaselineResult(tuple(new), known_count, tuple(dict.fromkeys(expired)))


def _new_in(finding: Finding, entry: KnownFinding, document: str) -> Finding | None:
    """Return the part of a finding that is not in its entry; None if all of it is known."""
    count = entry.count or 0
    if finding.count > len(finding.examples) or count > len(entry.fingerprints):
        return finding if finding.count > count else None
    unseen = Counter(entry.fingerprints)
    examples = []
    for example in finding.examples:
        # Baselines of older versions have the fingerprints of URLs as written.
        names = (fingerprint(finding, example, document), fingerprint(finding, example, document, str))
        if known := next((name for name in names if unseen[name] > 0), None):
            unseen[known] -= 1
        else:
            examples.append(example)
    if len(examples) == finding.count:
        return finding
    causes = Counter(example.cause for example in examples if example.cause is not None)
    return replace(finding, count=len(examples), examples=tuple(examples), causes=causes) if examples else None


def entries_of(
    findings: Iterable[Finding],
    document_name: Callable[[int], str],
    previous: Iterable[KnownFinding] = (),
    today: date = date.min,
) -> list[KnownFinding]:
    """Return entries for these findings, with the reasons and dates of previous entries.

    Previous entries that cover all places are kept, and what they cover today gets no other entry.

    Args:
        document_name: Returns the name of a document in the baseline; see `names_from`.
    """
    previous = tuple(previous)
    before = {entry.key: entry for entry in previous if not entry.covers_all}
    covering = [entry for entry in previous if entry.covers_all]
    entries: dict[tuple[str, str], KnownFinding] = {}
    for finding in findings:
        name = document_name(finding.document_id)
        if any(entry.matches(finding.rule.code, name) and not entry.is_over(today) for entry in covering):
            continue
        names = sorted(fingerprint(finding, example, name) for example in finding.examples[:MIN_EXAMPLES])
        key = (finding.rule.code, normal_form(name))
        old = before.get(key)
        # A document given twice in a run counts once.
        entries[key] = KnownFinding(
            finding.rule.code,
            name,
            finding.count,
            tuple(names),
            old.reason if old else None,
            old.expires if old else None,
        )
    return in_order([*entries.values(), *covering])


def in_order(entries: Iterable[KnownFinding]) -> list[KnownFinding]:
    """Return entries as a baseline lists them: by document, then by rule."""
    return sorted(entries, key=lambda entry: (entry.document, entry.code, entry.covers_all))


def names_from(path: Path, document_urls: Callable[[int], str]) -> Callable[[int], str]:
    """Return a function that returns names of documents in the baseline at `path`, independent of the checkout."""
    folder = path.resolve().parent

    def name(document_id: int) -> str:
        url = document_urls(document_id)
        if is_url(url) or url.startswith("<"):
            return url
        try:
            return Path(relpath(Path(url).resolve(), folder)).as_posix()
        except ValueError:  # Another drive has no relative path.
            return Path(url).resolve().as_posix()

    return name


def read(path: Path) -> list[KnownFinding]:
    """Return the entries of a baseline.

    Raises:
        ConfigError: The file does not exist or is invalid.
    """
    try:
        content = decode_json(read_file(path, MAX_BASELINE_BYTES))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such baseline; create it with --write-baseline") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {reason_of(error)}") from None
    except ValueError as error:
        raise ConfigError(f"{path}: invalid JSON: {error}") from None
    if (
        not isinstance(content, dict)
        or content.get("version") != VERSION
        or not isinstance(content.get("entries"), list)
    ):
        raise ConfigError(f"{path}: not a baseline of version {VERSION}; create one with --write-baseline")
    return [_entry(item, f"{path}: entry {number}") for number, item in enumerate(content["entries"], 1)]


def _entry(item: object, place: str) -> KnownFinding:
    if not isinstance(item, dict):
        raise ConfigError(f"{place}: must be an object")
    if unknown := sorted(item.keys() - _KEYS):
        raise ConfigError(f"{place}: unknown key {unknown[0]!r}; known keys: {', '.join(sorted(_KEYS))}")
    for key in ("code", "document"):
        if not isinstance(item.get(key), str):
            raise ConfigError(f"{place}: {key} must be a string")
    count, names, reason = item.get("count"), item.get("fingerprints"), item.get("reason")
    if {"count", "fingerprints"}.isdisjoint(item):
        return _covering(item, place)
    if type(count) is not int or count < 1:
        raise ConfigError(f"{place}: count must be an integer of at least 1")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f"{place}: fingerprints must be a list of strings")
    if reason is not None and not isinstance(reason, str):
        raise ConfigError(f"{place}: reason must be a string")
    return KnownFinding(item["code"], item["document"], count, tuple(names), reason, _date(item.get("expires"), place))


def _covering(item: Mapping[str, Any], place: str) -> KnownFinding:
    """Return an entry that covers all places, which must say why and until when."""
    reason, expires = item.get("reason"), _date(item.get("expires"), place)
    if not isinstance(reason, str) or expires is None:
        raise ConfigError(f"{place}: requires count and fingerprints, or reason and expires")
    return KnownFinding(item["code"], item["document"], None, (), reason, expires)


def _date(value: Any, place: str) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ConfigError(f"{place}: expires must be a date such as 2027-01-31, not {value!r}") from None


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Keep other urlset processes from changing a baseline between reading and writing it.

    The directory is locked, since the file is replaced, and a lock file would be left behind. Where a directory cannot
    be locked, as on Windows and some network file systems, there is no lock.

    Raises:
        OutputError: Another process keeps it locked.
    """
    from filelock import lock_descriptor

    with ExitStack() as stack:
        with suppress(OSError):
            folder = os.open(path.resolve().parent, os.O_RDONLY)
            stack.callback(os.close, folder)
            deadline = time.monotonic() + LONGEST_WAIT
            while not lock_descriptor(folder, blocking=False):
                if time.monotonic() > deadline:
                    raise OutputError(f"{path}: locked by another urlset process; wait until it finishes and run again")
                time.sleep(0.05)
        yield


def write(path: Path, entries: Sequence[KnownFinding]) -> None:
    """Write a baseline. The file is replaced atomically.

    Args:
        entries: The entries, sorted with `in_order`, so that equal findings give equal bytes.

    Raises:
        OutputError: It cannot be written.
    """
    content = {"version": VERSION, "entries": [_as_json(entry) for entry in entries]}
    text = json.dumps(content, indent=2, ensure_ascii=True) + "\n"
    publish(path, text.encode("ascii"))


def _as_json(entry: KnownFinding) -> Mapping[str, object]:
    item: dict[str, object] = {"code": entry.code, "document": entry.document}
    if not entry.covers_all:
        item["count"] = entry.count
    if entry.reason is not None:
        item["reason"] = entry.reason
    if entry.expires is not None:
        item["expires"] = entry.expires.isoformat()
    return item if entry.covers_all else {**item, "fingerprints": list(entry.fingerprints)}
