"""Decides what is new about a site, and tells it: webhooks, Apprise, an Atom feed, and OpenMetrics."""
