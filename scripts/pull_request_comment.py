"""Keeps one comment on a pull request up to date: the file that `urlset diff --format pr` wrote.

The action runs this script after `urlset diff`, and alone with `command: comment`, in a workflow that starts after the
workflow of a pull request from a fork (`workflow_run`). Such a file is untrusted. It is posted only if each of its
lines is one that urlset writes: fixed words, numbers, and code spans. The pull request is looked up by its commit; the
file cannot choose it. Only the standard library is needed.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

MARKER = "<!-- urlset -->"
"""First line of the comment, by which it is found again."""

NO_CHANGES = "**urlset:** no changes"

LARGEST = 60_000
"""Maximum bytes of the file."""

LARGEST_RESPONSE = 32 * 1024 * 1024

PER_PAGE, MAX_PAGES = 100, 50

SECONDS = 30

# https://spec.commonmark.org/0.31.2/#code-spans
SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)|\(empty\)")

OPENING = re.compile(
    r"<details><summary>(Pages that are no longer indexable|New findings|Removed URLs without a redirect|Removed URLs"
    r"|Added URLs|URLs in another spelling|Pages moved to another URL"
    r"|Renamed pages, which the sitemaps do not show|New pages in no sitemap"
    r"|Changes shared by many pages|Pages with other changes|Changed pages"
    r"|Changes in robots\.txt|llms\.txt files with changed links"
    r"|URLs with a changed lastmod|Sitemaps added to indexes|Sitemaps removed from indexes|Fixed findings"
    r"|Findings on pages that are no longer listed|Findings in fewer places"
    r"|Findings that were (no longer checked|not checked before)|Rules that ran only after"
    r"|Findings that are still there|Notes)"
    r": [\d,]+</summary>"
)
CLOSING = "</details>"
S = "\0"
"""Stands for each code span, while a line is compared."""

N = r"[\d,]+"
_COUNT = (
    rf"({N} (URLs? (added|removed|in another spelling|with a changed lastmod)"
    r"|findings? (new|fixed|in fewer places|on pages no longer listed|no longer checked|not checked before)"
    r"|pages? (changed|renamed|moved to another URL|no longer indexable)|new pages? in no sitemap)|robots\.txt changed)"
)
_NAME = (
    "(indexability|status|redirect|content type|robots directives|canonical|hreflang|title|main text|number of links"
    "|lastmod)"
)
_SHARED = (
    rf"{_NAME}: (changed \(([+-]\d+ words|same number of words)\)|[+-]\d+|{S} (added|removed)|{S} replaced by {S})"
    rf" on {N} of {N} pages?, such as {S}"
)
_CHANGE = (
    rf"({S} \(before: {S}\)|{_NAME}: (({S}|none) to ({S}|none)|\d+ to \d+|{N} to {N} words|changed(, still {N} words)?)"
    "|lastmod unchanged|no lastmod)"
)
_AVAILABILITY = "(readable|does not exist, so everything is allowed|unreachable, so nothing is allowed)"
_ROBOTS = (
    rf"({_AVAILABILITY} \(before: {_AVAILABILITY}\)|line (added|removed): {S}"
    rf"|(crawlers without a group of their own|{S}(,? (and )?({S}|{N} more))*) can (no longer|now) fetch {N} of {N}"
    rf" listed URLs?(, such as {S}( \(line \d+, Disallow: {S}\))?)?)"
)
_LINKS = rf"{N} (links? )?(added|removed)(, such as {S})?"
_ITEM = (
    f"({S}|{S} is no longer indexable: {S}(; the page is now {S})?"
    rf"|{S} was removed and does not redirect|{S}: {S}|{S}: {S} to {S}"
    rf"|{S} is now {S}(, and does not redirect)?|{_SHARED}|{S}: {_CHANGE}(; {_CHANGE})*|({S}: )?{_ROBOTS}"
    rf"|{S}: {_LINKS}(; {_LINKS})?"
    rf"|(error|warning|info|hint) [A-Z]{{2,8}}\d{{3}} in {S} \([\d,]+( to [\d,]+)?(, {S})?\): {S})"
)
LINE = re.compile(
    rf"|\*\*urlset:\*\* (no changes|{_COUNT}(,? (and )?{_COUNT})*)|(before|after): {S}"
    rf"|\d{{1,2}}\. {_ITEM}|- {_ITEM}|- … and [\d,]+ more"
)


class RefusedError(Exception):
    """The comment is not written, for this reason."""


class NotAllowedError(RefusedError):
    """The token must not write comments."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Does not send the token elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def request(method: str, path: str, fields: dict[str, str] | None = None) -> Any:
    """Return what the API of GitHub answers.

    Raises:
        RefusedError: It answers with an error, or not at all.
    """
    call = urllib.request.Request(
        os.environ.get("GITHUB_API_URL", "https://api.github.com") + path,
        None if fields is None else json.dumps(fields).encode(),
        {
            "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
            "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "urlset-action",
        },
        method=method,
    )
    what = f"{method} {urllib.parse.urlsplit(path).path}"
    try:
        with _OPENER.open(call, timeout=SECONDS) as response:
            content = response.read(LARGEST_RESPONSE)
            return json.loads(content) if content else None
    except urllib.error.HTTPError as error:
        kind = NotAllowedError if error.code == 403 and method != "GET" else RefusedError
        raise kind(f"{what} returns HTTP {error.code}") from error
    except (OSError, ValueError) as error:
        raise RefusedError(f"{what} failed: {error}") from error


