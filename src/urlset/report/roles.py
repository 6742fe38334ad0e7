"""The colors of severities and of the steps of a check."""

from __future__ import annotations

from urlset.model.specification import Status
from urlset.report.paint import Role
from urlset.rules.rule import Severity

SEVERITY_ROLES: dict[Severity, Role] = {
    Severity.ERROR: Role.ERROR,
    Severity.WARNING: Role.WARNING,
    Severity.INFO: Role.INFO,
    Severity.HINT: Role.HINT,
}

STATUS_ROLES: dict[Status, Role] = {
    Status.PASS: Role.GOOD,
    Status.WARN: Role.WARNING,
    Status.FAIL: Role.ERROR,
    Status.NOT_RUN: Role.FAINT,
}
