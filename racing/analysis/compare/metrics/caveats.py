"""What to keep in mind about a comparison by several metrics, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from racing.analysis.compare.words import count, listed

Facts = Mapping[str, Any]

SAY: Mapping[str, Callable[[Facts], str]] = MappingProxyType(
    {
        "assumed-directions": lambda f: (
            f"Lower is taken to be better in {listed(f['metrics'])}; where higher is, say so "
            "(--metric NAME:maximize=FILE)."
        ),
        "few-for-means": lambda f: (
            f"With {count(f['instances'], 'instance')} intervals and probabilities are rough."
        ),
        "one-look": lambda _: (
            "The statements are for one look at finished results. To look again and again, and to "
            "leave out what is dominated so far, adds up errors and loses members of the front: "
            "race instead."
        ),
        "means": lambda _: (
            "Means let instances with large values count most. Intervals of means hold one by one, "
            "and have in them how much instances differ; P and the statements do not, because "
            "all algorithms ran on the same instances."
        ),
    }
)
