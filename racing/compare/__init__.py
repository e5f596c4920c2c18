"""Which algorithms differ? From a finished table of results to tests, groups and words.

table, cells, reading                  a table of scores, from arrays, CSV files and logs
choices                                which tests are run
omnibus, pairwise, sizes, posterior    the tests by name, over racing.stats
groups, notes                          what is drawn from them
comparison, procedure                  all of it as data; `compare` makes it
words, report, plain                   sentences, documents, plain data: nothing is computed
"""

from __future__ import annotations

from racing.compare.comparison import Comparison, Effects, Family, Note, Omnibus, Posterior
from racing.compare.posterior import sample
from racing.compare.procedure import compare
from racing.compare.reading import read_table
from racing.compare.table import Table, as_table

__all__ = [
    "Comparison",
    "Effects",
    "Family",
    "Note",
    "Omnibus",
    "Posterior",
    "Table",
    "as_table",
    "compare",
    "read_table",
    "sample",
]
