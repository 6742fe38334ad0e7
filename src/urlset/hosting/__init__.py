"""A directory as static hosts serve it: the file that answers a URL, and the redirects and headers of their files.

`hosts.py` is the table of hosts, `published_files.py` lists the files of a directory, one module per format reads the
configuration of a host, and `site.py` answers URLs. Nothing here uses the network.
"""
