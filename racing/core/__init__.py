"""The basic types that rules, races, searches, logs and reports share.

candidate, budget, experiment   configurations, limits, and runs: experiment → outcome
instances                       the stream of instances, each with its seed
results, field, wins, means     the matrix of costs; ranks, wins and mean costs computed from it
objective, standing the order of the candidates, best first
verdict the decision of a rule: eliminations, with their evidence
stop why a race or a search ended decider, ask_tell the protocol of races and searches, and their
common base view what progress and reports read of a race or a search notebook the display of a race
or a search in a notebook
"""
