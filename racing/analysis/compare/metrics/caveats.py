"""What to keep in mind about a comparison by several metrics, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from racing.analysis.compare.words import count, listed

Facts = Mapping[str, Any]
_REPEATED = " (of repetitions on an instance, one failure is enough)"


def _the(algorithms: int) -> str:
    return "the algorithm" if algorithms == 1 else f"the {algorithms} algorithms"


SAY: Mapping[str, Callable[[Facts], str]] = MappingProxyType(
    {
        "assumed-directions": lambda f: (
            f"Lower is taken to be better in {listed(f['metrics'])}; where higher is, say so "
            "(--metric NAME:maximize=FILE)."
        ),
        "failed-runs": lambda f: (
            f"{count(f['runs'], 'run')} failed{_REPEATED if f['repeated'] else ''}. Front, knee "
            f"and P(on the front) are those of {_the(f['first'])} with the fewest failures, taken "
            "as they are. A failure has no value: means are over the instances on which an "
            "algorithm did not fail, and flatter one which fails where it is hard. In statements "
            "failures are one more metric, by the same draws, and the other metrics are compared "
            "on the instances on which both ran."
        ),
        "failed-elsewhere": lambda _: (
            "The algorithms with the fewest failures failed on different instances, so their means "
            "are of different instances, and the front is rough."
        ),
        "failures-disagree": lambda f: (
            f"The tables disagree about {count(f['runs'], 'failure')}: {f['example']}. A run that "
            "failed in one metric was counted as failed in all."
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
