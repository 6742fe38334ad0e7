"""Adapters to where a user already is: `django`, `wsgi`, `asgi`. Each is imported on use."""
