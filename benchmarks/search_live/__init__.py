"""Searches beside irace 3.5, Optuna and SMAC3 on live targets.

targets.py       clasp, HGS-CVRP and SciPy's differential evolution, each with its space
functions.py     what differential evolution minimises
meter.py         counts evaluations, and the time that they take
contenders.py    the searches, each from a target and a budget to a configuration
irace_r.py       irace in R, whose target runner asks this process
smac3.py         SMAC3, if it is there
measure.py       one search, held to the default on held-back instances; stored as CSV
tables.py        the table, with the project's own tests
equal_time.py    eight workers on sleeping targets: what share of irace's time is needed
"""
