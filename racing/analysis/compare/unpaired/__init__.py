"""Which algorithms differ, from unpaired runs, such as thirty of each with different seeds?

table, files, arrays                       runs by problem and algorithm, checked
choices                                    which tests are made
omnibus, pairs, posterior                  the tests by name, over racing.stats
comparison, procedure                      all of it as data; `compare_runs` makes it
notes, caveats                             what to keep in mind
report, json_data                          a document, plain data

Everything else is shared with paired tables: `racing.analysis.compare` has it.
"""
