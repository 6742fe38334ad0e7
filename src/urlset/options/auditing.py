"""The options of an audit, and those that the configuration file can set."""

from __future__ import annotations

from dataclasses import dataclass

from urlset.options.probing import ProbingOptions
from urlset.options.reporting import ReportingOptions
from urlset.options.storing import StoringOptions
from urlset.options.verbs import ValidateOptions


@dataclass(frozen=True, kw_only=True)
class AuditOptions(ValidateOptions, ProbingOptions, StoringOptions):
    """Options of `audit`."""

    # An audit always reads robots.txt.
    robots: bool = True


@dataclass(frozen=True, kw_only=True)
class KeyedOptions(ReportingOptions, ProbingOptions, StoringOptions, ValidateOptions):
    """Every option that the configuration file can set outside of `[build]`."""
