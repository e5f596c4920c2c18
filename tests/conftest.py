"""How the whole suite runs."""

from hypothesis import settings

# The same examples every time; `pytest --hypothesis-profile search` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")
