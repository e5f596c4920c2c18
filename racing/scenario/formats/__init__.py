"""Converts files of other programs to spaces and scenarios, and back.

irace.py            a scenario of irace with all its files → plain data of a scenario
irace_parameters.py irace's parameter file → a space; irace_write.py is the reverse
irace_scenario.py   the options of a scenario file;  irace_options.py the translation of each
irace_lines.py, irace_notes.py   the lines of a parameter file; notes on it
irace_tables.py     configurations files, instance files and folders
irace_yaml.py       a translated scenario as YAML
r.lark, r_syntax.py, r_conditions.py    R's expressions ↔ the expressions of spaces
pcs.py              AClib's parameter files, old and new → a space
config_space.py     ConfigSpace ↔ a space (extra `configspace`)
data.py, yaml_text.py   a space or scenario as plain data, and as YAML with comments
configurations.py, levels.py   configurations as CSV and JSON, read and written
places.py           file, line and column, for errors
"""

from racing.scenario.formats.config_space import from_config_space, to_config_space
from racing.scenario.formats.configurations import (
    read_csv,
    read_json,
    write_csv,
    write_json,
)
from racing.scenario.formats.irace import OptionNote, Translated, read_scenario
from racing.scenario.formats.irace_parameters import read_parameters
from racing.scenario.formats.irace_write import write_parameters
from racing.scenario.formats.pcs import read_pcs

__all__ = [
    "OptionNote",
    "Translated",
    "from_config_space",
    "read_csv",
    "read_json",
    "read_parameters",
    "read_pcs",
    "read_scenario",
    "to_config_space",
    "write_csv",
    "write_json",
    "write_parameters",
]
