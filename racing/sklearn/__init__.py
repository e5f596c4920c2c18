"""Races in scikit-learn: `RaceSearchCV` in place of `GridSearchCV`; extra `sklearn`.

    from racing.sklearn import RaceSearchCV

    search = RaceSearchCV(pipeline, param_grid, cv=RepeatedStratifiedKFold(), n_jobs=-1).fit(X, y)
    search.best_params_, search.best_score_, search.race_

search.py       the estimator
arguments.py    grids, lists of grids, distributions → candidates; the metric that decides
fits.py         cross-validation → instances, in an order, with their correlation;
                one fit and its scores, as an experiment's outcome
session.py      connects race or search, pool (by n_jobs and joblib's settings) and log
cv_results.py   outcomes and verdicts → `cv_results_`
data_sets.py    a race over several data sets
_compat.py      private parts of scikit-learn, which differ between its versions
"""

import lazy_loader

from racing.base.errors import require

require("sklearn", extra="sklearn", purpose="racing.sklearn")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
