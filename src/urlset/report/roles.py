"""The colors of severities."""

from __future__ import annotations

from urlset.report.paint import Role
from urlset.rules.rule import Severity

SEVERITY_ROLES: dict[Severity, Role] = {
    Severity.ERROR: Role.ERROR,
    Severity.WARNING: Role.WARNING,
    Severity.INFO: Role.INFO,
    Severity.HINT: Role.HINT,
}
