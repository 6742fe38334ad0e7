"""Options for the network: timeouts, rate limits, proxies, TLS, authentication, and the HTTP cache."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from urlset.errors import UsageError
from urlset.options.declare import (
    EVERYWHERE,
    PER_RUN,
    SETTING,
    Face,
    Natural,
    OptionFacts,
    OptionGroup,
    Panel,
    Positive,
    PositiveNumber,
    Resume,
    Text,
    option,
    option_group,
)
from urlset.options.values import LARGEST

USER_AGENT = "urlset/0.1"
"""The default User-Agent header."""

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")


HeaderBytes = Annotated[int, Meta(ge=1024, le=LARGEST)]
"""With a lower limit, no response would fit."""


@option_group
class CacheOptions(OptionGroup):
    """The location of the HTTP cache."""

    cache_dir: Path | None = option(
        None,
        OptionFacts(
            faces=SETTING,
            resume=Resume.NEW,
            help="Directory of the HTTP cache",
            panel=Panel.NETWORK,
            metavar="DIR",
            example='".cache"',
            is_place=True,
            default_text="shown by `urlset cache`",
        ),
    )


def proxy_option(faces: frozenset[Face] = EVERYWHERE) -> Text | None:
    """Declare `--proxy`."""
    return option(
        None,
        OptionFacts(
            guards_secrets=True,
            rare=True,
            help="Proxy for all requests",
            metavar="URL",
            example='"http://proxy.example:3128"',
            has_user=True,
            default_text="HTTP_PROXY, HTTPS_PROXY, and NO_PROXY",
            faces=faces,
        ),
    )


def ca_bundle_option(faces: frozenset[Face] = EVERYWHERE) -> Path | None:
    """Declare `--ca-bundle`."""
    return option(
        None,
        OptionFacts(
            guards_secrets=True,
            rare=True,
            help="File of CA certificates to trust instead of the system's own",
            metavar="FILE",
            example='"certificates.pem"',
            is_place=True,
            faces=faces,
        ),
    )


@option_group(panel=Panel.NETWORK, resume=Resume.NEW)
class FetchingOptions(CacheOptions):
    """How URLs are fetched.

    Attributes:
        map: The previews that answer for sites. Only verbs that check sites before they are published have this option.
    """

    map: tuple[Text, ...] = ()

    rate: PositiveNumber | None = option(
        None,
        OptionFacts(
            help="Maximum requests per second and host",
            metavar="N",
            example="2",
        ),
    )
    concurrency: Positive = option(
        8,
        OptionFacts(
            rare=True,
            help="Maximum concurrent requests per host",
            metavar="N",
            example="4",
        ),
    )
    timeout: PositiveNumber = option(
        30.0,
        OptionFacts(
            help="Give up on a request after SECONDS, including retries",
            more="Redirects are included as well.",
            metavar="SECONDS",
            example="10",
        ),
    )
    connect_timeout: PositiveNumber = option(
        10.0,
        OptionFacts(
            faces=SETTING,
            help="Maximum time to resolve a name, connect, and negotiate TLS",
            metavar="SECONDS",
            example="5",
        ),
    )
    read_timeout: PositiveNumber = option(
        15.0,
        OptionFacts(
            faces=SETTING,
            help="Maximum time to wait for the next bytes of a response",
            metavar="SECONDS",
            example="5",
        ),
    )
    retries: Natural = option(
        2,
        OptionFacts(
            rare=True,
            help="Retry a failed request up to N times if the failure may be temporary",
            metavar="N",
            example="0",
        ),
    )
    max_redirects: Natural = option(
        10,
        OptionFacts(
            faces=SETTING,
            resume=Resume.KEPT,
            help="Maximum redirects to follow",
            metavar="N",
            example="3",
        ),
    )
    max_header_bytes: HeaderBytes = option(
        64 * 1024,
        OptionFacts(
            faces=SETTING,
            resume=Resume.KEPT,
            help="Maximum size of response headers",
            metavar="BYTES",
            example="16_384",
            default_text="64 KiB",
        ),
    )
    user_agent: Text = option(
        USER_AGENT,
        OptionFacts(
            resume=Resume.KEPT,
            rare=True,
            help="User-Agent header to send",
            metavar="TEXT",
            example='"Example check/1.0"',
        ),
    )
    header: tuple[Text, ...] = option(
        (),
        OptionFacts(
            rare=True,
            help="Send a header to the given hosts only; can be repeated",
            metavar="'NAME: VALUE'",
            example='["Accept-Language: de"]',
            secret=True,
        ),
    )
    auth: Text | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Authenticate to the given hosts only; URLSET_AUTH keeps the password out of the process list",
            metavar="USER:PASSWORD",
            example='"user:password"',
            envvar="URLSET_AUTH",
            secret=True,
        ),
    )
    sign: Path | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Sign requests to the given hosts with this key of `urlset key new` (Web Bot Auth)",
            metavar="KEY",
            is_place=True,
            faces=PER_RUN,
        ),
    )
    proxy: Text | None = proxy_option()
    ca_bundle: Path | None = ca_bundle_option()
    insecure: bool = option(
        False,
        OptionFacts(
            guards_secrets=True,
            rare=True,
            help="Do not verify TLS certificates",
            example="true",
        ),
    )
    cache: bool = option(
        True,
        OptionFacts(
            rare=True,
            help="Use the HTTP cache",
            without="Ignore and do not write the HTTP cache",
            example="false",
        ),
    )
    allow_private: bool = option(
        False,
        OptionFacts(
            guards_secrets=True,
            rare=True,
            help="Follow links to private and local addresses",
            example="true",
        ),
    )

    def check(self) -> None:
        # The messages omit the values, which can be secrets.
        if self.auth is not None and ":" not in self.auth:
            raise UsageError("auth: must be written as USER:PASSWORD")
        for name, value in (("User-Agent", self.user_agent), *self.headers):
            if not _HEADER_NAME.fullmatch(name):
                raise UsageError(f"header: {name!r} is not a valid header name")
            if not _HEADER_VALUE.fullmatch(value):
                raise UsageError(f"header: the value of {name} must be a single line")

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers as pairs of name and value.

        Raises:
            UsageError: One is not written as `Name: value`.
        """
        return tuple(map(_header, self.header))


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise UsageError("header: must be written as 'NAME: VALUE'")
    return name.strip(), value.strip()
