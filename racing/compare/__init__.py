"""Which algorithms differ? From a finished table of results to tests, groups and words.

table, complete, arrays, cells, reading    a table of scores, from arrays, CSV files and logs
choices                                    which tests are run
omnibus, pairwise, sizes, posterior        the tests by name, over racing.stats
groups, notes                              what follows from them
comparison, procedure                      all of it as data; `compare` makes it
words, caveats, report, plain              sentences, a document, plain data
blocks, setting                            what a document is made of, and how it is set
"""

from __future__ import annotations

from racing.compare.arrays import as_table
from racing.compare.comparison import Comparison, Effects, Family, Note, Omnibus, Posterior
from racing.compare.posterior import sample
from racing.compare.procedure import compare
from racing.compare.reading import read_table
from racing.compare.table import Table

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
