"""Hosts that stand for the host of a site until somebody sets it: those of examples, themes, and single machines."""

from __future__ import annotations

import re

RESERVED = r"(^|[.])example([.](com|net|org|edu))?$"
"""A regular expression for the hosts that RFC 2606 reserves for examples. A site may be there for a test."""

UNSET = (
    r"^(www[.]|blog[.]|docs[.])?(your?|my)-?_?(own-?)?"
    r"(web-?)?(site|domain|host|page|blog|company|app|project|store|shop|username|name|org|docusaurus-(test-)?site)"
    r"(-?name|-?url|-?here)?([.](com|org|net|io|dev|de|co|app|github[.]io|netlify[.]app|example[.]com))?$"
    r"|^(www[.])?(username|user-?name|domain|yourusername|your-username)[.](com|github[.]io|gitlab[.]io)$"
    r"|^(www[.])?(replace|change)-?me([.]|$)"
)
"""A regular expression for the hosts that generators and themes have in their configuration until it is changed."""

PRIVATE = (
    r"^localhost$|[.](local|localhost|internal|test|invalid|lan)$"
    r"|^(0|10|127|192[.]168|172[.](1[6-9]|2[0-9]|3[01]))([.][0-9]+)+$|^\[::1\]$"
)
"""A regular expression for the hosts of one machine or network."""


def is_placeholder(host: str, *, also_reserved: bool) -> bool:
    """Return whether a host, in the form of `host_of`, stands for another one.

    Args:
        also_reserved: Whether the hosts that RFC 2606 reserves for examples count.

    Example:
        >>> [is_placeholder(host, also_reserved=False) for host in ("yoursite.com", "localhost", "example.com")]
        [True, True, False]
    """
    pattern = f"{UNSET}|{PRIVATE}" + (f"|{RESERVED}" if also_reserved else "")
    return re.search(pattern, host) is not None
