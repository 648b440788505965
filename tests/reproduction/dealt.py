"""`dealt` beside its rivals, and without each of its parts, as docs/dealt.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import planner
from planner.grid.system import CapacityChange, Crash, Event
from planner.grid.workload import draw
from planner.simulating import Run, Simulation
from tests.reproduction.scenarios import (
    SCENARIOS,
    environment,
    first_steps,
    over_seeds,
    part,
    short,
    simulated,
    system,
    table,
)

RIVALS = ("dealt", "mct", "lls", "dmms:knowledge=global", "dmms", "osl", "clds")
WITHOUT = (
    ("dealt", "the full rule"),
    ("dealt:seats=0", "no deal: all schedulers look at all resources"),
    ("dealt:price=0", "no price: the table is the load alone"),
    ("dealt:sized=false", "one number for all lengths"),
)

TEXT = """# DEALT: coordination at the message cost of CLDS

`dealt` is a policy of its own, beside the paper's CLDS. Like it, it has one learner, one table, and two messages for
each scheduler in each step; unlike it, its schedulers do not meet at the same resource, and it knows what a
resource is worth. The idea, in the order of a step:

1. **Up.** Every scheduler sends the learner one message: the length it submitted to each resource, the length of its
   own jobs finished there, how many jobs it submitted, and its longest.
2. **Bounds on capacities.** In a busy period that began with step s, work D finished by step s + e took more than e and at
   most e + 1 steps: D / (e + 1) <= C < D / e. While something is left, less was served than submitted. The job in service
   gives two more bounds of the same kind, over its own time only, which notice a change soon: when bounds cross, the
   capacity has changed and the old ones are forgotten; when nothing is finished any more, the upper bound falls until
   the resource is out of the question, and the first job finished starts anew. The estimate is the middle of the bounds.
3. **Load.** What was submitted, less capacity times the time of the busy period, over the capacity; never less than
   what is outstanding without the job in service.
4. **Price.** With p the mean length, a resource of capacity C that just pays adds (p / C^2 + 1 / C) / 2 to ALoR for each
   unit of work. Filled from the fastest down until they carry the work that arrives, resources down to some capacity C*
   are needed; a faster one is worth the difference, and 0.9 of it, times C, is added to its load. So a slow resource is
   used exactly when that pays.
5. **Down.** The learner sends table and estimates to all, in one message each.
6. **Dealing.** All schedulers rank the resources alike, by the cost of a mean job, and a permutation seeded by the step
   gives each a seat of 0.4·|A| (not fewer than the schedulers that have jobs in a step). A scheduler looks only at the
   ranks of its seat, every 0.4·|A|-th, and places each of its jobs where r·(table + (r + 1) / 2) is least, r = p / C,
   adding r to its own copy of the table.

A learner that crashes is replaced by the next scheduler, which has the last table and estimates like all others; every
scheduler tells it once what it has outstanding, |A| more messages. Options: `seats`, `price`, `sized`."""


def write(docs: Path, seeds: Sequence[int], steps: int) -> None:
    """Measure everything, then write the report."""
    runs = {
        name: simulated(
            name, list(dict.fromkeys([*RIVALS, *(option for option, _ in WITHOUT)])), seeds, steps, bound=True
        )
        for name in SCENARIOS
    }
    head = (
        f"\n## Figures\n\nSeeds {seeds[0]} to {seeds[-1]}, which no parameter was chosen on; {steps} steps; ± is half a "
        f"95 % interval of the mean over seeds. Written by `python -m tests.reproduction dealt` ({environment()})."
    )
    text = "\n\n".join([TEXT + "\n" + head, _rivals(runs), _without(runs), _changes(seeds, steps)])
    (docs / "dealt.md").write_text(text + "\n", encoding="utf-8")


def _rivals(runs: dict[str, Simulation]) -> str:
    rows, early = [], []
    for name, simulation in runs.items():
        by = simulation.policies
        last = [over_seeds([run.metrics.last_quarter for run in by[policy]]) for policy in RIVALS]
        rows.append([name, *map(str, last), short(simulation.bound.mean_alor or 0.0), _wins(by)])
        early.append(
            [name, *(str(over_seeds([first_steps(run) for run in by[policy]])) for policy in RIVALS)]
        )
    messages = [
        [
            name,
            *(f"{over_seeds([run.metrics.messages for run in found.policies[p]]).mean:,.0f}" for p in RIVALS),
        ]
        for name, found in runs.items()
    ]
    return "\n\n".join(
        [
            "ALoR over the last quarter. `mct` and `lls` see the live queues before each job, `dmms` with global "
            "knowledge the true queues at the start of the step. The last column counts the seeds on which `dealt` is "
            "below both `lls` and `dmms:knowledge=global`.",
            table(["scenario", *RIVALS, "no policy below", "seeds won"], rows),
            "ALoR over the first 100 steps, while it learns:",
            table(["scenario", *RIVALS], early),
            "Messages a step:",
            table(["scenario", *RIVALS], messages),
        ]
    )


def _wins(by: dict[str, list[Run]]) -> str:
    rivals = zip(by["dealt"], by["lls"], by["dmms:knowledge=global"], strict=True)
    wins = sum(
        own.metrics.last_quarter < min(lls.metrics.last_quarter, dmms.metrics.last_quarter)
        for own, lls, dmms in rivals
    )
    return f"{wins} of {len(by['dealt'])}"


def _without(runs: dict[str, Simulation]) -> str:
    rows = [
        [
            meaning,
            *(
                str(over_seeds([run.metrics.last_quarter for run in found.policies[option]]))
                for found in runs.values()
            ),
        ]
        for option, meaning in WITHOUT
    ]
    return "## Without each part\n\nALoR over the last quarter.\n\n" + table(["", *runs], rows)


def _changes(seeds: Sequence[int], steps: int) -> str:
    length = max(1, 3 * steps // 40)
    low = steps // 2
    high = low + length
    policies = ("dealt", "mct", "lls", "dmms:knowledge=global")
    rows = []
    for what in ("outage", "slower", "learner crashes"):
        found: dict[str, list[list[float]]] = {name: [] for name in policies}
        for seed in seeds:
            changed = planner.simulate(
                system("medium-60", steps, _events(what, seed, steps, low, high)),
                policies,
                seeds=seed,
                bound=False,
            )
            for run in changed.runs:
                series = run.metrics.series
                found[run.label].append(
                    [
                        float(series[low - 100 : low].mean()),
                        float(series[low:high].mean()),
                        float(series[high : high + length].mean()),
                        part(run, 0.9, 1),
                    ]
                )
        for name, values in found.items():
            rows.append([what, name, *(str(over_seeds([row[k] for row in values])) for k in range(4))])
    return (
        f"## When things change\n\nmedium-60. outage: every tenth resource is down from step {low} to {high}. slower: every "
        f"tenth resource is four times slower from step {low} on. learner crashes: in step {low}. ALoR in the 100 steps before step {low}, in the {length} "
        "after it, in as many then, and in the last tenth of the run.\n\n"
        + table(["", "policy", "before", "after", "later", "at the end"], rows)
    )


def _events(what: str, seed: int, steps: int, low: int, high: int) -> list[Event]:
    if what == "learner crashes":
        return [Crash(low, None)]
    capacity = draw(system("medium-60", steps), seed).capacity
    chosen = range(0, capacity.size, 10)
    if what == "slower":
        return [CapacityChange(low, i, float(capacity[i] / 4)) for i in chosen]
    return [
        *(CapacityChange(low, i, 0.0) for i in chosen),
        *(CapacityChange(high, i, float(capacity[i])) for i in chosen),
    ]
