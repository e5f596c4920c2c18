from .config_space import from_config_space as from_config_space, to_config_space as to_config_space
from .configurations import (
    read_csv as read_csv,
    read_json as read_json,
    write_csv as write_csv,
    write_json as write_json,
)
from .irace import (
    OptionNote as OptionNote,
    Translated as Translated,
    read_scenario as read_scenario,
)
from .irace_parameters import (
    read_parameters as read_parameters,
    write_parameters as write_parameters,
)
from .pcs import read_pcs as read_pcs
