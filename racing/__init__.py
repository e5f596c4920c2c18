"""Algorithm configuration by racing.

Candidates are evaluated instance by instance, in parallel, and dropped as soon as a statistical
test shows that they are inferior, under a budget::

    racing.minimize(function, …)   the best configuration of a Python function, by race or search
    racing.run(scenario)           race from a scenario, or the path of one, to a winner
    racing.resume(log)             continue a run that was interrupted
    racing.Race(...)               the race itself, by ask and tell, for loops of your own
    racing.Search(...)             a search over a space of configurations, by ask and tell
    racing.IteratedRacing(...)     the same by iterated racing, as irace does it
    racing.rules, racing.stats     the elimination rules, and the statistics behind them
    racing.by_family(log)          the gain of a run's winner by family of instances
    racing.portfolio(logs)         a team of candidates that complement each other
    racing.compare(table)          which algorithms differ, from a finished table of results
    racing.compare_metrics(tables) which of them are good, which fast: by several metrics at once

Names are loaded when they are first used, so that `import racing` costs nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
