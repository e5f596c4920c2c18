"""The analysis of finished runs and finished tables of results.

compare         which algorithms differ: tests, groups and words, from a table or a log
follow_up       the logs of evaluations after a run, beside it
explain         why the winner of a run is good: ablation, importance, unexplored regions
portfolio       which configurations complement each other
holdout         the winner against the default on instances that were held back
held_out_front  the front of a run against the default on such instances
"""
