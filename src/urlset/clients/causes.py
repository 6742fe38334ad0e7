"""Say what the answers mean: the causes for which an address cannot be read, the most likely one first.

A cause is a function that looks at all answers. The order of `CAUSES` is the order of findings: what hides everything
else comes first, since an answer from a challenge says nothing about the sitemap behind it.
"""

from __future__ import annotations

import re
import statistics
from typing import TYPE_CHECKING, NamedTuple

from urlset.clients.requests import FIRST, Group
from urlset.fetch.response import FetchError
from urlset.model.client_check import ClientFinding, Content
from urlset.net.status import TO_US
from urlset.net.urlparts import split_url
from urlset.probe.directives import directives_of
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import Severity
from urlset.text.sizes import enumeration, quantity, size
from urlset.web.challenges import challenge_in_body, declared_challenge
from urlset.web.html_page import charset_of
from urlset.web.robots_txt import Availability, Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.clients.send import Observed
    from urlset.model.client_check import Answer

GOOGLE_STATUS = "https://developers.google.com/crawling/docs/troubleshooting/http-status-codes"
GOOGLE_SITEMAPS = "https://support.google.com/webmasters/answer/7451001"
GOOGLE_ROBOTS = "https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec"
HTTP = "https://www.rfc-editor.org/rfc/rfc9110"

SLOW_MS = 5_000
"""Milliseconds to the first byte from which an address is slow. No search engine documents a limit."""

MAX_BYTES = int(str(DEFAULT_LIMITS["max_bytes"]))
"""Bytes of a sitemap after decompression."""

OLD_SECONDS = 7 * 86_400
"""Age in a shared cache from which a sitemap is old."""

SEARCH_ENGINES = ("Googlebot", "Bingbot")

_CONSENT = re.compile(r"(?:^|[./_-])(?:consent|cookie-?wall|gdpr|privacy-gate)(?:[./_-]|$)", re.IGNORECASE)
"""The pattern of the target of a redirect to a consent page."""

_DECLARED = re.compile(rb"<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})")


class Observations:
    """The answers of a check.

    Args:
        observed: Every answer, in the order of the requests.
        is_sitemap: Whether it should be a sitemap, and not a page.
    """

    def __init__(self, observed: Sequence[Observed], url: str, *, is_sitemap: bool) -> None:
        self.url = url
        self.is_sitemap = is_sitemap
        self._observed = {observation.answer.request: observation for observation in observed}
        self.of_address = [
            observation.answer
            for observation in observed
            if observation.group not in (Group.MISSING, Group.ROBOTS, Group.ADDRESS, Group.FORMAT)
        ]

    @property
    def first(self) -> Answer:
        return self._observed[FIRST].answer

    def answer(self, request: str) -> Answer | None:
        """Return an answer; None if the request was not sent."""
        observed = self._observed.get(request)
        return None if observed is None else observed.answer

    def start(self, request: str = FIRST) -> bytes:
        observed = self._observed.get(request)
        return b"" if observed is None else observed.start

    def group(self, *groups: Group) -> list[Answer]:
        """Return the answers to the requests of these groups."""
        return [observation.answer for observation in self._observed.values() if observation.group in groups]


class Cause(NamedTuple):
    """A cause that stops crawlers, or may stop them.

    Attributes:
        name: Its name in output.
        find: Yields the severity, the evidence, and the answers that show it.
        source: The documentation that it is based on; None if it is plain HTTP.
    """

    name: str
    title: str
    fix: str
    find: Callable[[Observations], Iterator[Evidence]]
    source: str | None = None


class Evidence(NamedTuple):
    """Evidence of a cause."""

    severity: Severity
    evidence: str
    answers: Sequence[Answer]


def findings(observations: Observations) -> tuple[ClientFinding, ...]:
    """Return the findings: errors first, then warnings, then the rest; within each, the most likely cause first."""
    client_findings = [
        ClientFinding(
            cause=cause.name,
            severity=evidence.severity,
            title=cause.title,
            evidence=evidence.evidence,
            fix=cause.fix,
            requests=tuple(answer.request for answer in evidence.answers),
            source=cause.source,
        )
        for cause in CAUSES
        for evidence in cause.find(observations)
    ]
    return tuple(sorted(client_findings, key=lambda finding: finding.severity.rank))


