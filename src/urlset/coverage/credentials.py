"""Access tokens of Google, from a file with credentials. They are held in memory only.

`google-auth` makes and renews the tokens; urlset sends its requests, so that proxies, certificates, and the address
guard apply to them, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any

from urlset.coverage.responses import call
from urlset.errors import UsageError, reason_of, requiring_extra
from urlset.files.bounded import read_private
from urlset.files.structured import decode_json
from urlset.options.values import check_confidential
from urlset.text.safe import quote_message
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from urlset.fetch.fetcher import Fetcher

SCOPE = "https://www.googleapis.com/auth/webmasters.readonly"
"""Read access to Search Console: https://developers.google.com/webmaster-tools/v1/how-tos/authorizing"""

MAX_FILE_BYTES = MiB
"""Maximum size of a file with credentials, in bytes."""

EARLY = timedelta(minutes=5)
"""Time before the expiry of a token at which it is renewed."""

KINDS = ("service_account", "authorized_user")
"""Types of credentials. The others run programs, or request URLs that the file names."""


@dataclass(frozen=True, slots=True)
class _Reply:
    """A response as google-auth expects it."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class Account:
    """An account of Google. Thread-safe.

    Raises:
        MissingExtraError: google-auth is not installed.
        UsageError: The file has no credentials that urlset can use.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._credentials, self.token_url = _load(path)

    def headers(self, fetcher: Fetcher) -> dict[str, str]:
        """Return the headers that authorize a request, after renewing the token if necessary.

        Raises:
            UsageError: Google refuses the credentials, or cannot be reached.
        """
        with self._lock:
            expiry = self._credentials.expiry
            if not self._credentials.token or (expiry and expiry.replace(tzinfo=UTC) - EARLY < datetime.now(UTC)):
                self._renew(fetcher)
            return {"Authorization": f"Bearer {self._credentials.token}"}

    def renew(self, fetcher: Fetcher) -> None:
        """Get another token, since the API refused the last one; errors as for `headers`."""
        with self._lock:
            self._renew(fetcher)

    def _renew(self, fetcher: Fetcher) -> None:
        from google.auth.exceptions import GoogleAuthError

        def request(
            url: str,
            method: str = "GET",
            body: bytes | None = None,
            headers: Mapping[str, str] | None = None,
            **_: object,
        ) -> _Reply:
            return self._request(fetcher, url, method, body, headers or {})

        try:
            self._credentials.refresh(request)
        except (GoogleAuthError, ValueError, TypeError) as error:
            # Of a response that is no object, google-auth raises TypeError.
            raise UsageError(
                f"{self._path}: no access token from {self.token_url}: {quote_message(str(error))}"
            ) from None

    def _request(
        self, fetcher: Fetcher, url: str, method: str, body: bytes | None, headers: Mapping[str, str]
    ) -> _Reply:
        from google.auth.exceptions import TransportError

        if url != self.token_url:
            raise TransportError(f"unexpected request to {url}")  # type: ignore[no-untyped-call]
        answer, content = call(fetcher, method, url, headers, body)
        if answer.status is None:
            raise TransportError(answer.why_not)  # type: ignore[no-untyped-call]
        return _Reply(answer.status, answer.headers, content)


def _load(path: Path) -> tuple[Any, str]:
    """Return the credentials in a file, and the URL that issues their tokens."""
    with requiring_extra("google", "the API of Search Console requires"):
        from google.oauth2 import credentials, service_account
    try:
        facts = decode_json(read_private(path, MAX_FILE_BYTES))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {reason_of(error)}") from None
    except ValueError:
        raise UsageError(f"{path}: is not a JSON file with credentials of Google") from None
    kind = facts.get("type") if isinstance(facts, dict) else None
    if kind not in KINDS:
        raise UsageError(f"{path}: must be the JSON key of a service account, or credentials of `gcloud auth`")
    try:
        if kind == "service_account":
            account = service_account.Credentials.from_service_account_info(facts, scopes=[SCOPE])  # type: ignore[no-untyped-call]
        else:
            account = credentials.Credentials.from_authorized_user_info(facts, scopes=[SCOPE])  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, KeyError, AttributeError):
        # The message could quote a key.
        raise UsageError(f"{path}: the credentials are incomplete or damaged; download them again") from None
    token_url = str(facts["token_uri"]) if kind == "service_account" else str(account.token_uri)
    check_confidential(f"{path}: token_uri", token_url)
    return account, token_url
