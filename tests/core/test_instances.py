"""The stream of instances: passes, orders, seeds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racing.base.errors import InputError
from racing.core.instances import Instances


def walk(instances: Instances, steps: int, seed: int = 1):
    return [instances.at(step, seed) for step in range(steps)]


@given(n=st.integers(1, 30), seed=st.integers(0, 2**40))
def test_every_problem_comes_once_in_any_order(n, seed):
    instances = Instances(range(n))
    assert instances.limit == n
    met = walk(instances, n, seed)
    assert sorted(i.problem for i in met) == list(range(n))
    assert [i.step for i in met] == list(range(n))
    assert all(1 <= i.seed < 2**31 for i in met)


def test_the_order_is_the_seed_s_and_nothing_else_s():
    instances = Instances(range(20))
    assert walk(instances, 20, 3) == walk(instances, 20, 3)
    orders = {tuple(i.problem for i in walk(instances, 20, seed)) for seed in range(20)}
    assert len(orders) == 20


def test_asking_out_of_order_gives_the_same():
    instances = Instances(range(9), repeat=True)
    backwards = [instances.at(step, 1) for step in reversed(range(30))]
    assert backwards[::-1] == walk(instances, 30)


def test_listed_order_is_kept():
    met = walk(Instances("abcde", order="listed"), 5)
    assert [i.name for i in met] == list("abcde")


def test_fixed_seeds_are_used_one_a_pass():
    instances = Instances("abc", seeds=[(7, 8), (), (9,)], order="listed")
    assert instances.limit == 4
    met = walk(instances, 4)
    assert [i.name for i in met] == ["a", "b", "c", "a"]
    assert (met[0].seed, met[2].seed, met[3].seed) == (7, 9, 8)
    assert met[1].seed not in (7, 8, 9)


def test_repeating_goes_on_without_end_with_new_seeds_and_orders():
    instances = Instances(range(10), repeat=True)
    assert instances.limit is None
    met = walk(instances, 50)
    passes = [tuple(i.problem for i in met[k : k + 10]) for k in range(0, 50, 10)]
    assert all(sorted(one) == list(range(10)) for one in passes)
    assert len(set(passes)) == 5
    assert len({i.seed for i in met}) == 50


def test_repeating_after_fixed_seeds_draws_new_ones():
    instances = Instances("ab", seeds=[(1, 2), (3,)], order="listed", repeat=True)
    met = walk(instances, 7)
    assert [i.name for i in met] == ["a", "b", "a", "a", "b", "a", "b"]
    assert [i.seed for i in met[:3]] == [1, 3, 2]
    assert len({i.seed for i in met}) == 7


def test_names_are_the_problems_text_unless_given():
    assert Instances([3.5]).at(0, 1).name == "3.5"
    assert Instances([3.5], names=["x"]).at(0, 1).name == "x"
    assert Instances([3.5], names=["x"]).at(0, 1).problem == 3.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"problems": ()}, "one instance or more; got none"),
        ({"problems": "abc", "names": ["a"]}, "names must be 3, one per instance, or none; got 1"),
        (
            {"problems": "abc", "seeds": [(1,), (2,)]},
            "seeds must be 3, one per instance, or none; got 2",
        ),
        ({"problems": 3}, "problems must be a list; got 3"),
        ({"problems": "abc", "names": 3}, "names must be a list; got 3"),
        ({"problems": "abc", "seeds": [1, 2, 3]}, r"seeds\[0\] must be a list; got 1"),
        ({"problems": "abc", "order": "foo"}, 'order must be shuffled or listed; got "foo"'),
        ({"problems": "abc", "repeat": "yes"}, 'repeat must be true or false; got "yes"'),
        ({"problems": "abc", "correlation": "a"}, 'correlation must be from 0 .*; got "a"'),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Instances(**arguments)


def test_there_is_no_instance_after_the_last():
    with pytest.raises(InputError, match="there are only 3 instances"):
        Instances("abc").at(3, 1)


@pytest.mark.parametrize(
    ("instances", "recurring"),
    [
        (Instances(("a",), seeds=((7, 7, 7),)), True),
        (Instances(("a",), seeds=((7, 7, 8),)), False),
        (Instances(("a",), seeds=((7, 7),), repeat=True), False),
        (Instances(("a",), seeds=((7,),)), False),
        (Instances(("a",)), False),
        (Instances(("a", "b"), seeds=((7, 7), (7, 7))), False),
    ],
)
def test_an_instance_recurs_where_problem_and_seed_stay_the_same(instances, recurring):
    assert instances.recurring is recurring
    steps = range(6 if instances.limit is None else instances.limit)
    met = {(one.name, one.seed) for one in (instances.at(step, 1) for step in steps)}
    assert recurring == (len(met) == 1 and len(steps) > 1)


@settings(deadline=None)
@given(
    sizes=st.lists(st.integers(1, 9), min_size=2, max_size=6),
    seed=st.integers(0, 1000),
)
def test_shuffled_groups_are_interleaved_in_proportion_to_their_sizes(sizes, seed):
    labels = [group for group, size in enumerate(sizes) for _ in range(size)]
    stream = Instances(range(len(labels)), groups=labels)
    order = [stream.at(step, seed).problem for step in range(len(labels))]
    assert sorted(order) == list(range(len(labels)))
    for group, size in enumerate(sizes):
        members = [place for place, problem in enumerate(order) if labels[problem] == group]
        for i, place in enumerate(members):  # the i-th lies in the i-th of `size` equal parts
            before = sum((labels[problem] != group) for problem in order[:place])
            others = len(labels) - size
            slack = len(sizes)  # each other group can be one ahead of its share, or behind
            assert others * i / size - slack <= before <= others * (i + 1) / size + slack


def test_groups_of_one_size_all_occur_before_any_occurs_twice():
    stream = Instances(range(20), groups=list("abcde") * 4)
    for seed in range(5):
        order = ["abcde"[stream.at(step, seed).problem % 5] for step in range(20)]
        assert all(set(order[k : k + 5]) == set("abcde") for k in range(0, 20, 5))
    assert (
        len({tuple(stream.at(step, seed).problem for step in range(20)) for seed in range(5)}) == 5
    )


def test_one_group_is_shuffled_as_none():
    one, none = Instances(range(20), groups="a" * 20), Instances(range(20))
    assert [one.at(k, 3).problem for k in range(20)] == [none.at(k, 3).problem for k in range(20)]


def test_listed_groups_stay_as_they_are_listed():
    stream = Instances(range(6), groups="aaabbb", order="listed")
    assert [stream.at(step, 1).problem for step in range(6)] == list(range(6))
