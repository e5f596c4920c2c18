"""The analysis of finished runs and finished tables of results.

compare         which algorithms differ: tests, groups and words, from a table or a log
follow_up       what they read of a run; evaluations after it, and their logs beside its own;
                `batches`, what these run
explain         why the winner of a run is good: ablation, importance, unexplored regions
portfolio       which configurations complement each other
use             configurations as text to be copied
unseen          a winner, a front or a team on problems that the run has not met; `trial` runs them
"""
