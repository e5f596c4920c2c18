"""Iterated racing as in irace 4.4, an alternative to the continuous search.

    while the budget covers another race:
        configurations and evaluations of this race               planning.py
        new configurations around the elites                      newcomers.py
            by the sampling model of each elite                   model.py, drawing.py
        race them against the elites, instance by instance        iteration.py, terms.py
            bound running times, drop dominated ones              capping.py
        the best are the elites of the next race
    race the elites of all races with the rest                selection.py
    compare the best with the default on fresh instances         racing/search/confirmation.py

`iterated_racing.py` is the public class, `scheme.py` this loop, `settings.py` the options, each
with irace's name for it. If only time is limited, `estimation.py` comes first: it measures how long
an evaluation takes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from racing.search.iterated.iterated_racing import IteratedRacing
    from racing.search.iterated.settings import IteratedSettings

__all__ = ["IteratedRacing", "IteratedSettings"]

_HOME = {"IteratedRacing": "iterated_racing", "IteratedSettings": "settings"}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used; scenarios need only the settings."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"racing.search.iterated.{_HOME[name]}"), name)
