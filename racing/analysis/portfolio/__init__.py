"""Teams: candidates that complement each other, chosen from the logs of runs.

table       the costs in logs, as one matrix
scores      costs → scores, where a cell that was not run counts as the worst known
team        the best team of k, and what each member adds: pure functions on arrays
crossfit    the cross-validated gain of a team, and how many members it needs
by_family   a candidate for each family of instances
choice      all of it, from logs to a team
filling     which cells to run so that the choice may change, by ask and tell
potential   how much a run of a cell may change
fill        the same with a target and a log
as_often    what a team is held to on unseen problems, run as often there
"""
