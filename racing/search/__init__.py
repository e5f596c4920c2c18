"""One search, as ask / tell: no I/O, no clock, no pool.

search.py        the search itself: from part to part
arguments.py     what it is made of, checked
settings.py      the numbers, each with what it does
rules.py         what stays the same for all decisions
phase.py         what every part is, and what the parts share

coding.py        configurations as points, each given out once
design.py        known configurations, the default, a Sobol sequence
initial.py       the first part: halving over the first instances
agreement.py     how far instances agree, which says how many these are
running.py       the main part: decisions on challengers, applied in order
window.py        the challengers under way
flight.py        one challenger on its way
challenger.py    the screening rule
screening.py     verdicts on a challenger under way
rows.py          new instances for the elites
elites.py        who are the best
decision.py      verdicts
history.py       what was decided, for models that learn from it
state.py         what a draw and a test may read
finish.py        the elites race on, without challengers
confirmation.py  the winner and the default on instances that chose nobody
gain.py          what that says
plain.py         a plain race, where there is too little for a search

model/           where challengers are drawn; one model a file
iterated/        iterated racing as irace does it, in place of all this; one step a file

plan.py          what a search is going to do with its budget
simulate.py      a search on a made-up target with a made-up clock

book.py          candidates, outcomes, what is wanted
tasks.py         hands out experiments, each once
ledger.py        what is spent, in the order of decisions
scores.py        costs as scores that may be averaged
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racing.search.gain import Gain
    from racing.search.iterated import IteratedRacing, IteratedSettings
    from racing.search.model import Cooled, Forest, Model, Proposal
    from racing.search.search import Search
    from racing.search.settings import Settings

__all__ = [
    "Cooled",
    "Forest",
    "Gain",
    "IteratedRacing",
    "IteratedSettings",
    "Model",
    "Proposal",
    "Search",
    "Settings",
]

_HOME = {
    "Gain": "gain",
    "IteratedRacing": "iterated",
    "IteratedSettings": "iterated",
    "Search": "search",
    "Settings": "settings",
}  # the others are in model


def __getattr__(name: str) -> object:
    """A public name; a scenario needs no more than the settings of a search."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"racing.search.{_HOME.get(name, 'model')}"), name)
