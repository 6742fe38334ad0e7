"""Adapters for web frameworks: `django`, `wsgi`, `asgi`. Each is imported on use."""
