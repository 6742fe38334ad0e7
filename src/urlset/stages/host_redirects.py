"""What the files of a host redirect: a list for `inspect`, and a note for an audit of a directory."""

from __future__ import annotations

import shlex
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.hosting.declared_redirects import Effect, declared_redirects, sources_among
from urlset.hosting.opening import has_redirects, on_cloudflare, open_of_file
from urlset.model.host_redirects import HostRedirect, HostRedirects
from urlset.sources import url_of
from urlset.text.sizes import enumeration, inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from urlset.hosting.declared_redirects import DeclaredRedirect
    from urlset.hosting.site import FolderSite


def redirects_of_target(target: object) -> HostRedirects | None:
    """Return the redirects of a target that is a file of a host; None for other targets.

    Raises:
        InputError: Its directory cannot be listed.
        UsageError: The base URL of the directory is unclear.
    """
    if not isinstance(target, str | Path) or url_of(str(target)) is not None:
        return None
    path = Path(target)
    if not has_redirects(path) or not path.is_file():
        return None
    site = open_of_file(path)
    redirects = _of_file(declared_redirects(site), path.name)
    notes = [note for note in site.rules.notes() if note.startswith(f"{path.name}: ")]
    if (other := on_cloudflare(site)) is not None:
        notes.insert(0, f"Cloudflare has a file of the same name; {_on_cloudflare(other, path.name)}")
    notes += _by_itself(site)
    rows = [HostRedirect(one.source, one.target, one.status, one.place, one.effect.value, one.why) for one in redirects]
    return HostRedirects(str(path), None if site.host.name is None else site.host.name.value, rows, notes)


def redirect_notes(site: FolderSite, listed: Iterable[str]) -> Iterator[str]:
    """Yield a note for each file of the host of an audited directory that declares redirects.

    Args:
        listed: The listed URLs.
    """
    by_file: defaultdict[str, list[DeclaredRedirect]] = defaultdict(list)
    for one in declared_redirects(site):
        by_file[_file_of(one)].append(one)
    if not by_file:
        return
    urls = list(listed)
    for file, redirects in by_file.items():
        parts = [f"{file} declares {quantity(len(redirects), 'redirect')}", *_without_effect(redirects)]
        if file == "_redirects" and (other := on_cloudflare(site)) is not None:
            parts.append(_on_cloudflare(other, file))
        if (path := site.rules.files.get(file)) is not None:
            parts.append(f"`urlset inspect {shlex.quote(str(path))}` lists them")
        yield "; ".join(parts)
    among = sources_among(site, urls)
    listed_urls = quantity(len(urls), "listed URL")
    of_these = f"{among:,} of {listed_urls} {inflect(among, 'is', 'are')} among the sources of these redirects"
    yield f"{of_these}; redirects that only change an extension or a final slash are not counted"


def _without_effect(redirects: Sequence[DeclaredRedirect]) -> Iterator[str]:
    for effect, verbs in ((Effect.NO, ("has no effect", "have no effect")), (Effect.UNKNOWN, ("is", "are"))):
        if found := [one for one in redirects if one.effect is effect]:
            unknown = " of unknown effect" if effect is Effect.UNKNOWN else ""
            first = found[0]
            example = f"such as {first.source} ({first.place}): {first.why}"
            yield f"{len(found):,} {inflect(len(found), *verbs)}{unknown}, {example}"


def _on_cloudflare(site: FolderSite, file: str) -> str:
    redirects = _of_file(declared_redirects(site), file)
    count = sum(one.effect is Effect.YES for one in redirects)
    of_all = f"{count:,} of {len(redirects):,} {inflect(count, 'has', 'have')} an effect"
    return f"on cloudflare, {of_all}, also where there is a file"


def _by_itself(site: FolderSite) -> Iterator[str]:
    """Yield which spellings of URLs the host redirects although no file says so, and because of which settings."""
    if site.host.name is None or not (respelled := site.host.respelled):
        return
    pairs = [f"of {file}, {enumeration(sources)} to {target}" for file, (sources, target) in respelled.items()]
    settings = f", because of {enumeration(site.rules.settings)}" if site.rules.settings else ""
    yield f"{site.host.name} also redirects other spellings of URLs{settings}: {'; '.join(pairs)}"


def _of_file(redirects: Sequence[DeclaredRedirect], file: str) -> list[DeclaredRedirect]:
    return [one for one in redirects if _file_of(one) == file]


def _file_of(redirect: DeclaredRedirect) -> str:
    return redirect.place.partition(":")[0].partition(" (")[0]
