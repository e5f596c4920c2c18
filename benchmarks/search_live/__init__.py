"""Searches beside irace 3.5, Optuna and SMAC3 on live targets.

targets.py       what is tuned: clasp, HGS-CVRP, differential evolution, HiGHS and CP-SAT
functions.py     what differential evolution minimises
solvers.py       HiGHS and CP-SAT, with their spaces and instances
meter.py         counts evaluations, and the time that they take
contenders.py    the searches, each from a target and a budget to a configuration
irace_r.py       irace in R, whose target runner asks this process
smac3.py         SMAC3, if it is there
measure.py       one search, held to the default on held-back instances; stored as CSV
errors.py        errors over seeds and instances
tables.py        the table, with the project's own tests
glance.py        README's table
equal_time.py    eight workers on sleeping targets: what share of irace's time is needed
"""
