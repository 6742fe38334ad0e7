"""Validation against the official schemas with libxml2, as a second opinion. Only this package uses lxml."""
