from .data_sets import race_over_data_sets as race_over_data_sets
from .search import RaceSearchCV as RaceSearchCV
