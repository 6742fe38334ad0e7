"""Ask a site for the URLs of a directory, and compare each answer with that of the directory."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from urlset.deployment.answers import Answer, ask
from urlset.deployment.built_urls import BuiltUrl
from urlset.deployment.differences import Found, Surroundings, differences
from urlset.errors import internal_error
from urlset.fetch.politeness import OVERLOADED
from urlset.model.deploy_check import DeployCause, Difference, ServedKind
from urlset.net.origin import origin_url
from urlset.net.urlparts import split_url
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from urlset.fetch.client import Client
    from urlset.options.deployment import DeployCheckOptions

WORKERS = 16
"""URLs that are compared or wait for their turn at the host. Each holds one page at most."""

MAX_OVERLOADS = 10
"""Responses in a row with which the server signals overload, after which nothing more is requested."""

FILE_WORKERS = 2
"""Files of which the text is held at the same time."""


class Outcome(Struct, frozen=True):
    """The outcome for one URL.

    Attributes:
        found: What differs; empty if it is served as built, or unknown.
        unknown: Why it was not compared; None if it was.
        is_final: Whether another answer of the site could not change this.
    """

    found: tuple[Found, ...] = ()
    unknown: str | None = None
    is_final: bool = False

    @property
    def is_equal(self) -> bool:
        return not self.found and self.unknown is None


class Comparer:
    """Compares URLs. What is known is in `outcomes` at any time, also after an interrupt.

    Args:
        built: Answers as the host of the directory would.
        served: The client of the site.
        base: The URL of the site.

    Attributes:
        outcomes: The outcome for each URL that was compared so far.
        respelled: URLs that redirect to another spelling of the same page.
        is_stopped: Set to start no more comparisons.
        refusal: Why nothing more is requested from an overloaded server; None if it answers.
    """

    def __init__(self, built: Client, served: Client, base: str, options: DeployCheckOptions) -> None:
        self._built = built
        self._served = served
        self._options = options
        self.around = Surroundings(base)
        self.outcomes: dict[BuiltUrl, Outcome] = {}
        self.respelled: set[str] = set()
        self.is_stopped = False
        self.refusal: str | None = None
        self._overloads = 0
        self._files = asyncio.Semaphore(FILE_WORKERS)

    async def look_around(self) -> None:
        """Request the home page, and a URL that does not exist."""
        self.refusal, self._overloads = None, 0
        home = BuiltUrl(self.around.base, ServedKind.PAGE)
        missing = BuiltUrl(f"{self.around.base}{self._unused()}", ServedKind.PAGE)
        answers = [await self._ask(self._served, each, each.url) for each in (home, missing)]
        # The built home page can have the sign of a challenge, too: a form with a captcha.
        built = await self._ask(self._built, home, home.url)
        is_test = [answer.challenge is not None and built.challenge is None for answer in answers]
        known = [
            None if answer.unknown is not None or is_challenge else answer
            for answer, is_challenge in zip(answers, is_test, strict=True)
        ]
        home_page, missing_page = (None if each is None else replace(each, html=None) for each in known)
        built_home = None if built.unknown is not None else replace(built, html=None)
        self.around = replace(self.around, home=home_page, missing=missing_page, built_home=built_home)
        if all(answer.status in OVERLOADED for answer in answers):
            self._refuse(answers[0])

    async def compare(self, urls: Sequence[BuiltUrl], on_compared: Callable[[BuiltUrl], None]) -> None:
        """Compare URLs, several at a time.

        Args:
            on_compared: Called after each of them.
        """
        waiting = iter(urls)
        tasks: list[asyncio.Task[None]] = []

        async def work() -> None:
            for url in waiting:
                if self.is_stopped or self._is_refused():
                    return
                try:
                    self.outcomes[url] = await self._compare(url)
                except Exception as error:  # noqa: BLE001 - one page must not end the check
                    self.outcomes[url] = Outcome(unknown=internal_error(error))
                on_compared(url)
                if self._is_refused():
                    # The others wait for their turn at the overloaded server, seconds apart.
                    for task in tasks:
                        task.cancel()
                    return

        async with asyncio.TaskGroup() as group:
            tasks += [group.create_task(work()) for _ in range(WORKERS)]
        if self.refusal is not None:
            for url in urls:
                self.outcomes.setdefault(url, Outcome(unknown=self.refusal))

    async def served_pages(self, urls: Iterable[str]) -> list[Answer]:
        """Return the answers to URLs that the directory does not have, if they have content of their own."""
        answers = [await self._ask(self._served, BuiltUrl(url, ServedKind.PAGE), url) for url in urls]
        return [answer for answer in answers if self._has_own_content(answer)]

    def _has_own_content(self, answer: Answer) -> bool:
        is_there = answer.unknown is None and answer.challenge is None and answer.is_success
        if not is_there or answer.is_redirected:
            return False
        return self.around.stand_in(answer.url, answer) is None

    async def _compare(self, url: BuiltUrl) -> Outcome:
        if url.kind is ServedKind.PAGE:
            return await self._compare_one(url)
        async with self._files:
            return await self._compare_one(url)

    async def _compare_one(self, url: BuiltUrl) -> Outcome:
        built = await self._ask(self._built, url, url.url)
        if (why := _why_unknown(built)) is not None:
            return Outcome(unknown=why, is_final=True)
        served = await self._ask(self._served, url, url.url)
        outcome = self._outcome(url, built, served)
        if not outcome.found:
            if outcome.is_equal and served.is_redirected and not built.is_redirected:
                self.respelled.add(url.url)
            return outcome
        return await self._with_origin(url, built, served, outcome)

    def _outcome(self, url: BuiltUrl, built: Answer, served: Answer) -> Outcome:
        if served.unknown is not None:
            return Outcome(unknown=served.unknown)
        found = differences(url, built, served, self.around)
        is_stand_in = any(each.cause in (DeployCause.FALLBACK, DeployCause.ERROR_PAGE) for each in found)
        is_other = not is_stand_in and not _is_page_of(built, served)
        if found and served.challenge is not None and built.challenge is None and is_other:
            return Outcome(unknown=f"{served.challenge} (HTTP {served.status})")
        if not found and (why := served.partial or built.partial) is not None:
            return Outcome(unknown=f"incomplete content: {why}", is_final=built.is_partial)
        return Outcome(tuple(found))

    async def _with_origin(self, url: BuiltUrl, built: Answer, served: Answer, outcome: Outcome) -> Outcome:
        """Return the outcome after a request with an unused query, which caches pass on to the origin."""
        query = "&" if split_url(url.url).query else "?"
        past = await self._ask(self._served, url, f"{url.url}{query}{self._unused()}=1")
        if past.unknown is not None:
            return outcome
        of_origin = self._outcome(url, built, replace(past, final_url=_without_query(past.final_url, url.url)))
        if of_origin.unknown is not None:
            return outcome
        if not of_origin.is_equal:
            other = past.is_success and served.is_success and not _is_same(past, served)
            more = "; with an unused query, another version is served" if other else ""
            return replace(outcome, found=tuple(replace(each, about=each.about + more) for each in outcome.found))
        again = await self._ask(self._served, url, url.url)
        outcome = self._outcome(url, built, again)
        if not outcome.found:
            # The deployment was completed in between.
            return outcome
        first = outcome.found[0]
        evidence = [f"Age: {quantity(again.age, 'second')}"] if again.age is not None else []
        evidence += [again.cache_status] if again.cache_status is not None else []
        if evidence:
            cause = DeployCause.EDGE_CACHE
            more = (
                f"a cache serves this ({', '.join(evidence)}): with an unused query, the origin serves what was built"
            )
        else:
            cause = None
            more = "with an unused query, what was built is served, so a cache or another server answers"
        about = f"{first.about}; {more}"
        return Outcome((replace(first, difference=Difference.EDGE, cause=cause, about=about),))

    async def _ask(self, client: Client, built: BuiltUrl, url: str) -> Answer:
        options = self._options
        answer = await ask(client, built, url, options.max_page_bytes, options.max_document_bytes)
        if client is self._served:
            self._overloads = self._overloads + 1 if answer.status in OVERLOADED else 0
            if self._overloads >= MAX_OVERLOADS:
                self._refuse(answer)
        return answer

    def _is_refused(self) -> bool:
        return self.refusal is not None

    def _refuse(self, answer: Answer) -> None:
        responses = quantity(self._overloads, "response")
        self.refusal = f"not requested after {responses} with HTTP {answer.status} in a row"

    def _unused(self) -> str:
        return f"urlset-{secrets.token_hex(6)}"


def _is_page_of(built: Answer, served: Answer) -> bool:
    """Return whether a served page is a version of the built one, which no challenge has the title or canonical of."""
    if built.page is None or served.page is None:
        return False
    title, canonical = built.page.title, built.row.get("canonical")
    has_title = bool(title) and served.page.title == title
    return has_title or (canonical is not None and served.row.get("canonical") == canonical)


def _why_unknown(built: Answer) -> str | None:
    """Return why the answer of the directory is unknown; None if it is known."""
    if built.unknown is not None and built.challenge is None:
        return f"the expected response of the host is unknown: {built.unknown}"
    return None


def _without_query(url: str, asked: str) -> str:
    """Return the final URL of a request with an unused query as it would be without it."""
    return (
        url.partition("?")[0] if not split_url(asked).query else asked if origin_url(url) == origin_url(asked) else url
    )


def _is_same(answer: Answer, other: Answer) -> bool:
    if answer.page is not None and other.page is not None:
        return (answer.page.content_hash, answer.page.title) == (other.page.content_hash, other.page.title)
    return answer.sha256 == other.sha256
