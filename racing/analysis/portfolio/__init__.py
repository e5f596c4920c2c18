"""Teams: candidates that complement each other, chosen from the logs of runs.

table       the costs that logs know, as one matrix
scores      costs → scores, where a cell that was not run is never better than it may be
team        the best team of k, and what each member adds: pure functions on arrays
crossfit    what a team is worth on instances that did not choose it, and how many members it needs
by_family   a candidate for each family of instances
choice      all of it, from logs to a team
filling     which cells to run so that the choice may change, by ask and tell
potential   how much a run of a cell may change
fill        the same with a target and a log
unseen      a team on instances that the run has not seen
"""

from racing.analysis.portfolio.choice import Member, Portfolio, portfolio

__all__ = ["Member", "Portfolio", "portfolio"]
