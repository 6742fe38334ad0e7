"""The colors of the steps of a check."""

from __future__ import annotations

from urlset.model.specification import Status
from urlset.report.paint import Role

STATUS_ROLES: dict[Status, Role] = {
    Status.PASS: Role.GOOD,
    Status.WARN: Role.WARNING,
    Status.FAIL: Role.ERROR,
    Status.NOT_RUN: Role.FAINT,
}
