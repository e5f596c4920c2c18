"""Teams: candidates that complement each other, chosen from the logs of runs.

table       the costs in logs, as one matrix
team        the best team of k, and what each member adds: pure functions on arrays
choice      all of it, from logs to a team, its cross-validated gain, how many members it needs,
            and a candidate for each family of instances
fill        which cells to run so that the choice may change, by ask and tell, and with a log
"""
