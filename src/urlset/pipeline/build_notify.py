"""`build --notify`: after publishing, notify search engines of what differs from the last complete notification.

The files of a set at that time are kept next to its manifest, as hard links, which take no space until a file changes.
They are only replaced when everything was accepted, so that a run that is interrupted, or refused, loses nothing: the
next one compares with the same files.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.build.folder import cannot_be_read, convert_write_errors
from urlset.build.manifest import Manifest
from urlset.build.state import check_entry, is_regular, read_manifest, take_over
from urlset.build.writer import STDOUT, target_of
from urlset.errors import OutputError, UsageError
from urlset.files.scratch import Scratch
from urlset.model.notification import NotifyOutcome
from urlset.options.declare import options_of
from urlset.options.notifying import IndexNowOptions, NotifyOptions
from urlset.options.verbs import ReadOptions
from urlset.pipeline.notify import notify
from urlset.text.masking import mask_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset.model.build import BuildReport
    from urlset.options.building import BuildOptions, BuildSpec, Site
    from urlset.text.progress import Progress

MANIFEST = "manifest.json"

AS_SENT = "and what is published counts as sent"
"""What happens without the files of the last notification."""

EMPTY = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>\n'
"""A side without changed files: a folder needs a sitemap to be read."""


def remember(spec: BuildSpec, options: BuildOptions) -> None:
    """Before the first build with `--notify`, keep what is published, which counts as known to search engines.

    Raises:
        OutputError: It cannot be kept.
        UsageError: A set is not published to a directory, or nothing would be published.
    """
    if not options.writes:
        raise UsageError(
            "--notify sends what was published; it cannot be combined with --check, --dry-run, --diff, or "
            "--explain-lastmod"
        )
    for site in spec.sites:
        if "://" in site.out or site.out == STDOUT:
            raise UsageError(
                f"--notify requires a local directory, not {mask_url(site.out)}; use `urlset notify OLD NEW` after the "
                "build"
            )
    for site in spec.sites:
        published = _published_hashes(site)
        if not check_entry(_notified_folder(site)):
            _keep(site, published)


def notify_build(
    spec: BuildSpec, report: BuildReport, options: BuildOptions, progress: Progress | None = None
) -> BuildReport:
    """Notify search engines of what a build changed, and return its report with the result.

    Args:
        spec: The sites that were built; `remember` was called before.
        progress: Called after each batch.

    Raises:
        InputError: A published file cannot be read.
        OutputError: The ledger cannot be written.
        UsageError: A key is wrong or not online, or too much would be sent.
    """
    names = [option.name for group in (ReadOptions, IndexNowOptions) for option in options_of(group)]
    notify_options = NotifyOptions(**{name: getattr(options, name) for name in names})
    published = [_published_hashes(site) for site in spec.sites]
    with Scratch() as scratch:
        sides = [scratch.path / name for name in ("published before", "published")]
        for side in sides:
            side.mkdir()
            (side / "empty.xml").write_bytes(EMPTY)
        for number, (site, files) in enumerate(zip(spec.sites, published, strict=True)):
            _link_changed_files(site, files, sides[0] / str(number), sides[1] / str(number))
        result = notify([str(side) for side in sides], notify_options, progress, listed=report.written)
    if result.outcome is NotifyOutcome.SENT:
        for site, files in zip(spec.sites, published, strict=True):
            _keep(site, files)
    return replace(report, notified=result)


def _link_changed_files(site: Site, new: Mapping[str, str], before: Path, after: Path) -> None:
    """Link the files whose hash in the manifest changed, into a directory for each side."""
    sent = _notified_folder(site)
    with cannot_be_read(sent):
        manifest = read_manifest(sent / MANIFEST, site.name, f"delete {sent}, {AS_SENT}")
        old = {} if manifest is None else manifest.files
        damaged = manifest is None or not all(is_regular(sent / name) for name in old)
    if damaged:
        raise OutputError(f"{sent}: files of the last notification are missing or are links; delete it, {AS_SENT}")
    _link(((name, sent / name) for name, digest in old.items() if new.get(name) != digest), before)
    _link(((name, path) for name, path in _files(site, new) if old.get(name) != new[name]), after)


def _link(files: Iterable[tuple[str, Path]], place: Path) -> None:
    place.mkdir()
    for name, path in files:
        (place / name).symlink_to(path.absolute())


def _files(site: Site, names: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Yield the name and path of each published file that still exists; links are not read."""
    for name in names:
        path = Path(site.out) / name
        if is_regular(path):
            yield name, path


def _keep(site: Site, files: Mapping[str, str]) -> None:
    """Keep the published files of a site, in place of those kept before."""
    sent = _notified_folder(site)
    fresh = sent.with_suffix(".new")
    with convert_write_errors(sent):
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for name, path in _files(site, files):
            _copy(path, fresh / name)
        (fresh / MANIFEST).write_bytes(Manifest(dict(files)).to_json())
        # Killed between these two, the next build keeps what is published: all of it was sent.
        shutil.rmtree(sent, ignore_errors=True)
        fresh.rename(sent)


def _copy(path: Path, place: Path) -> None:
    try:
        os.link(path, place)
    except OSError:
        # Not every file system has hard links.
        shutil.copy2(path, place)


def _published_hashes(site: Site) -> Mapping[str, str]:
    """Return the name and hash of each published file that still exists."""
    files = target_of(site.out, site).published()
    return {name: files[name] for name, _ in _files(site, files)}


def _notified_folder(site: Site) -> Path:
    return take_over(Path(site.out), site.name) / f"{site.name}.notified"
