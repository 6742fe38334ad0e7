"""The JSON of `notify` and `notify key`."""

from __future__ import annotations

from urlset.model.notification import NewKey, NotifyResult
from urlset.report.json_objects import Members, Output

MEMBERS: Members = {
    "NotifyResult": (
        "outcome", "reason", "urls", "accepted", "accepted_before=already", "listed", "found", "not_sent", "altered",
        "hosts", "endpoints", "examples", "ledger",
    ),
}  # fmt: skip

NOTIFY: Output[NotifyResult] = Output(
    "notify", "What changed, what was sent with IndexNow, and what was not.", "notification.NotifyResult"
)
KEY: Output[NewKey] = Output("notify key", "The key for IndexNow, and its file.", "notification.NewKey")
