"""The paper's baselines MI and MP."""

import pytest

from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.goal import Goal
from planner.solver import Effort, Solver
from solvers.cloud.baselines import MaximiseParallelism, MinimiseIndividual
from tests.instances import bag, cloud, kind, many_digits, random_instance
from tests.solvers.cloud.pipeline.fleets import thai

BOTH = [MinimiseIndividual(), MaximiseParallelism()]


def solved(solver: Solver, instance: CloudInstance) -> tuple[dict[str, int], float]:
    """Fleet and makespan of the plan, which must exist and be valid."""
    answer = solver.solve(instance, Goal.MAKESPAN, Effort())
    assert answer.plan is not None, answer.message
    verdict = check(instance, answer.plan)
    assert verdict.valid, verdict.violations
    assert verdict.makespan is not None
    return answer.plan.fleet, float(verdict.makespan)


def test_mi_buys_the_fastest_type_and_one_cheap_vm_with_the_rest() -> None:
    assert solved(MinimiseIndividual(), thai(32, 50))[0] == {"it4": 5}
    assert solved(MinimiseIndividual(), thai(32, 55))[0] == {"it1": 1, "it4": 5}


def test_mp_buys_the_cheapest_type_only() -> None:
    # 480 units of each application at 20 + 24 + 22 s, over 45 / 5 = 9 VMs.
    assert solved(MaximiseParallelism(), thai(32, 45)) == ({"it1": 9}, 3520)


@pytest.mark.parametrize(("solver", "budget"), [(MinimiseIndividual(), 40), (MaximiseParallelism(), 40)])
def test_a_budget_below_the_rules_needs_gets_no_plan_and_a_number(solver: Solver, budget: int) -> None:
    answer = solver.solve(thai(32, budget), Goal.MAKESPAN, Effort())
    assert answer.plan is None
    assert answer.message == "no plan found within the budget of 40: the nearest costs 40 more"


def test_the_loads_are_even() -> None:
    _, makespan = solved(MaximiseParallelism(), thai(32, 60))
    assert makespan == 480 * 66 / 12


def test_mp_turns_to_the_next_type_for_what_the_cheapest_cannot_run_or_supply() -> None:
    bags = [bag("A", (1, 10)), bag("B", (1, 10))]
    types = [kind("only A", 1, 10, None, limit=1), kind("both", 2, 10, 10)]
    assert solved(MaximiseParallelism(), cloud(bags, types, budget=5))[0] == {"only A": 1, "both": 2}


@pytest.mark.parametrize("solver", BOTH)
def test_free_machines_and_no_budget_end_with_the_longest_task(solver: Solver) -> None:
    for price, budget in ((0, 0), (1, None)):
        instance = cloud([bag("A", (1, 9))], [kind("t", price, 10)], budget=budget)
        assert solved(solver, instance) == ({"t": 9}, 10)


@pytest.mark.parametrize("solver", BOTH)
@pytest.mark.parametrize("seed", range(150))
def test_every_plan_is_valid_and_every_refusal_says_why(solver: Solver, seed: int) -> None:
    for instance in (random_instance(seed, 30), many_digits(seed)):
        answer = solver.solve(instance, Goal.MAKESPAN, Effort())
        if answer.plan is None:
            assert answer.message
        else:
            assert check(instance, answer.plan).valid
