"""The JSON of `check --clients`, `robots --policy`, and `key new`."""

from __future__ import annotations

from urlset.model.client_check import ClientCheck
from urlset.model.policy import PolicyReport
from urlset.model.signing import NewSigningKey
from urlset.report.json_objects import Output

CLIENTS: Output[ClientCheck] = Output(
    "check --clients", "What an address answers to crawlers, and what stops them.", "client_check.ClientCheck"
)
POLICY: Output[PolicyReport] = Output(
    "robots --policy", "What a site declares to crawlers, and what it answers to them.", "policy.PolicyReport"
)
SIGNING_KEY: Output[NewSigningKey] = Output(
    "key new", "The key that was made, without its private part.", "signing.NewSigningKey"
)
