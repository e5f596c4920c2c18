"""Which classifier is the best on most of several data sets? A race over their folds.

python -m examples.sklearn.data_sets
"""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import racing
from racing.sklearn import race_over_data_sets

CLASSIFIERS = {
    "most frequent": DummyClassifier(),
    "naive Bayes": GaussianNB(),
    "3 neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    "tree": DecisionTreeClassifier(random_state=0),
    "SVC": make_pipeline(StandardScaler(), SVC()),
}


def run(n_splits: int = 10, n_repeats: int = 2) -> racing.Race:
    """Race the classifiers."""
    data = {
        "iris": load_iris(return_X_y=True),
        "wine": load_wine(return_X_y=True),
        "breast cancer": load_breast_cancer(return_X_y=True),
        "generated": make_classification(300, n_informative=5, random_state=1),
    }
    cv = RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=n_repeats, random_state=1)
    return race_over_data_sets(CLASSIFIERS, data, cv=cv)


def main() -> None:
    """Race, and say who left when."""
    race = run()
    for verdict in race.verdicts:
        for left in verdict.eliminated:
            name = race.candidates[left.candidate - 1].name
            print(
                f"after {verdict.instances} folds: {name}, behind the leader on most data sets "
                f"with probability {left.value:.3f}"
            )
    print(f"winner: {race.winner}, after {race.outcomes} fits")


if __name__ == "__main__":
    main()
