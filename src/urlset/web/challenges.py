"""Recognize pages with which firewalls and CDNs test a client, in place of the requested content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SIGNS = (
    ("Just a moment", re.compile(rb"<title>just a moment", re.IGNORECASE)),
    ("a Cloudflare challenge", re.compile(rb"/cdn-cgi/challenge-platform/")),
    ("an Imperva challenge", re.compile(rb"_Incapsula_Resource|incapsula incident", re.IGNORECASE)),
    ("a DataDome challenge", re.compile(rb"captcha-delivery\.com", re.IGNORECASE)),
    ("a PerimeterX challenge", re.compile(rb"px-captcha|_pxCaptcha", re.IGNORECASE)),
    (
        "an AWS challenge",
        re.compile(rb"awsWafCookieDomainList|challenge\.js\b.{0,80}awswaf", re.IGNORECASE | re.DOTALL),
    ),
    ("an Akamai challenge", re.compile(rb"/_sec/cp_challenge/", re.IGNORECASE)),
    ("a captcha", re.compile(rb"g-recaptcha|h-captcha|cf-turnstile|verify you are (?:a )?human", re.IGNORECASE)),
    (
        "Checking your browser",
        re.compile(rb"checking (?:if the site connection is secure|your browser)", re.IGNORECASE),
    ),
)
"""Signs of a challenge in a body, each with the name of the challenge."""


def declared_challenge(headers: Mapping[str, str]) -> str | None:
    """Return the name of the challenge that the headers of a response declare; None without one."""
    if headers.get("cf-mitigated") == "challenge":
        return "a Cloudflare challenge (cf-mitigated: challenge)"
    if (action := headers.get("x-amzn-waf-action")) in ("challenge", "captcha"):
        return f"an AWS challenge (x-amzn-waf-action: {action})"
    return None


def challenge_in_body(body: bytes) -> str | None:
    """Return the name of a challenge of which a body has a sign; None without one. Usual pages can have such signs."""
    return next((name for name, pattern in _SIGNS if pattern.search(body)), None)
