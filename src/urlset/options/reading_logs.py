"""Options for reading access logs."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from urlset.errors import UsageError
from urlset.net.origin import Origin, origin_of
from urlset.options.convert import hint
from urlset.options.declare import PER_RUN, OptionFacts, OptionGroup, Panel, Text, option, option_group
from urlset.options.judging import AdjustedRuleOptions
from urlset.options.storing import StorePlaceOptions
from urlset.options.values import earlier_time
from urlset.text.sizes import enumeration


class LogFormat(StrEnum):
    """Formats of access logs."""

    AUTO = "auto"
    COMMON = "common"
    COMBINED = "combined"
    W3C = "w3c"
    CLOUDFRONT = "cloudfront"
    ALB = "alb"
    CLOUDFLARE = "cloudflare"
    HAPROXY = "haproxy"
    JSON = "json"
    CUSTOM = "custom"
    """A pattern describes the lines."""


LOG_FORMATS = tuple(known.value for known in LogFormat if known not in (LogFormat.AUTO, LogFormat.CUSTOM))
"""The formats with a name."""

LOG_FIELDS = (
    "time", "date", "client", "forwarded", "host", "scheme", "url", "query", "request", "status", "bytes", "agent",
)  # fmt: skip
"""What a field of a log can be."""


@option_group(panel=Panel.LOGS)
class LogOptions(OptionGroup):
    """How the access logs of a site are read."""

    TABLE: ClassVar[str] = "logs"

    site: Text | None = option(
        None,
        OptionFacts(
            help="Keep only requests for this site; also the site of logs without host names",
            metavar="URL",
            example='"https://example.com"',
        ),
    )
    log_format: Text = option(
        LogFormat.AUTO.value,
        OptionFacts(
            help=f"Format of the logs: auto, {', '.join(LOG_FORMATS)}, or a pattern",
            metavar="FORMAT",
            example='"combined"',
            more="auto decides by the first lines of each log. A pattern names the fields of a line as GoAccess "
            "(%h %t), Apache, or nginx ($remote_addr) do.",
        ),
    )
    log_fields: tuple[Text, ...] = option(
        (),
        OptionFacts(
            help="What a JSON or W3C log calls a field: FIELD=NAME; can be repeated",
            metavar="FIELD=NAME",
            example='["client=ip", "url=request.uri", "agent=headers.user-agent"]',
            commas=True,
            spelling="fields",
            more=f"The fields are {enumeration(LOG_FIELDS)}. Dots separate the names of nested objects.",
        ),
    )
    ranges: Path | None = option(
        None,
        OptionFacts(
            help="Directory with the lists of IP addresses that operators of crawlers publish, as JSON files",
            metavar="DIR",
            example='"ranges"',
            is_place=True,
        ),
    )
    dns: bool = option(
        False,
        OptionFacts(
            help="Verify crawlers by DNS: reverse lookup, then forward lookup",
            example="true",
        ),
    )

    def check(self) -> None:
        if self.site is not None:
            self.origin()
        self.names()
        if not self.has_pattern and self.log_format not in (LogFormat.AUTO, *LOG_FORMATS):
            near = hint(self.log_format, LOG_FORMATS)
            raise UsageError(
                f"log-format: must be auto, {', '.join(LOG_FORMATS)}, or a pattern such as '%h [%x] \"%r\" %s', not "
                f"{self.log_format!r}{near}"
            )

    @property
    def has_pattern(self) -> bool:
        """Whether a pattern describes the lines."""
        return "%" in self.log_format or "$" in self.log_format

    def origin(self) -> Origin | None:
        """Return the origin of the site; None if all sites are wanted.

        Raises:
            UsageError: It is not a URL of a site.
        """
        if self.site is None:
            return None
        origin = origin_of(self.site if "://" in self.site else f"https://{self.site}")
        if origin is None:
            raise UsageError(f"site: must be a URL such as https://example.com, not {self.site!r}")
        return origin

    def names(self) -> list[tuple[str, str]]:
        """Return the fields that the user names: the name in the log, and what it is.

        Raises:
            UsageError: A field is unknown, or has no name.
        """
        names = []
        for pair in self.log_fields:
            field, _, name = pair.partition("=")
            if field not in LOG_FIELDS or not name:
                raise UsageError(f"fields: must be FIELD=NAME with one of {', '.join(LOG_FIELDS)}, not {pair!r}")
            names.append((name, field))
        return names


@option_group(faces=PER_RUN)
class LogsOptions(StorePlaceOptions, LogOptions, AdjustedRuleOptions):
    """Options of `logs`."""

    since: Text | None = option(
        None,
        OptionFacts(
            help="Skip requests before this date, or before this much time ago, such as 30d, 12h, or 4w",
            panel=Panel.LOGS,
            metavar="WHEN",
        ),
    )
    max_memory: Text | None = option(
        None,
        OptionFacts(
            rare=True,
            help="Maximum memory to compare the logs with a run before it spills to disk",
            panel=Panel.STORE,
            metavar="SIZE",
            default_text="a tenth of the machine's memory, from 128 to 320 MiB",
        ),
    )

    def check(self) -> None:
        self.start(datetime.now(UTC))

    def start(self, now: datetime) -> datetime | None:
        """Return when the first requests to keep were made; None for all.

        Raises:
            UsageError: `since` is neither a date nor a period.
        """
        return None if self.since is None else earlier_time("since", self.since, now)
