"""Iterated racing as in irace 4.4, an alternative to the continuous search.

    while the budget covers another race:
        configurations and evaluations of this race               planning.py
        new configurations around the elites                      newcomers.py
            by the sampling model of each elite
        race them against the elites, instance by instance        iteration.py
            bound running times, drop dominated ones              capping.py
        the best are the elites of the next race
    race the elites of all races with the rest                iteration.py
    compare the best with the default on fresh instances         racing/search/confirmation.py

`iterated_racing.py` is the public class with this loop, `settings.py` the options, each with
irace's name for it. If only time is limited, an estimation comes first: it measures how
long an evaluation takes.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
