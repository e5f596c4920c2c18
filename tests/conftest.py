"""How the whole suite runs."""

import signal

from hypothesis import settings

# The same examples every time; `pytest --hypothesis-profile search` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")

# A shell starts what runs in the background with SIGINT ignored, and tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
