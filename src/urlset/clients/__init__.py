"""Ask for an address in the ways that crawlers ask, and name what stops them from reading it.

`requests.py` lists the ways, `send.py` sends them, and `causes.py` says what the answers mean.
"""
