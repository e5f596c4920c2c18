"""Finished algorithms by several metrics at once: what is good, what is fast, and what is neither.

agreement                tables of several metrics about the same algorithms and instances
comparison, procedure    all of it as data; `compare_metrics` makes it
report, json_data        a document, plain data
caveats                  what to keep in mind

Everything else is shared with paired tables: `racing.analysis.compare` has it.
"""
