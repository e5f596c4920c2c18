from .auto import Auto as Auto
from .bayes import Bayes as Bayes
from .bernstein import Bernstein as Bernstein
from .bets import Bets as Bets
from .correlated_bayes import CorrelatedBayes as CorrelatedBayes
from .correlated_sequential import CorrelatedSequential as CorrelatedSequential
from .correlated_t import CorrelatedT as CorrelatedT
from .f_test import FTest as FTest
from .halving import SuccessiveHalving as SuccessiveHalving
from .hoeffding import Hoeffding as Hoeffding
from .mean_ranks import MeanRanks as MeanRanks
from .names import RULES as RULES, name_of as name_of
from .none import Keep as Keep
from .poisson_binomial import PoissonBinomial as PoissonBinomial
from .rejects import SuccessiveRejects as SuccessiveRejects
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