def _status(answer: Answer) -> str:
    return answer.error or f"HTTP {answer.status}"


def _names(answers: Sequence[Answer]) -> str:
    return enumeration([answer.request for answer in answers])


def _is_html_instead(observations: Observations, answer: Answer) -> bool:
    return observations.is_sitemap and answer.is_read and answer.content is Content.HTML


def challenge_in(observations: Observations, answer: Answer) -> str | None:
    """Return the name of the challenge that an answer is; None if it is not one."""
    if (declared := declared_challenge(answer.headers)) is not None:
        return declared
    if answer.content is Content.HTML and (observations.is_sitemap or not answer.is_read):
        name = challenge_in_body(observations.start(answer.request))
        if name is not None:
            return name
    if answer.status == 202 and answer.content in (Content.HTML, Content.EMPTY):
        return "HTTP 202, which firewalls return while they check a client"
    return None


def _certificate(observations: Observations) -> Iterator[Evidence]:
    broken = [answer for answer in observations.of_address if answer.error_kind == FetchError.TLS]
    if broken and observations.first in broken:
        text = broken[0].error or ""
        is_incomplete = "unable to get local issuer" in text or "unable to verify the first" in text
        note = (
            "; the server does not send the intermediate certificate, or its issuer is unknown" if is_incomplete else ""
        )
        yield Evidence(Severity.ERROR, f"{text}{note}", broken)


def _unreachable(observations: Observations) -> Iterator[Evidence]:
    first = observations.first
    if first.status is None and first.error_kind not in (FetchError.TLS, FetchError.CUT_OFF, FetchError.BAD_RESPONSE):
        others = [answer for answer in observations.of_address if answer.status is not None]
        note = f"; answered to {_names(others)}" if others else ""
        yield Evidence(Severity.ERROR, f"{first.error}{note}", [first])


def _challenge(observations: Observations) -> Iterator[Evidence]:
    challenged = [
        (answer, name) for answer in observations.of_address if (name := challenge_in(observations, answer)) is not None
    ]
    if not challenged:
        return
    answers = [answer for answer, _ in challenged]
    evidence = f"{challenged[0][1]} instead of the content, to {_names(answers)}"
    hits = {answer.request for answer in answers}
    is_known = hits & set(SEARCH_ENGINES) or FIRST not in hits
    yield Evidence(Severity.ERROR if is_known else Severity.WARNING, evidence, answers)


def _consent(observations: Observations) -> Iterator[Evidence]:
    looped = [
        answer
        for answer in observations.of_address
        if answer.error_kind == FetchError.REDIRECT_LOOP and any(hop.sets_cookie for hop in answer.redirects)
    ]
    if looped:
        yield Evidence(Severity.ERROR, f"redirects to itself until a cookie is sent back, to {_names(looped)}", looped)
        return
    led = [
        answer
        for answer in observations.of_address
        if answer.redirects and answer.content is Content.HTML and _CONSENT.search(answer.final_url)
    ]
    if led and observations.is_sitemap:
        yield Evidence(Severity.ERROR, f"leads to {led[0].final_url}, to {_names(led)}", led)


def _redirect_loop(observations: Observations) -> Iterator[Evidence]:
    first = observations.first
    has_cookie = any(hop.sets_cookie for hop in first.redirects)
    is_loop = first.error_kind == FetchError.REDIRECT_LOOP and not has_cookie
    if is_loop or first.error_kind in (FetchError.TOO_MANY_REDIRECTS, FetchError.BAD_REDIRECT):
        yield Evidence(Severity.ERROR, f"{first.error}, after {quantity(len(first.redirects), 'redirect')}", [first])


