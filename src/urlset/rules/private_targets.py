"""SQL for targets that are not public: sites under development on private and staging hosts."""

from __future__ import annotations

from urlset.rules.queries import PLACE_OF_LOC, has_trait

PRIVATE_HOST = """(
            NOT regexp_matches(host, '[.:]')
            OR regexp_matches(host, '[.](local|localhost|internal|test|invalid)$')
            OR regexp_matches(host, '^(0|10|127|169[.]254|192[.]168|172[.](1[6-9]|2[0-9]|3[01]))([.][0-9]+)+$')
            OR regexp_matches(host, '^\\[(::1?|f[cd][0-9a-f][0-9a-f]:.*|fe[89ab][0-9a-f]:.*)\\]$')
        )"""
"""Whether the `host` of a document is not publicly reachable; a test compares it with the trait `private-host`."""

STAGING_HOST = "regexp_matches(host, '^(www[.])?(staging|stg|preprod|pre-prod|uat)[0-9]*[.][^.]+[.]')"
"""Whether the `host` of a document is named like a staging host; a test compares it with the trait `test-host`."""


def on_other_host(trait: str) -> str:
    """Return a query for entries whose host has a trait and is not the host of the document.

    Args:
        trait: The trait.
    """
    return f"""
        SELECT{PLACE_OF_LOC}, u.host AS value, len(d.sites) = 1 AS is_all
        FROM (SELECT * FROM urls WHERE {has_trait([trait])} AND loc_problem IS NULL) AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE d.host IS NULL OR d.host <> u.host
    """
