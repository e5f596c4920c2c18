"""The foundations of all other packages, independent of races.

- `errors`: all errors of this package, in one tree
- `records`: dataclasses that read and check their own fields, from Python and from files
- `quantities`: kinds of numbers in fields of records; costs and scores
- `units`: text such as 1h30m and 2GiB
- `seeds`: random streams, each with a key
- `plain`: data for JSON, and text that is safe for a terminal
- `words`: numbers, counts and percentages in sentences
- `markup`: small HTML tables, for notebooks
- `logs`: loggers, for programs that embed racing (`racing.log` is the record of a run)
- `special`: functions of scipy.special, imported at the first call
- `version`: the version of racing
"""

from racing.base import errors as errors
