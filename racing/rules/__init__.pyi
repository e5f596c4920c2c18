from .auto import Auto as Auto
from .bayes import Bayes as Bayes
from .bounded import Bernstein as Bernstein, Hoeffding as Hoeffding
from .bets import Bets as Bets
from .correlated import (
    CorrelatedBayes as CorrelatedBayes,
    CorrelatedSequential as CorrelatedSequential,
    CorrelatedT as CorrelatedT,
)
from .f_test import FTest as FTest
from .f_race import MeanRanks as MeanRanks
from .names import RULES as RULES, name_of as name_of
from .none import Keep as Keep
from .poisson_binomial import PoissonBinomial as PoissonBinomial
from .schedule import SuccessiveHalving as SuccessiveHalving, SuccessiveRejects as SuccessiveRejects
from .rule import (
    Elimination as Elimination,
    Gate as Gate,
    Outlook as Outlook,
    Reason as Reason,
    Rule as Rule,
    Verdict as Verdict,
)
from .sign import Sign as Sign
from .t_test import TTest as TTest
from .wilcoxon import Wilcoxon as Wilcoxon
