"""Iterated racing as irace 4.4 does it, beside the continuous search.

scheme.py        the search itself: from race to race
settings.py      its options, each with the name that irace has for it

planning.py      how many races, and what each of them may spend
estimation.py    how long an evaluation takes, where only time is limited
terms.py         what the race of an iteration goes by
iteration.py     the race of one iteration
order.py         in which order it meets instances
capping.py       running times bounded by what the elites took
leaving.py       verdicts on who leaves without a test
selection.py     the last race, of the elites of all

generation.py    what is known between two races
shape.py         a space as the models see it
model.py         standard deviations and probabilities, from race to race
drawing.py       configurations drawn around the elites
restart.py       which of them are nearly the same
newcomers.py     the new configurations of a race
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racing.search.iterated.scheme import IteratedRacing
    from racing.search.iterated.settings import IteratedSettings

__all__ = ["IteratedRacing", "IteratedSettings"]

_HOME = {"IteratedRacing": "scheme", "IteratedSettings": "settings"}


def __getattr__(name: str) -> object:
    """A public name; a scenario needs no more than the settings."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"racing.search.iterated.{_HOME[name]}"), name)
