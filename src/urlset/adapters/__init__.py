"""Adapters for web frameworks and Scrapy: `django`, `wsgi`, `asgi`, `scrapy`. Each is imported on use."""
