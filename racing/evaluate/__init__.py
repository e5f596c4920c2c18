"""Targets, single evaluations, and the pools that run many of them.

Targets, and their answers:

function, resolve              Python functions, and how they are imported
coroutine, event_loop          async functions, and the loop in which a process runs them
command, template, start       programs: their command lines, and errors at the start
process, ended                 one run of a program, within limits, and what its end means
score, several                 reads answers: a cost, or several metrics
attempt                        one start of a target, with its result
shortage                       what is missing to start one, and how long it is waited for
retry, waits, rate             services that are busy, and limits on the rate of calls
alarm, stops, surroundings     time limits of functions; pauses of this process; global state

Pools, from an experiment to its outcome:

evaluator, task                attempts and retries of one experiment
protocol, pool                 what a pool is; opens the pool of an engine
worker, workers, work          one experiment at a time for each worker; the backlog
engines                        brings experiments to workers, one engine per file
packing                        pickles work for other processes
groups, family, watchdog       ends all processes, also if this one is killed
"""
