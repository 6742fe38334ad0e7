"""The probe: listed pages asked for, and what they answer and say of themselves as rows of the table `pages`.

`directives.py` reads what pages tell crawlers, `facts.py` makes a row of an answer, `looking.py` asks for many pages.
`media.py` asks for listed images and thumbnails in the same way, `pictures.py` tells how large they are.
"""
