"""Runs scenarios: connects decider, pool, log and clock.

run         `run` and `resume`: from scenario to winner
build       race or search, pool and header, from a scenario
loop        the one loop that drives a race or a search
preflight   checks before a run begins or resumes
warm_start  limits of an extension; a run that starts from the best of earlier ones
progress    the progress line, on a terminal or in a notebook
messages    log messages of the loop
notify      the user's command at the end of a run
"""