def _user_agent(observations: Observations) -> Iterator[Evidence]:
    crawlers = [answer for answer in observations.group(Group.CRAWLER) if challenge_in(observations, answer) is None]
    plain = [
        answer for answer in (*observations.group(Group.SAME), *observations.group(Group.BROWSER)) if answer.is_read
    ]
    refused = [
        answer
        for answer in crawlers
        if answer.status in TO_US - {402} or answer.status in (406, 410) or is_dropped(answer)
    ]
    # What fails now and then fails for others as well.
    refused += [
        answer
        for answer in crawlers
        if (answer.status or 0) >= 400 and answer.status != 402 and answer not in refused and len(plain) > 2
    ]
    if refused and plain and len(plain) >= len(observations.group(Group.SAME)):
        searches = any(answer.request in SEARCH_ENGINES for answer in refused)
        text = (
            f"{_status(refused[0])} under the user agent of {_names(refused)}, but {plain[0].status} to {_names(plain)}"
        )
        yield Evidence(Severity.ERROR if searches else Severity.INFO, text, refused)
    first, browser = observations.first, observations.answer("browser")
    if first.status in TO_US and challenge_in(observations, first) is None:
        read = [answer for answer in (*crawlers, *([browser] if browser else [])) if answer.is_read]
        if read:
            text = f"{_status(first)} to urlset, but {read[0].status} to {_names(read)}"
            yield Evidence(Severity.INFO, text, [first])


def is_dropped(answer: Answer) -> bool:
    """Return whether the connection was closed, or kept waiting, instead of a response."""
    return answer.status is None and answer.error_kind in (FetchError.RESET, FetchError.READ_TIMEOUT)


def _intermittent(observations: Observations) -> Iterator[Evidence]:
    answers = [*observations.group(Group.SAME), *observations.group(Group.BROWSER), *observations.group(Group.CRAWLER)]
    failed = [answer for answer in answers if (answer.status or 0) >= 500 or answer.status == 429 or is_dropped(answer)]
    same = observations.group(Group.SAME)
    if failed and any(answer.is_read for answer in answers) and any(answer in failed for answer in same):
        is_mixed = any(answer.is_read for answer in same)
        if is_mixed or any(answer.is_read for answer in answers[len(same) :]):
            text = f"{_status(failed[0])} to {len(failed)} of {quantity(len(answers), 'equal request')}"
            yield Evidence(Severity.ERROR, text, failed)


def _login(observations: Observations) -> Iterator[Evidence]:
    answers = observations.of_address
    if all(answer.status == 401 for answer in answers if answer.request != "head"):
        yield Evidence(Severity.ERROR, "HTTP 401 to every request", answers)


def _payment(observations: Observations) -> Iterator[Evidence]:
    paid = [answer for answer in observations.of_address if answer.status == 402]
    if paid:
        price = next((answer.headers["crawler-price"] for answer in paid if "crawler-price" in answer.headers), None)
        text = f"HTTP 402 to {_names(paid)}" + (f", for {price}" if price else "")
        searches = any(answer.request in SEARCH_ENGINES for answer in paid)
        yield Evidence(Severity.ERROR if searches else Severity.INFO, text, paid)


def _refused(observations: Observations) -> Iterator[Evidence]:
    answers = [answer for answer in observations.of_address if answer.request != "head"]
    statuses = {answer.status for answer in answers}
    if (
        len(statuses) == 1
        and (status := answers[0].status) is not None
        and 400 <= status < 500
        and status not in (401, 402)
    ) and not any(challenge_in(observations, answer) for answer in answers):
        yield Evidence(Severity.ERROR, f"HTTP {status} to every request", answers)


def _server_error(observations: Observations) -> Iterator[Evidence]:
    answers = [answer for answer in observations.of_address if answer.request != "head"]
    if all((answer.status or 0) >= 500 for answer in answers) and not any(
        challenge_in(observations, answer) for answer in answers
    ):
        yield Evidence(Severity.ERROR, f"HTTP {observations.first.status} to every request", answers)


def _robots(observations: Observations) -> Iterator[Evidence]:
    answer = observations.answer("robots.txt")
    # Of a server that cannot be reached, this says nothing new.
    if answer is None or (answer.status is None and observations.first.status is None):
        return
    robots = Robots.of_answer(answer.status, observations.start("robots.txt") if answer.is_read else None, answer.url)
    if robots.availability is Availability.UNREACHABLE:
        text = f"robots.txt: {_status(answer)}; Google then reads nothing of the site at first"
        yield Evidence(Severity.ERROR, text, [answer])
    blocked = {name: robots.verdict(name, observations.url) for name in SEARCH_ENGINES}
    for name, verdict in blocked.items():
        if not verdict.allowed and verdict.line is not None:
            yield Evidence(Severity.ERROR, f"line {verdict.line} of robots.txt disallows it for {name}", [answer])
            return


