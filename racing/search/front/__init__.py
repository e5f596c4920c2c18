"""A search for a Pareto front: the phases of a search, with other elites, tests and last runs.

    elites: none dominates another; of too many, one of the two nearest leaves    elites.py
    parents are drawn evenly from them, or mixed of two                           ../sampler.py
    a challenger is dropped if some elite is likely better in all metrics         elites.py
    at the end all elites run on new instances
    the front and the default on fresh instances                                 confirmation.py
    gains in all metrics, with simultaneous intervals                             confirmation.py

`Settings.for_front` has its numbers.
"""
