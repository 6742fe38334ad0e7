"""The redirects that the files of a host declare, and which of them have an effect.

A file shadows a redirect on Netlify unless it is forced, also one without wildcards (both read 2026-11-29):
https://docs.netlify.com/build/configure-builds/file-based-configuration/#redirects,
https://github.com/kubernetes/website/issues/19624. On Cloudflare, redirects come first:
https://developers.cloudflare.com/pages/configuration/redirects/#per-file
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct

from urlset.hosting.rewriting import Request
from urlset.net.status import REDIRECTS
from urlset.net.urlparts import split_url
from urlset.options.publishing import HostName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlset.hosting.rewriting import RewriteRule
    from urlset.hosting.routes import Route
    from urlset.hosting.site import FolderSite


class Effect(StrEnum):
    """Whether a redirect has an effect."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class DeclaredRedirect(Struct, frozen=True):
    """A redirect in a file of a host.

    Attributes:
        source: The path or pattern as written.
        status: Its status code.
        place: Where it is, such as `_redirects:3`.
        why: Why it has no effect, why that is unknown, or under which condition it has one; empty for none.
    """

    source: str
    target: str
    status: int
    place: str
    effect: Effect
    why: str = ""


def declared_redirects(site: FolderSite) -> list[DeclaredRedirect]:
    """Return the redirects of the files of a site's host, in order.

    Those on other sites and of unknown form are left out, which `HostRules.notes` says.
    """
    found: dict[str, DeclaredRedirect] = {}
    for route in site.rules.routes:
        if route.status in REDIRECTS and route.source and route.place not in found:
            effect, why = _effect(site, route)
            found[route.place] = DeclaredRedirect(route.source, route.target, route.status, route.place, effect, why)
    for rule in _rewrite_redirects(site):
        conditions = len(rule.conditions)
        why = rule.why or rule.regular.why
        if not why and conditions:
            why = "only if its condition applies" if conditions == 1 else f"only if its {conditions:,} conditions apply"
        effect = Effect.UNKNOWN if rule.why or rule.regular.why else Effect.YES
        found[rule.place] = DeclaredRedirect(rule.source, rule.target, rule.redirect or 302, rule.place, effect, why)
    return list(found.values())


def _rewrite_redirects(site: FolderSite) -> Iterator[RewriteRule]:
    """Yield the rewrite rules of Apache that redirect."""
    rewriter = site.rules.rewriter
    for rule in () if rewriter is None else rewriter.rules:
        if rule.redirect is not None or rule.target.startswith(("http://", "https://")):
            yield rule


def _effect(site: FolderSite, route: Route) -> tuple[Effect, str]:
    if not site.folder.has_pages:
        return Effect.UNKNOWN, "the directory has no pages"
    if route.why:
        return Effect.UNKNOWN, route.why
    if route.pattern.regular is not None:
        return Effect.YES, "" if route.shadows else "for paths without a file"
    path = route.pattern.literal
    shown = site.shown_without_rules(path)
    if shown is not None and not route.shadows:
        forced = f"; {route.status}! would redirect" if site.host.name is HostName.NETLIFY else ""
        return Effect.NO, f"{shown} comes first{forced}"
    for other, target in site.rules.table.of(path):
        if other.is_function or (shown is not None and not other.shadows):
            continue
        if other.place != route.place:
            return (Effect.UNKNOWN if other.why else Effect.NO), f"{other.place} comes first"
        if site.leads_to_itself(target, path):
            return Effect.NO, "it leads to itself"
        break
    return Effect.YES, ""


def sources_among(site: FolderSite, urls: Iterable[str]) -> int:
    """Return how many of the URLs are sources of redirects that the files of the host declare."""
    parts = split_url(site.base)

    def is_source(url: str) -> bool:
        path = unquote(split_url(url).path or "/")
        for route, _ in site.rules.table.of(path):
            is_exact = route.pattern.regular is None or route.shadows
            if route.status in REDIRECTS and route.source and (is_exact or site.shown_without_rules(path) is None):
                return True
        rewriter = site.rules.rewriter
        request = Request(path, split_url(url).query, parts.scheme, parts.netloc)
        return rewriter is not None and rewriter.apply(request, site).location is not None

    return sum(map(is_source, urls))
