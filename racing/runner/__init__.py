"""Runs scenarios: connects decider, pool, log and clock.

run         `run` and `resume`: from scenario to winner
build       race or search, pool and header, from a scenario
loop        the one loop that drives a race or a search
preflight   checks before a run begins or resumes
warm_start  limits of an extension; a run that starts from the best of earlier ones
reuse       outcomes of earlier logs, for a run that names them
known_seeds the seeds of such a run, by instance
progress    the progress line, on a terminal or in a notebook, or as lines of JSON
edited      what differs between a log and its scenario file, edited since
messages    log messages of the loop
notify      the user's command at the end of a run
"""
