"""Adapters to where a user already is: `django`, `wsgi`, `asgi`, `scrapy`. Each is imported on use."""
