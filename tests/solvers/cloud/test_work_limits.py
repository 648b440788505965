"""Explanations of what is too hard end without a time limit, by work that is counted, and say so."""

from __future__ import annotations

import pytest

import planner
from planner.errors import UsageError
from planner.result import Status, StoppedBy
from planner.solver import Effort
from solvers.cloud.decision import Decisions, Question, Verdict
from solvers.cloud.exact import Exact
from solvers.cloud.explain import PATIENCE
from solvers.cloud.least import BUDGET, Ask, Form, least
from tests.instances import bag, cloud, kind

INSTANCE = cloud(
    [bag("A", (2, 7), (3, 5)), bag("B", (1, 9))],
    [kind("a", 1, 700, 900), kind("b", 2, 500, 400), kind("c", 3, 300, 350)],
    budget=12,
    deadline=5000,
)


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[Question]:
    """Every question is too hard; those that were asked."""
    asked: list[Question] = []

    def open_(self: Decisions, question: Question, work: float) -> Verdict:  # noqa: ARG001
        asked.append(question)
        return Verdict.OPEN

    monkeypatch.setattr(Decisions, "decide", open_)
    monkeypatch.setattr(Decisions, "glance", open_)
    return asked


@pytest.mark.parametrize("goal", [planner.Goal.MAKESPAN, planner.Goal.COST])
def test_rounds_end_a_search_that_gets_nowhere(goal: planner.Goal, questions: list[Question]) -> None:
    few = Exact(rounds=1).solve(INSTANCE, goal, Effort())
    number = len(questions)
    more = Exact(rounds=3).solve(INSTANCE, goal, Effort())
    assert few.stopped_by is more.stopped_by is StoppedBy.COMPLETED
    assert few.plan == more.plan is not None
    assert 0 < number < len(questions) - number


def test_rounds_cannot_be_negative() -> None:
    with pytest.raises(UsageError, match=r"'rounds'.*-1"):
        planner.solve(INSTANCE, "exact:rounds=-1")


def test_patience_ends_the_search_for_a_limit(questions: list[Question]) -> None:
    ask = Ask(Effort(), (1.0,) * 10, patience=PATIENCE)
    assert least(Form.of(INSTANCE), BUDGET, ask).suffices is None
    assert (len(questions), ask.over) == (PATIENCE, True)


@pytest.mark.usefixtures("questions")
def test_an_explanation_without_a_time_limit_ends_and_says_what_is_open() -> None:
    explanation = planner.explain(INSTANCE)
    assert explanation.status is Status.FEASIBLE
    text = " ".join(str(explanation).split())
    assert "too hard for the work that is spent on it where no time limit is given" in text
    assert "no plan has less than" in text


def test_one_that_is_settled_says_nothing_of_the_kind() -> None:
    given = planner.solve(INSTANCE, "heuristic", goal="makespan").plan
    for explanation in (planner.explain(INSTANCE), planner.explain(INSTANCE, given)):
        assert "too hard" not in str(explanation)
