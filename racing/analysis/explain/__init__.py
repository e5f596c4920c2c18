"""Explains a winner: the changes behind its gain, important parameters, unexplored regions.

`racing.analysis.explain.explanation.explain` takes the log of a run through all of it:

    source        what the run's log says: the winner, what it is compared with, the outcomes
    ablation_run  the ablation: begun, resumed, or read from the log beside that of the run
    model         the forest of all configurations, and the importance of parameters
    explanation   the result

These call what is pure, and knows nothing of logs:

    ablation      a path from one configuration to another, each step raced (a `Decider`)
    changes       which steps there are
    levels        outcomes of many configurations → one value for each
    forest        these values → a random forest
    importance    functional analysis of variance, and importance near one configuration
    regions       where runs fail, and where nothing was tried
"""
