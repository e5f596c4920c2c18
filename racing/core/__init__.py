"""The basic types that rules, races, searches, logs and reports share.

candidate, budget, experiment           configurations, limits, and runs: experiment → outcome
instances                               the stream of instances, each with its seed
results, field, means                   the matrix of costs; ranks, wins and means from it
failures                                what a failure counts as
objective, standing                     the order of the candidates, best first
metric, formula, aims, goal             several metrics, and an objective over them
fronts, constraints                     Pareto fronts, and limits on metrics
verdict                                 the decision of a rule: eliminations, with their evidence
stop                                    why a race or a search ended
evidence                                the probability that the best is worse than the default
decider, ask_tell                       the protocol of races and searches, and their common base
view                                    what progress and reports read of a race or a search
"""
