"""Targets, single evaluations, and the pools that run many of them.

Targets, and their answers:

function, resolve, checksum    Python functions: how they are imported, and told apart
event_loop                     the loop in which a process runs async functions
command, template, start       programs: their command lines, and errors at the start
process                        one run of a program, within limits
answers                        one start of a target, and its answer: a cost, or several metrics
shortage                       what is missing to start one, and how long it is waited for
alarm, stops, surroundings     time limits of functions; pauses of this process; global state

Pools, from an experiment to its outcome:

evaluator, task                attempts and retries of one experiment; services that are busy
work                           the protocols of work and of pools; work as bytes
pool                           opens the pool of an engine
workers                        one experiment at a time for each worker; the backlog
engines                        brings experiments to workers, one engine per file
groups, family, watchdog       ends all processes, also if this one is killed
"""
