"""Profiles: the shares of runs done by a time, and of problems within a factor of the best.

stopped                                    tables of times with a cutoff: stopped runs are failures
data                                       profiles of a table; `profiles` makes them
blocks, json_data                          as part of a document, as plain data
"""
