"""Which algorithms differ? From a finished table of results to tests, groups and words.

result_table, complete, arrays             a table of scores, checked, from arrays
table_files, cells                         the same from CSV files and logs
choices                                    which tests are run
omnibus, pairwise, sizes, posterior        the tests by name, over racing.stats
groups, notes                              what follows from them
comparison, procedure                      all of it as data; `compare` makes it
estimates                                  contrasts, worths, standardized differences
words, caveats, report, plain, tables      sentences, a document, plain data, CSV files
blocks, marks, setting, latex              what a document is made of, and how it is set
"""

from __future__ import annotations

from racing.compare.arrays import as_table
from racing.compare.comparison import Comparison, Effects, Family, Note, Omnibus, Posterior
from racing.compare.posterior import sample
from racing.compare.procedure import compare
from racing.compare.result_table import ResultTable
from racing.compare.table_files import read_table

__all__ = [
    "Comparison",
    "Effects",
    "Family",
    "Note",
    "Omnibus",
    "Posterior",
    "ResultTable",
    "as_table",
    "compare",
    "read_table",
    "sample",
]
