"""Files of a site other than sitemaps: requests llms.txt, and decides whether robots.txt allows to request one.

They are documents of the report, so that findings are located in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.documents import DocumentFacts
from urlset.fetch import read_bytes
from urlset.fetch.reply import Reuse
from urlset.fetch.response import FetchError
from urlset.indexnow.keys import KeyFileProblem
from urlset.model.discovery import KeyWay, LlmsFile
from urlset.net.urlparts import published_at
from urlset.stages.outcomes import COUNTS
from urlset.store.site_files import KEY_FILE, LLMS_FILE, SERVED_FILE, SITE
from urlset.tables import KEY_FILES, SERVED, SITE_FAULTS
from urlset.web.llms_txt import MAX_LLMS_BYTES, is_html, parse_llms
from urlset.web.robots_txt import Availability

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from urlset._core import Table
    from urlset.fetch.client import Client
    from urlset.fetch.response import Response
    from urlset.model.finding import Finding
    from urlset.net.origin import Origin
    from urlset.options.probing import ProbingOptions
    from urlset.tables import Table as RowKind
    from urlset.web.robots_txt import Robots

DECLARATIONS = (KeyFileProblem.NOT_URL.value, KeyFileProblem.OTHER_HOST.value)
"""Problems of what declares a key file, which is then not requested."""

_KINDS = {KEY_FILES.name: KEY_FILE, SITE_FAULTS.name: SITE, SERVED.name: SERVED_FILE}

ACCEPT = "text/markdown, text/plain, */*;q=0.5"


class LlmsAnswer(NamedTuple):
    """The response to a request for an llms.txt.

    Attributes:
        file: The file; None if there is none. An HTML page in its place is a "not found" page.
        is_html: Whether the response is HTML; None without content.
    """

    answer: Response
    file: LlmsFile | None
    is_html: bool | None


async def request_llms(client: Client, url: str, via: Origin | None = None) -> LlmsAnswer:
    """Request an llms.txt.

    Args:
        via: The origin of the page that names it; None if it is at the root of a target.
    """
    answer = await client.get(url, via=via, max_bytes=MAX_LLMS_BYTES + 1, accept=ACCEPT, retries=0, reuse=Reuse.RUN)
    try:
        # What is too large is read up to the limit.
        is_usable = answer.is_success or answer.error_kind is FetchError.TOO_LARGE
        content = read_bytes(answer.content, MAX_LLMS_BYTES + 1) if is_usable and answer.content is not None else None
    finally:
        answer.close()
    if content is None:
        return LlmsAnswer(answer, None, None)
    if is_html(content):
        return LlmsAnswer(answer, None, True)
    return LlmsAnswer(answer, LlmsFile(answer.final_url, parse_llms(content)), False)


async def find_llms(client: Client, origin: str) -> LlmsFile | None:
    """Return the llms.txt at the root of a site; None if it does not exist.

    Args:
        origin: Scheme, host, and port.
    """
    return (await request_llms(client, f"{origin}/llms.txt")).file


def may_request(robots: Robots, url: str, options: ProbingOptions) -> bool:
    """Return whether a robots.txt allows urlset to request a URL that it applies to, or the user does."""
    if robots.availability is Availability.UNREACHABLE:
        return False
    return options.ask_forbidden or robots.is_allowed(options.robots_agent, url)


class SiteFiles:
    """Numbers these files as documents after those of the run."""

    def __init__(self, documents: Iterable[Mapping[str, object]]) -> None:
        numbers = (number for row in documents if isinstance(number := row["document_id"], int))
        self._next = max(numbers, default=-1) + 1
        self._files: dict[str, DocumentFacts] = {}

    def locate_rows(self, kind: RowKind, rows: Table) -> Table:
        """Return rows about these files with the files as their documents, instead of the robots.txt of the site.

        A key file that was not requested has no place of its own; the page that declares it is the document. Rows of
        `served` name their file.
        """
        located = rows.to_dicts()
        for row in located:
            place = row.get("file") or (row["url"] if row.get("problem") not in DECLARATIONS else row["page"])
            if place is not None and not (row.get("problem") in DECLARATIONS and row["declared_by"] == KeyWay.ROBOTS):
                row["document_id"] = self._number(str(place), _KINDS.get(kind.name, LLMS_FILE))
                if kind is KEY_FILES:
                    # These are the place in robots.txt.
                    row["line"] = row["col"] = None
        return _core.Table.from_rows([(column.name, column.type) for column in kind.columns], located)

    def documents(self, findings: Iterable[Finding], also: Iterable[str] = ()) -> list[DocumentFacts]:
        """Return the rows of `documents` of the files that findings are located in.

        Args:
            also: URLs of served files to return without findings, too.
        """
        numbers = {finding.document_id for finding in findings} | {self._number(url, SERVED_FILE) for url in also}
        return [facts for facts in self._files.values() if facts["document_id"] in numbers]

    def _number(self, url: str, kind: str) -> int:
        if url not in self._files:
            number = self._next + len(self._files)
            facts = {"document_id": number, "url": url, "kind": kind, "depth": 0, "complete": True, **published_at(url)}
            self._files[url] = DocumentFacts(dict.fromkeys((*COUNTS, "bytes", "wire_bytes"), 0) | facts)
        return int(self._files[url]["document_id"])