def _not_modified(observations: Observations) -> Iterator[Evidence]:
    unconditional = [*observations.group(Group.SAME, Group.CRAWLER, Group.BROWSER, Group.ENCODING)]
    if early := [answer for answer in unconditional if answer.status == 304]:
        yield Evidence(Severity.ERROR, f"HTTP 304 without a condition in the request, to {_names(early)}", early)
        return
    other = observations.answer("other-version")
    if other is not None and other.status == 304:
        text = "HTTP 304 (unchanged) for an ETag that the server never sent; crawlers keep their old copy"
        yield Evidence(Severity.ERROR, text, [other])


def _empty(observations: Observations) -> Iterator[Evidence]:
    empty = [
        answer
        for answer in observations.of_address
        if answer.is_read and answer.content is Content.EMPTY and answer.status != 202
    ]
    empty = [answer for answer in empty if answer.is_whole]
    if empty:
        text = f"HTTP {empty[0].status} without content, to {_names(empty)}"
        is_first = observations.first in empty or any(answer.request in SEARCH_ENGINES for answer in empty)
        yield Evidence(Severity.ERROR if is_first else Severity.WARNING, text, empty)


def _fallback(observations: Observations) -> Iterator[Evidence]:
    html = [
        answer
        for answer in observations.of_address
        if _is_html_instead(observations, answer) and challenge_in(observations, answer) is None
    ]
    if not html or (len(html) < 2 and observations.first not in html):
        return
    if any(_CONSENT.search(answer.final_url) for answer in html):
        return
    missing = observations.answer("missing")
    is_same = missing is not None and missing.is_read and missing.sha256 == html[0].sha256
    note = "; a page that does not exist has the same content, as in a single-page app" if is_same else ""
    yield Evidence(Severity.ERROR, f"a web page instead of a sitemap, to {_names(html)}{note}", html)


def _encoding(observations: Observations) -> Iterator[Evidence]:
    bad = [answer for answer in observations.of_address if answer.error_kind == FetchError.BAD_ENCODING]
    if bad:
        text = f"{bad[0].error}, to {_names(bad)}"
        is_first = any(answer.request in (FIRST, *SEARCH_ENGINES) for answer in bad)
        yield Evidence(Severity.ERROR if is_first else Severity.WARNING, text, bad)
    plain = observations.answer("identity")
    if (
        plain is not None
        and plain.is_read
        and (encoding := plain.headers.get("content-encoding", "identity")) != "identity"
    ):
        yield Evidence(Severity.WARNING, f"{encoding} although the request allows no compression", [plain])


def _http(observations: Observations) -> Iterator[Evidence]:
    broken = [answer for answer in observations.of_address if answer.error_kind == FetchError.BAD_RESPONSE]
    if broken:
        text = f"{broken[0].error}, to {_names(broken)}"
        yield Evidence(Severity.ERROR if observations.first in broken else Severity.WARNING, text, broken)
    elif loose := [answer for answer in observations.of_address if answer.problems]:
        yield Evidence(Severity.WARNING, f"{loose[0].problems[0]}, to {_names(loose)}", loose)


def _length(observations: Observations) -> Iterator[Evidence]:
    broken = [answer for answer in observations.of_address if answer.error_kind == FetchError.CUT_OFF]
    if broken:
        text = f"{broken[0].error}, to {_names(broken)}"
        yield Evidence(Severity.ERROR if observations.first in broken else Severity.WARNING, text, broken)
        return
    head = observations.answer("head")
    declared = head.headers.get("content-length") if head is not None and head.is_read else None
    first = observations.first
    # Some servers compress the absent body of HEAD, and count that; no crawler minds.
    is_plain = head is not None and not any("content-encoding" in answer.headers for answer in (head, first))
    if (
        head is not None and declared is not None and is_plain and first.is_whole and declared != str(first.wire_bytes)
    ) and (first.headers.get("content-length", declared) != declared or "content-length" not in first.headers):
        text = f"Content-Length is {declared} for HEAD, but GET sends {quantity(first.wire_bytes, 'byte')}"
        yield Evidence(Severity.WARNING, text, [head])


