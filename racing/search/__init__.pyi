from .queries import Gain as Gain
from .iterated import IteratedRacing as IteratedRacing, IteratedSettings as IteratedSettings
from .portfolio import PortfolioSearch as PortfolioSearch
from .model_sampler import ModelSampler as ModelSampler
from .sampler import LocalSampler as LocalSampler, Proposal as Proposal, Sampler as Sampler
from .search import Search as Search, SearchBase as SearchBase
from .settings import Settings as Settings
