from . import embed as embed
from . import rules as rules
from . import space as space
from . import stats as stats
from .analysis.compare import compare as compare, compare_metrics as compare_metrics
from .analysis.portfolio.choice import portfolio as portfolio
from .analysis.unseen import holdout as holdout
from .base import errors as errors
from .base.errors import (
    CallbackError as CallbackError,
    ExpressionError as ExpressionError,
    FormatError as FormatError,
    InputError as InputError,
    LogBusy as LogBusy,
    LogDamaged as LogDamaged,
    LogError as LogError,
    LogVersionError as LogVersionError,
    MissingExtra as MissingExtra,
    NothingToTest as NothingToTest,
    RaceError as RaceError,
    RacingError as RacingError,
    SamplingError as SamplingError,
    ScenarioError as ScenarioError,
    SpaceError as SpaceError,
    TableError as TableError,
    TargetError as TargetError,
    TargetFailed as TargetFailed,
)
from .base.version import __version__ as __version__
from .core.budget import Budget as Budget
from .core.candidate import Candidate as Candidate
from .core.decider import Entrant as Entrant
from .core.experiment import (
    Experiment as Experiment,
    Instance as Instance,
    Outcome as Outcome,
    Status as Status,
)
from .core.instances import Instances as Instances
from .core.metric import Metric as Metric
from .core.results import Results as Results
from .core.standing import Standing as Standing
from .core.stop import Stop as Stop
from .embed import Result as Result, maximize as maximize, minimize as minimize
from .evaluate.answers import Retry as Retry
from .race import Race as Race
from .report.families import by_family as by_family
from .runner.loop import RunOptions as RunOptions
from .runner.run import resume as resume, run as run
from .scenario import Scenario as Scenario, read as read
from .search import IteratedRacing as IteratedRacing, Search as Search