def _size(observations: Observations) -> Iterator[Evidence]:
    first = observations.first
    if first.error_kind == FetchError.TOO_LARGE or (observations.is_sitemap and first.bytes > MAX_BYTES):
        yield Evidence(Severity.ERROR, f"more than {size(MAX_BYTES)} after decompression", [first])


def _content_type(observations: Observations) -> Iterator[Evidence]:
    first = observations.first
    written = first.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_xml = first.content is Content.XML
    if first.is_read and is_xml and observations.is_sitemap and written and not _fits_xml(written):
        yield Evidence(Severity.WARNING, f"Content-Type is {written}, but the content is XML", [first])


def _fits_xml(written: str) -> bool:
    return written in ("application/xml", "text/xml", "application/octet-stream", "text/plain") or written.endswith(
        "+xml"
    )


def _charset(observations: Observations) -> Iterator[Evidence]:
    first, start = observations.first, observations.start()
    declared_charset = charset_of(first.headers.get("content-type"))
    if declared_charset is None or first.content is not Content.XML:
        return
    declared = _DECLARED.search(start)
    inside = (declared[1].decode("ascii") if declared else "utf-8").lower()
    outside = declared_charset.lower()
    if outside != inside and not start.isascii():
        text = f"Content-Type says {outside}, and the document {inside}"
        yield Evidence(Severity.WARNING, text, [first])


def _noindex(observations: Observations) -> Iterator[Evidence]:
    noindex = [
        answer for answer in observations.of_address if directives_of((), answer.headers.get("x-robots-tag")).noindex
    ]
    if not noindex:
        return
    text = f"X-Robots-Tag: {noindex[0].headers['x-robots-tag']}, to {_names(noindex)}"
    note = "; a sitemap with it is still read, so it matters only if the rule was meant for something else"
    yield Evidence(
        Severity.INFO if observations.is_sitemap else Severity.ERROR,
        text + (note if observations.is_sitemap else ""),
        noindex,
    )


def _ipv6(observations: Observations) -> Iterator[Evidence]:
    yield from _over(observations, "ipv6", "ipv4")


def _http2(observations: Observations) -> Iterator[Evidence]:
    yield from _over(observations, "http2", FIRST)


def _over(observations: Observations, other: str, default: str) -> Iterator[Evidence]:
    answer, expected = observations.answer(other), observations.answer(default)
    if answer is None or expected is None or not expected.is_read:
        return
    name = {"ipv6": "IPv6", "http2": "HTTP/2"}[other]
    if not answer.is_read:
        yield Evidence(
            Severity.ERROR, f"over {name}: {_status(answer)}; otherwise HTTP {expected.status}", [answer, expected]
        )
    elif answer.content is not expected.content:
        yield Evidence(
            Severity.ERROR, f"over {name}: {answer.content}; otherwise {expected.content}", [answer, expected]
        )


def _different(observations: Observations) -> Iterator[Evidence]:
    first = observations.first
    if not first.is_read or _is_html_instead(observations, first):
        return
    crawlers = [
        answer
        for answer in observations.group(Group.CRAWLER)
        if answer.is_read and challenge_in(observations, answer) is None
    ]
    other = [
        answer for answer in crawlers if answer.content is not first.content and answer.content is not Content.HTML
    ]
    if other:
        yield Evidence(Severity.WARNING, f"{other[0].content} to {_names(other)}, {first.content} to others", other)


def _head(observations: Observations) -> Iterator[Evidence]:
    head, first = observations.answer("head"), observations.first
    if head is not None and first.is_read and not head.is_read:
        yield Evidence(Severity.INFO, f"{_status(head)} to HEAD, {first.status} to GET", [head])


