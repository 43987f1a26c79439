"""HTML and sources, written from what was decided. Not called ``render``: that is the function's name."""

OWN = "citelint-"
"""What ids and classes that citelint itself writes begin with."""
