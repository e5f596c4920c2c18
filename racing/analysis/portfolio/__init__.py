"""Teams: candidates that complement each other, chosen from the logs of runs.

table       the costs in logs, as one matrix
team        what each member adds, which are enough, and scores without gaps
crossfit    what a choice is worth, by cross-validation, and how many members a team needs
choice      all of it, from logs to a team and a candidate for each family, in figures and in words
fill        which cells to run so that the choice may change, by ask and tell, and with a log
"""
