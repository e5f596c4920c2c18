"""Converts files of other programs to spaces and scenarios, and back.

irace.py            a scenario of irace with all its files → plain data of a scenario
irace_parameters.py irace's parameter file → a space; irace_write.py is the reverse
irace_scenario.py   the options of a scenario file;  irace_options.py the translation of each
irace_lines.py      the lines of a parameter file
irace_tables.py     configurations files, instance files and folders
irace_yaml.py       a translated scenario as YAML
r.lark, r_syntax.py, r_conditions.py    R's expressions ↔ the expressions of spaces
pcs.py              AClib's parameter files, old and new → a space
config_space.py     ConfigSpace ↔ a space (extra `configspace`)
configurations.py, levels.py   configurations as CSV and JSON, read and written
places.py           file, line and column, for errors
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
