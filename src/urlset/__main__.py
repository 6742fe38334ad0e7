"""Lets `python -m urlset` do what `urlset` does."""

from urlset.cli.start import run

if __name__ == "__main__":
    run()
