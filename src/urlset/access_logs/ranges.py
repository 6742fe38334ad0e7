"""The lists of IP addresses that operators of crawlers publish, from a directory.

The lists have one form: `{"creationTime": "…", "prefixes": [{"ipv4Prefix": "…"}, {"ipv6Prefix": "…"}]}`.
https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot
"""

from __future__ import annotations

from datetime import UTC, datetime
from ipaddress import ip_network
from typing import TYPE_CHECKING

from urlset.errors import UsageError, reason_of
from urlset.files.bounded import MAX_CONFIG_BYTES, read_file
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.files.structured import decode_json
from urlset.model.access_log import AddressList
from urlset.web.agents import KNOWN_AGENTS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from ipaddress import IPv4Address, IPv6Address
    from pathlib import Path
    from typing import TypeAlias

    Ranges: TypeAlias = list[tuple[IPv4Address | IPv6Address, IPv4Address | IPv6Address]]

HOW = "the operator publishes it at the address that the documentation of the crawler names"

LISTS = frozenset(name for agent in KNOWN_AGENTS for name in agent.lists)
"""The names of all lists that are used."""


def read_ranges(folder: Path) -> tuple[Mapping[str, Ranges], tuple[AddressList, ...]]:
    """Read the lists in a directory.

    Returns:
        For each crawler with a list, the first and last address of each prefix; and what each file is.

    Raises:
        UsageError: The directory cannot be read or has no list, or a list is invalid.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".json")
    except OSError as error:
        raise UsageError(f"ranges: {folder}: {reason_of(error)}") from None
    if not files:
        names = ", ".join(sorted(LISTS)[:4])
        raise UsageError(f"ranges: {folder}: no lists of addresses; save the JSON files of operators there, as {names}")
    lists: dict[str, Ranges] = {}
    facts = []
    for path in files:
        name = path.name.lower()
        if leads_out(path):
            raise UsageError(f"ranges: {path}: {LEADS_OUT}")
        if name not in LISTS:
            facts.append(AddressList(path.name, None, 0, is_used=False))
            continue
        lists[name], made_at = _read(path)
        facts.append(AddressList(path.name, made_at, len(lists[name])))
    ranges: dict[str, Ranges] = {}
    for agent in KNOWN_AGENTS:
        networks = [network for name in agent.lists for network in lists.get(name, ())]
        if networks:
            ranges[agent.name] = networks
    return ranges, tuple(facts)


def _read(path: Path) -> tuple[Ranges, datetime | None]:
    try:
        content = decode_json(read_file(path, MAX_CONFIG_BYTES))
    except OSError as error:
        raise UsageError(f"ranges: {path}: {reason_of(error)}") from None
    except ValueError:
        raise UsageError(f"ranges: {path}: is not JSON; download the list again: {HOW}") from None
    prefixes = content.get("prefixes") if isinstance(content, dict) else None
    if not isinstance(prefixes, list) or not prefixes:
        raise UsageError(f"ranges: {path}: has no prefixes; remove it, or download the list again: {HOW}")
    ranges: Ranges = []
    for entry in prefixes:
        prefix = (entry.get("ipv4Prefix") or entry.get("ipv6Prefix")) if isinstance(entry, dict) else entry
        try:
            network = ip_network(prefix if isinstance(prefix, str) else "")
        except ValueError:
            raise UsageError(f"ranges: {path}: invalid prefix {str(prefix)[:60]!r}; download the list again") from None
        ranges.append((network[0], network[-1]))
    return ranges, _instant(content.get("creationTime"))


def _instant(text: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
