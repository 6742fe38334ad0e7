"""Known crawlers: their product tokens in robots.txt, operators, purposes, and sources.

`agents.json` lists the crawlers of search engines, the AI crawlers that sites commonly allow or block, and other
crawlers that request many pages; `scripts/refresh_crawlers.py` compares it with its sources. Other crawlers can be used
by their product token.
"""

from __future__ import annotations

from datetime import date  # noqa: TC003 - msgspec reads the annotations
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Struct

from urlset.model.fields import about


class Purpose(StrEnum):
    """What a crawler fetches pages for."""

    SEARCH = "search"
    """To index them in a search engine."""
    AI_SEARCH = "ai-search"
    """To answer questions, with links to the pages."""
    AI_TRAINING = "ai-training"
    """To train models."""
    USER = "user"
    """On request of a user; such a crawler may ignore robots.txt."""
    SERVICE = "service"
    """For another service: previews of links, shopping, statistics on links, tests."""


TITLES = {
    Purpose.SEARCH: "Search engines",
    Purpose.AI_SEARCH: "AI search",
    Purpose.AI_TRAINING: "AI training",
    Purpose.USER: "On request of a user",
    Purpose.SERVICE: "Other services",
}


class Obedience(StrEnum):
    """Which part of robots.txt a crawler follows, according to its operator."""

    FOLLOWS = "follows"
    """The group for it, or else the group for all crawlers, as RFC 9309 says."""
    OWN_GROUP = "own-group"
    """Only a group that names it; `User-agent: *` does not apply to it."""
    IGNORES = "ignores"
    """None of it."""


class KnownAgent(Struct, frozen=True, forbid_unknown_fields=True):
    """One crawler."""

    name: Annotated[str, about("Its product token in robots.txt.")]
    operator: Annotated[str, about("The company that runs it.")]
    purpose: Annotated[Purpose, about("What it fetches pages for.")]
    source: Annotated[str, about("The documentation of its operator, or another source if it publishes none.")]
    date: Annotated[date, about("The day on which these facts were last compared with the source.")]
    robots: Annotated[Obedience, about("Which part of robots.txt it follows.")] = Obedience.FOLLOWS
    may_ignore: Annotated[
        bool, about("True if its operator says that it may ignore robots.txt when a user asks for a page.")
    ] = False
    heeds: Annotated[
        tuple[str, ...],
        about("Other product tokens whose groups it follows if there is no group for it, in order of preference."),
    ] = ()
    fetches: Annotated[
        bool, about("False for a token that only serves to opt out: another crawler of the operator fetches the pages.")
    ] = True
    lists: Annotated[
        tuple[str, ...],
        about("Names of the files with its IP addresses that its operator publishes; empty if it publishes none."),
    ] = ()
    domains: Annotated[
        tuple[str, ...],
        about("Ends of the host names of its IP addresses, according to its operator; empty if it names none."),
    ] = ()
    signature_agent: Annotated[
        str,
        about(
            "The `Signature-Agent` with which it signs some requests (Web Bot Auth), as its operator says, perhaps as "
            "an experiment; empty if it names none."
        ),
    ] = ""
    user_agent: Annotated[
        str,
        about(
            "A user agent that it sends, according to its operator, with a current version where the operator leaves "
            "it open; empty if none is published."
        ),
    ] = ""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The product tokens whose groups it follows, in order of preference."""
        return (self.name, *self.heeds)


KNOWN_AGENTS: tuple[KnownAgent, ...] = msgspec.json.decode(
    Path(__file__).with_name("agents.json").read_bytes(), type=tuple[KnownAgent, ...]
)
"""Every known crawler, grouped by operator."""

DEFAULT_AGENTS: tuple[str, ...] = ("Googlebot", "Bingbot")
"""The default crawlers to check robots.txt for: those that nearly every site wants."""

MAX_AGE_DAYS = 60
"""Days after which the list is called old. Our choice: operators add a crawler every few weeks."""

_BY_NAME = {agent.name.lower(): agent for agent in KNOWN_AGENTS}


@lru_cache(maxsize=1024)
def known_agent(name: str) -> KnownAgent | None:
    """Return the crawler with a product token, in any case and with or without a version; None if it is not listed."""
    return _BY_NAME.get(name.partition("/")[0].strip().lower())


def tokens_of(name: str) -> tuple[str, ...]:
    """Return the product tokens whose groups an agent follows, in order of preference.

    Example:
        >>> tokens_of("googlebot-image")
        ('Googlebot-Image', 'Googlebot')
        >>> tokens_of("ExampleBot")
        ('ExampleBot',)
    """
    known = known_agent(name)
    return known.tokens if known is not None else (name.strip(),)


def obedience_of(name: str) -> Obedience:
    """Return which part of robots.txt an agent follows.

    Example:
        >>> obedience_of("adsbot-google").value, obedience_of("Google-Safety").value, obedience_of("ExampleBot").value
        ('own-group', 'ignores', 'follows')
    """
    known = known_agent(name)
    return Obedience.FOLLOWS if known is None else known.robots


def may_ignore(name: str) -> bool:
    """Return whether the operator of an agent says that it may ignore robots.txt when a user asks for a page.

    Example:
        >>> may_ignore("ChatGPT-User"), may_ignore("GPTBot")
        (True, False)
    """
    known = known_agent(name)
    return known is not None and known.may_ignore


def is_of_google(name: str) -> bool:
    """Return whether Google runs an agent, so that robots.txt is matched as in Google's parser.

    Example:
        >>> is_of_google("Googlebot-Image"), is_of_google("AdsBot-Google"), is_of_google("Applebot")
        (True, True, False)
    """
    known = known_agent(name)
    return known is not None and known.operator == "Google"


def names_for(*purposes: Purpose) -> tuple[str, ...]:
    return tuple(agent.name for agent in KNOWN_AGENTS if agent.purpose in purposes)


def age_of_list(today: date) -> str | None:
    """Return how old the list of crawlers is, as a phrase; None if it is recent.

    Example:
        >>> age_of_list(KNOWN_AGENTS[0].date)
    """
    newest = max(agent.date for agent in KNOWN_AGENTS)
    days = (today - newest).days
    if days <= MAX_AGE_DAYS:
        return None
    return f"the list of crawlers was last compared with its sources on {newest}, {days:,} days ago; upgrade urlset"
