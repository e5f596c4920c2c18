"""Explains a winner: the changes behind its gain, important parameters, unexplored regions.

`racing.analysis.explain.explanation.explain` takes the log of a run through all of it:

    explanation   reads the run's log; begins, resumes or reads an ablation; the result

This calls what is pure, and knows nothing of logs:

    ablation      a path from one configuration to another, each step raced (a `Decider`)
    model         outcomes of many configurations → one value for each → a random forest
    importance    functional analysis of variance, and importance near one configuration
    regions       where runs fail, and where nothing was tried
"""
