from .iterated_racing import IteratedRacing as IteratedRacing
from .settings import IteratedSettings as IteratedSettings