def _range(observations: Observations) -> Iterator[Evidence]:
    part, first = observations.answer("range"), observations.first
    if part is None or not first.is_read:
        return
    if not part.is_read:
        yield Evidence(Severity.INFO, f"{_status(part)} to a request for the first 100 bytes", [part])
    elif part.status == 206 and "content-range" not in part.headers:
        yield Evidence(Severity.INFO, "HTTP 206 without Content-Range", [part])


def _redirects(observations: Observations) -> Iterator[Evidence]:
    first = observations.first
    if first.redirects and first.is_read and not _is_html_instead(observations, first):
        many = len(first.redirects) > 1
        text = f"{quantity(len(first.redirects), 'redirect')} to {first.final_url}"
        yield Evidence(Severity.WARNING if many else Severity.INFO, text, [first])


def _addresses(observations: Observations) -> Iterator[Evidence]:
    first = observations.first
    if not first.is_read:
        return
    for other in observations.group(Group.ADDRESS):
        if (
            other.is_read
            and other.final_url != first.final_url
            and _identity(other.final_url) != _identity(first.final_url)
        ):
            what = "the same content" if other.sha256 == first.sha256 else "different content"
            yield Evidence(Severity.INFO, f"{other.url} has {what} and does not redirect", [other])


def _identity(url: str) -> str:
    """Return a URL without its scheme: some servers answer http and https alike by design."""
    parts = split_url(url)
    return f"{parts.netloc}{parts.path}{parts.query}"


def _slow(observations: Observations) -> Iterator[Evidence]:
    times = [
        answer.ttfb_ms for answer in observations.group(Group.SAME) if answer.ttfb_ms is not None and answer.is_read
    ]
    if times and statistics.median(times) > SLOW_MS:
        text = f"{statistics.median(times) / 1000:,.1f} s to the first byte (median of {len(times)})"
        yield Evidence(Severity.WARNING, text, observations.group(Group.SAME))


def _cache_age(observations: Observations) -> Iterator[Evidence]:
    old = [
        answer
        for answer in observations.of_address
        if (age := answer.headers.get("age", "")).isdecimal() and len(age) < 12 and int(age) > OLD_SECONDS
    ]
    if old:
        days = max(int(answer.headers["age"]) for answer in old) // 86_400
        yield Evidence(
            Severity.WARNING, f"the copy that a cache sends is {quantity(days, 'day')} old (header Age)", old
        )