def read_comment(path: Path) -> str:
    """Return the text of the file.

    Raises:
        RefusedError: It cannot be read, or is not what `urlset diff --format pr` writes.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        text = content.decode()
    except (OSError, ValueError) as error:
        raise RefusedError(f"{path.name} cannot be read: {error}") from error
    if len(content) > LARGEST:
        raise RefusedError(f"{path.name} is larger than {LARGEST:,} bytes")
    lines = text.removesuffix("\n").split("\n")
    is_open = False
    for number, (before, line, after) in enumerate(zip(["", *lines], lines, [*lines[1:], ""], strict=False), 1):
        if OPENING.fullmatch(line) or line == CLOSING:
            # What follows without an empty line is HTML: https://github.github.com/gfm/#html-blocks
            is_expected = is_open is (line == CLOSING) and not before and not after
            is_open = not is_open
        else:
            is_expected = line.isprintable() and bool(LINE.fullmatch(SPAN.sub(S, line)))
        if not is_expected:
            raise RefusedError(f"line {number} of {path.name} is not what `urlset diff --format pr` writes")
    return text.strip()


def pull_request(repository: str, event: dict[str, Any]) -> int:
    """Return the number of the pull request that the event is about.

    Raises:
        RefusedError: It is about none.
    """
    if "pull_request" in event:
        return int(event["pull_request"]["number"])
    run = event.get("workflow_run") or {}
    fork = run.get("head_repository")
    if run.get("event") != "pull_request" or not fork:
        raise RefusedError("the event is not about a pull request")
    # workflow_run.pull_requests is empty for forks.
    query = urllib.parse.urlencode(
        {"state": "open", "head": f"{fork['owner']['login']}:{run['head_branch']}", "per_page": PER_PAGE}
    )
    found = [
        one["number"]
        for one in request("GET", f"/repos/{repository}/pulls?{query}")
        if one["head"]["sha"] == run["head_sha"] and (one["head"]["repo"] or {}).get("id") == fork["id"]
    ]
    if len(found) != 1:
        many = f"{len(found)} open pull requests have" if found else "no open pull request has"
        raise RefusedError(f"{many} commit {run['head_sha']} as the newest")
    return int(found[0])


def own_comments(repository: str, number: int) -> list[dict[str, Any]]:
    """Return the comments of earlier runs. Comments of people that start alike are left alone."""
    own = []
    for page in range(1, MAX_PAGES + 1):
        path = f"/repos/{repository}/issues/{number}/comments?per_page={PER_PAGE}&page={page}"
        comments = request("GET", path)
        own += [
            one
            for one in comments
            if (one["user"] or {}).get("type") == "Bot" and (one["body"] or "").startswith(MARKER)
        ]
        if len(comments) < PER_PAGE:
            return own
    raise RefusedError(f"the pull request has more than {PER_PAGE * MAX_PAGES:,} comments")


def update(repository: str, number: int, text: str) -> str:
    """Create or update the comment, and return what was done. Without a change, the first comment is not created."""
    own = own_comments(repository, number)
    if not own and not text:
        return "nothing changed, and there is no comment"
    fields = {"body": f"{MARKER}\n{text or NO_CHANGES}"}
    if not own:
        request("POST", f"/repos/{repository}/issues/{number}/comments", fields)
        return "created the comment"
    # Two runs at the same time can each create one.
    for duplicate in own[1:]:
        request("DELETE", f"/repos/{repository}/issues/comments/{duplicate['id']}")
    if own[0]["body"].replace("\r\n", "\n").strip() == fields["body"]:
        return "the comment is up to date"
    request("PATCH", f"/repos/{repository}/issues/comments/{own[0]['id']}", fields)
    return "updated the comment"


def main(path: str) -> int:
    """Update the comment on the pull request of the event, and return the exit code."""
    repository = os.environ["GITHUB_REPOSITORY"]
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    try:
        text = read_comment(Path(path))
        number = pull_request(repository, event)
        print(f"pull request {number}: {update(repository, number, text)}")
    except NotAllowedError as reason:
        # Pull requests of forks and of Dependabot have a token that only reads.
        is_pull_request = "pull_request" in event
        print(
            f"::{'notice' if is_pull_request else 'error'}::no comment: {reason}. The job needs the permission "
            "pull-requests: write. For pull requests from forks, see docs/how-to/ci.md in the urlset repository."
        )
        return 0 if is_pull_request else 1
    except RefusedError as reason:
        print(f"::error::no comment: {' '.join(str(reason).split())}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
