"""Converts files of other programs to spaces and scenarios, and back.

draft.py            the space of a file while it is read: parts with their places, all errors
clauses.py          conditions and clauses of irace (in R) and AClib ↔ the expressions of spaces
irace_parameters.py irace's parameter file ↔ a space
irace_options.py    the options of irace's scenario files; irace_options.csv says what each becomes
irace.py            a scenario of irace with all its files → plain data of a scenario
irace_yaml.py       a translated scenario as YAML
pcs.py              AClib's parameter files, old and new → a space
config_space.py     ConfigSpace ↔ a space (extra `configspace`)
configurations.py   configurations as CSV and JSON, read and written
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