CAUSES: tuple[Cause, ...] = (
    Cause(
        "certificate",
        "The TLS certificate is not accepted",
        "Install the full chain: the certificate of the host, then each intermediate certificate.",
        _certificate,
        "https://developers.google.com/search/docs/crawling-indexing/https-pages",
    ),
    Cause(
        "unreachable",
        "The server cannot be reached",
        "Check the name, the port, and the firewall of the server.",
        _unreachable,
        GOOGLE_STATUS,
    ),
    Cause(
        "challenge",
        "A bot challenge blocks crawlers",
        "Exempt sitemaps and robots.txt from the challenge, and allow verified crawlers in the firewall.",
        _challenge,
        "https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/",
    ),
    Cause(
        "consent",
        "A consent page or required cookie blocks crawlers",
        "Respond without a cookie: crawlers do not send any back.",
        _consent,
        "https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript",
    ),
    Cause(
        "redirect-loop",
        "Redirects loop, are invalid, or are too many",
        "Remove the redirects, and submit the final URL.",
        _redirect_loop,
        GOOGLE_STATUS,
    ),
    Cause(
        "user-agent",
        "Access depends on the user agent",
        "Allow the crawler in the firewall, by its IP addresses, since anyone can send its user agent.",
        _user_agent,
        "https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests",
    ),
    Cause(
        "intermittent",
        "Some requests fail",
        "Look for the failures in the logs of the server: rate or memory limits, or one faulty server of several.",
        _intermittent,
        GOOGLE_STATUS,
    ),
    Cause("login", "A password is required", "Make the URL public.", _login, GOOGLE_STATUS),
    Cause(
        "payment",
        "Crawlers have to pay",
        "Exempt the crawlers that should read it for free.",
        _payment,
        "https://developers.cloudflare.com/ai-crawl-control/features/pay-per-crawl/",
    ),
    Cause(
        "refused",
        "The URL does not exist or is refused",
        "Publish it, or submit another URL.",
        _refused,
        GOOGLE_STATUS,
    ),
    Cause(
        "server-error",
        "The server fails",
        "Look for the error in the logs of the server.",
        _server_error,
        GOOGLE_STATUS,
    ),
    Cause(
        "robots",
        "robots.txt blocks the URL",
        "Allow it in robots.txt: a sitemap that is disallowed is not read.",
        _robots,
        GOOGLE_ROBOTS,
    ),
    Cause(
        "not-modified",
        "“Not modified” is returned for the wrong requests",
        "Return 304 only if the request has the current ETag or date; check the cache in front of the server.",
        _not_modified,
        f"{HTTP}#section-15.4.5",
    ),
    Cause(
        "empty",
        "The response is empty",
        "Send the content, or a status that says why there is none.",
        _empty,
        GOOGLE_STATUS,
    ),
    Cause(
        "web-page",
        "A web page is returned instead of the sitemap",
        "Serve the file before the rule that answers everything with the app, and return 404 for what does not exist.",
        _fallback,
        GOOGLE_SITEMAPS,
    ),
    Cause(
        "encoding",
        "Compression is wrong",
        "Compress what is declared, and only as the request accepts it.",
        _encoding,
        f"{HTTP}#section-12.5.3",
    ),
    Cause(
        "http",
        "The response violates HTTP",
        "Repair what writes the headers: crawlers may drop the response.",
        _http,
        f"{HTTP}#section-5",
    ),
    Cause(
        "content-length",
        "The length of the response is wrong",
        "Let the server count the bytes that it sends, after compression.",
        _length,
        f"{HTTP}#section-8.6",
    ),
    Cause("too-large", "The sitemap is too large", "Split it, and list the parts in an index.", _size, GOOGLE_SITEMAPS),
    Cause("ipv6", "The response over IPv6 differs", "Repair the server behind the AAAA record, or remove it.", _ipv6),
    Cause(
        "http2", "The response over HTTP/2 differs", "Repair HTTP/2 in the server or the proxy, or turn it off.", _http2
    ),
    Cause(
        "content-type",
        "Content-Type does not match the content",
        "Send `Content-Type: application/xml`.",
        _content_type,
        "https://www.rfc-editor.org/rfc/rfc7303",
    ),
    Cause(
        "charset",
        "Content-Type and the document name different encodings",
        "Send `charset=utf-8`, or no charset.",
        _charset,
        "https://www.rfc-editor.org/rfc/rfc7303#section-3",
    ),
    Cause(
        "cache-age",
        "A cache sends an old copy",
        "Purge sitemaps from the cache when they change, or let them expire within a day.",
        _cache_age,
        "https://www.rfc-editor.org/rfc/rfc9111#section-5.1",
    ),
    Cause(
        "slow", "The response is slow", "Write sitemaps ahead of time, and serve them as files.", _slow, GOOGLE_STATUS
    ),
    Cause(
        "different-content",
        "Crawlers get different content",
        "Serve the same sitemap to all clients.",
        _different,
        "https://developers.google.com/search/docs/essentials/spam-policies#cloaking",
    ),
    Cause("redirects", "The URL redirects", "Submit and list the final URL.", _redirects, GOOGLE_STATUS),
    Cause(
        "noindex",
        "X-Robots-Tag forbids indexing",
        "Remove the header where it is not meant.",
        _noindex,
        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
    ),
    Cause(
        "head",
        "HEAD and GET have different responses",
        "Respond to HEAD as to GET, without the body.",
        _head,
        f"{HTTP}#section-9.3.2",
    ),
    Cause(
        "range", "Requests for a part fail", "Ignore the header Range, or return 206.", _range, f"{HTTP}#section-14.2"
    ),
    Cause(
        "addresses",
        "Several URLs have the page",
        "Redirect all but one.",
        _addresses,
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    ),
)
"""Every cause, the most likely first among equals."""

UNKNOWN = (
    "whether your firewall allows the IP addresses of Google and Bing: their user agents were sent from this machine",
    "when they will fetch it again; “Couldn't fetch” can remain for days after a first submission",
)
"""Limits of this check, as notes."""
