"""A laboratory for racing rules: races replayed over generators and measured matrices.

    worlds.py    where costs come from: generators, and matrices in random order
    replay.py    one race over a matrix, without the machinery around it
    measure.py   thousands of them, in parallel, with standard errors
    families.py  the named worlds: which the parameters were chosen on, and which are reported
    budgets.py   the same budget for every rule
    levels.py    worlds of right and wrong, few levels of cost, rare failures
    answers.py   budgets on these, beside the baselines of bandits.py
    heavy.py     choices by estimated means
    merging.py   what it costs to leave equals in the race
    looks.py     seconds per look of the default rule
    tables.py    the tables of the documents, each a command

`python -m benchmarks.racing_lab --help` lists the commands.
"""
