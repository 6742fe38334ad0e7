"""The baseline: findings that are known and do not count, kept in a file of JSON that people can read and review.

An entry stands for one rule in one document. It keeps how many places broke the rule, and the fingerprints of the first
`EXAMPLES_KEPT` of them. What counts as new:

* A finding that no entry stands for is new.
* Where every place is at hand, then and now, a place is new if its fingerprint is not in the entry as often as it
  occurs now. The finding that is left has those places alone, and their exact count.
* Where there are more places than are kept, fingerprints cannot tell which ones are new. The finding is then known as
  long as its count has not grown, and new as a whole when it has. So a fault mended and another made in its stead goes
  unnoticed there, and only there.

An entry may have a `reason`, and a date `expires`, the last day it holds; after that its findings count again.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.bounded import MOST_OF_BASELINE, read_whole
from urlset.errors import ConfigError
from urlset.model.finding import fingerprint
from urlset.publish import publish
from urlset.sources import is_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from urlset.model.finding import Finding

VERSION = 1
"""Version of the form: raised when an older urlset could not read it."""

EXAMPLES_KEPT = 100
"""Places whose fingerprints an entry keeps, and that a run with a baseline must keep of each finding."""

_KEYS = {"code", "document", "count", "fingerprints", "reason", "expires"}


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one rule in one document.

    Attributes:
        code: The rule's code.
        document: The document: a URL as it is, a file by its path from the baseline's folder.
        count: How many places break the rule.
        fingerprints: Those of the first places, sorted; one that occurs twice stands twice.
        reason: Why it is accepted; None if nobody said so.
        expires: The last day it holds; None for ever.
    """

    code: str
    document: str
    count: int
    fingerprints: tuple[str, ...]
    reason: str | None = None
    expires: date | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a baseline leaves of some findings.

    Attributes:
        new: The findings that count.
        known: How many findings do not count, those included of which a part still counts.
        expired: Entries that would have stood for a finding if they had not expired.
    """

    new: tuple[Finding, ...]
    known: int
    expired: tuple[Entry, ...]


def compare(
    findings: Iterable[Finding],
    entries: Iterable[Entry],
    document_name: Callable[[int], str],
    today: date,
) -> Outcome:
    """Parts new findings from known ones.

    Args:
        findings: The findings of a run that kept at least `EXAMPLES_KEPT` places of each.
        entries: The entries of the baseline.
        document_name: The name of a document as entries have it: see `names_from`.
        today: The day of the run.
    """
    known_entries = {(entry.code, entry.document): entry for entry in entries}
    new: list[Finding] = []
    expired: list[Entry] = []
    known = 0
    for finding in findings:
        name = document_name(finding.document_id)
        entry = known_entries.get((finding.rule.code, name))
        if entry is not None and entry.expires is not None and entry.expires < today:
            expired.append(entry)
            entry = None
        left = finding if entry is None else _new_in(finding, entry, name)
        if left is not None:
            new.append(left)
        known += left is not finding
    return Outcome(tuple(new), known, tuple(expired))


def _new_in(finding: Finding, entry: Entry, document: str) -> Finding | None:
    """What of a finding is not in its entry; None for nothing."""
    if finding.count > len(finding.examples) or entry.count > len(entry.fingerprints):
        return finding if finding.count > entry.count else None
    unseen = Counter(entry.fingerprints)
    examples = []
    for example in finding.examples:
        name = fingerprint(finding, example, document)
        if unseen[name] > 0:
            unseen[name] -= 1
        else:
            examples.append(example)
    if len(examples) == finding.count:
        return finding
    return replace(finding, count=len(examples), examples=tuple(examples)) if examples else None


def entries_of(
    findings: Iterable[Finding], document_name: Callable[[int], str], previous: Iterable[Entry] = ()
) -> list[Entry]:
    """Entries that stand for these findings; reasons and dates are taken over from the entries before."""
    before = {(entry.code, entry.document): entry for entry in previous}
    entries: dict[tuple[str, str], Entry] = {}
    for finding in findings:
        name = document_name(finding.document_id)
        names = sorted(fingerprint(finding, example, name) for example in finding.examples[:EXAMPLES_KEPT])
        key = (finding.rule.code, name)
        old = before.get(key)
        # One document given twice in a run is one document.
        entries[key] = Entry(
            *key, finding.count, tuple(names), old.reason if old else None, old.expires if old else None
        )
    return [entries[key] for key in sorted(entries, key=lambda key: (key[1], key[0]))]


def names_from(path: Path, document_urls: Callable[[int], str]) -> Callable[[int], str]:
    """The names that documents have in the baseline at `path`: the same wherever the checkout stands."""
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


def read(path: Path) -> list[Entry]:
    """The entries of a baseline.

    Raises:
        ConfigError: There is no such file, or it is no baseline; the message says where it is wrong.
    """
    try:
        content = json.loads(read_whole(path, MOST_OF_BASELINE))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such baseline; --write-baseline makes it") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except RecursionError:
        raise ConfigError(f"{path}: is not JSON: nested too deeply") from None
    except ValueError as error:
        raise ConfigError(f"{path}: is not JSON: {error}") from None
    if (
        not isinstance(content, dict)
        or content.get("version") != VERSION
        or not isinstance(content.get("entries"), list)
    ):
        raise ConfigError(f"{path}: is no baseline of version {VERSION}; --write-baseline makes one")
    return [_entry(item, f"{path}: entry {number}") for number, item in enumerate(content["entries"], 1)]


def _entry(item: Any, place: str) -> Entry:
    if not isinstance(item, dict):
        raise ConfigError(f"{place}: must be an object")
    if unknown := sorted(item.keys() - _KEYS):
        raise ConfigError(f"{place}: unknown key {unknown[0]!r}; there are: {', '.join(sorted(_KEYS))}")
    for key in ("code", "document"):
        if not isinstance(item.get(key), str):
            raise ConfigError(f"{place}: {key} must be a text")
    count, names, reason = item.get("count"), item.get("fingerprints"), item.get("reason")
    if type(count) is not int or count < 1:
        raise ConfigError(f"{place}: count must be a whole number, 1 or more")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f"{place}: fingerprints must be a list of texts")
    if reason is not None and not isinstance(reason, str):
        raise ConfigError(f"{place}: reason must be a text")
    return Entry(item["code"], item["document"], count, tuple(names), reason, _date(item.get("expires"), place))


def _date(value: Any, place: str) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ConfigError(f"{place}: expires must be a date such as 2027-01-31, not {value!r}") from None


def write(path: Path, entries: Sequence[Entry]) -> None:
    """Writes a baseline, sorted, so that equal findings give equal bytes. The file before stays until it is whole.

    Raises:
        OutputError: It cannot be written.
    """
    content = {"version": VERSION, "entries": [_as_json(entry) for entry in entries]}
    text = json.dumps(content, indent=2, ensure_ascii=True) + "\n"
    publish(path, text.encode("ascii"))


def _as_json(entry: Entry) -> Mapping[str, object]:
    item: dict[str, object] = {"code": entry.code, "document": entry.document, "count": entry.count}
    if entry.reason is not None:
        item["reason"] = entry.reason
    if entry.expires is not None:
        item["expires"] = entry.expires.isoformat()
    return {**item, "fingerprints": list(entry.fingerprints)}
