"""Lets `python -m urlset` do what `urlset` does."""

from urlset.cli.main import run

if __name__ == "__main__":
    run()
