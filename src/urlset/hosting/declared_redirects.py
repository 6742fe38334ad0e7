"""The redirects that the files of a host declare, and which of them have an effect.

A file shadows a redirect on Netlify unless it is forced, also one without wildcards (both read 2026-11-29):
https://docs.netlify.com/build/configure-builds/file-based-configuration/#redirects,
https://github.com/kubernetes/website/issues/19624. On Cloudflare, redirects come first:
https://developers.cloudflare.com/pages/configuration/redirects/#per-file

The first rule that applies to a path decides, with wildcards or without:
https://docs.netlify.com/manage/routing/redirects/overview/#rule-processing-order
"""

from __future__ import annotations

import re
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
    earlier = _Wildcards()
    for route in site.rules.routes:
        if route.status in REDIRECTS and route.source and route.place not in found:
            effect, why = _effect(site, route, earlier)
            found[route.place] = DeclaredRedirect(route.source, route.target, route.status, route.place, effect, why)
        earlier.add(route)
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


_WILDCARD = re.compile(r":[A-Za-z_]\w*|\*+")
_OTHER_SYNTAX = re.compile(r":\w+[*+?]|[(){}\[\]?+!@|\\^$]")
_SEGMENT = "\ue000"
"""A segment that no rule names."""

MAX_SHARING = 100
"""Number of rules with wildcards that share a start and are compared with later ones. Our choice."""

_ANYTHING = ("", _SEGMENT, "/", "/".join([_SEGMENT] * 64))
"""What a `*` can stand for. Only another `*` matches all of them."""


def _paths_of(route: Route) -> list[str]:
    """Return paths of a pattern such that a pattern that matches all of them matches all of its paths.

    Without any, this cannot be told: its source has more than one `*`, or another syntax than `*` and `:name`.
    """
    source = unquote(route.source)
    if _OTHER_SYNTAX.search(source) or sum(found[0].startswith("*") for found in _WILDCARD.finditer(source)) > 1:
        return []
    return [
        _WILDCARD.sub(lambda found: _SEGMENT if found[0].startswith(":") else rest, source)  # noqa: B023 - at once
        for rest in _ANYTHING
    ]


class _Wildcards:
    """Rules with wildcards that come first, by the start that their paths share."""

    def __init__(self) -> None:
        self._by_start: dict[str, list[tuple[int, Route]]] = {}
        self._count = 0

    def add(self, route: Route) -> None:
        if route.pattern.regular is not None and not route.is_function:
            self._count += 1
            sharing = self._by_start.setdefault(route.pattern.literal, [])
            if len(sharing) < MAX_SHARING:
                sharing.append((self._count, route))

    def first_over(self, route: Route) -> Route | None:
        """Return the first rule that applies to every path of a redirect with wildcards; None if there is none."""
        start, paths = route.pattern.literal, _paths_of(route)
        over = (
            (number, other)
            for length in range(len(start) + 1)
            for number, other in self._by_start.get(start[:length], ())
            if other.source == route.source or (paths and all(other.leads_to(path) is not None for path in paths))
        )
        return min(over, key=lambda each: each[0], default=(0, None))[1]


def _effect(site: FolderSite, route: Route, earlier: _Wildcards) -> tuple[Effect, str]:
    if not site.folder.has_pages:
        return Effect.UNKNOWN, "the directory has no pages"
    if route.why:
        return Effect.UNKNOWN, route.why
    if route.pattern.regular is not None:
        first = earlier.first_over(route)
        if first is not None and (first.shadows or not route.shadows):
            return (Effect.UNKNOWN if first.why else Effect.NO), f"{first.name} comes first"
        if first is not None and not first.why:
            return Effect.YES, f"for paths with a file; {first.name} comes first for others"
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
            leads = f", and redirects to {target}" if other.setting else ""
            return (Effect.UNKNOWN if other.why else Effect.NO), f"{other.name} comes first{leads}"
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
