"""Marks the names in sentences, so that every format can write them, whatever their characters."""

from __future__ import annotations

import re

_TICK = "\ue060"  # stands for a ` within a name, which would end it; of Unicode's private use
_MARKED = re.compile(r"`([^`]*)`")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def quoted(name: str) -> str:
    """A name between marks, printable."""
    return f"`{printable(name)}`"


def printable(text: str) -> str:
    """Text without marks; control characters and line ends become escapes."""
    seen = _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
    return seen.replace("`", _TICK)


def parts(words: str) -> list[str]:
    """Words and names alternately: the items at odd places are names."""
    return [part.replace(_TICK, "`") for part in _MARKED.split(words)]


def bare(words: str) -> str:
    """Words and names without marks."""
    return "".join(parts(words))
