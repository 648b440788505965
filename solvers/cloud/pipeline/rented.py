"""The fleet that the pipeline's functions hand on: VMs, their tasks by class, their loads and the bill."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from solvers.cloud.fleet import LoadedVM, refuse_many
from solvers.cloud.ticks import Ticks


class Rented:
    """VMs by index: `kind[v]` its type, `load[v]` its exec_vm in ticks (startup included, also while the
    VM is empty), `tasks[v]` its tasks as class -> number; `cost` is the bill in coins, `counts[t]` the
    number of VMs of type t, empty ones included, `bill[v]` cost_vm in coins, 0 while VM v is empty.

    A VM without tasks costs nothing: it is offered, not rented. The pipeline's functions change a fleet in
    place; `copy` is for trying something out.
    """

    __slots__ = ("_all_tasks", "bill", "cost", "counts", "kind", "load", "tasks", "ticks")

    def __init__(self, ticks: Ticks) -> None:
        self.ticks = ticks
        self.kind: list[int] = []
        self.load: list[int] = []
        self.tasks: list[dict[int, int]] = []
        self.bill: list[int] = []
        self.cost = 0
        self.counts = [0] * len(ticks.times)
        self._all_tasks = sum(ticks.counts)

    def __len__(self) -> int:
        return len(self.kind)

    def copy(self) -> Rented:
        """A fleet that can be changed without changing this one."""
        other = Rented(self.ticks)
        other.kind, other.load, other.cost = self.kind.copy(), self.load.copy(), self.cost
        other.bill = self.bill.copy()
        other.counts = self.counts.copy()
        other.tasks = [held.copy() for held in self.tasks]
        return other

    def become(self, other: Rented) -> None:
        """Take over the state of `other`."""
        self.kind, self.load, self.tasks = other.kind, other.load, other.tasks
        self.bill, self.cost, self.counts = other.bill, other.cost, other.counts

    def open(self, kind: int, number: int = 1) -> range:
        """Offer `number` empty VMs of a type; their indices. Raises `Unsupported` past MOST_VMS in all."""
        first = len(self.kind)
        refuse_many(first + number)
        self.kind += [kind] * number
        self.counts[kind] += number
        self.bill += [0] * number
        self.load += [self.ticks.startup[kind]] * number
        self.tasks += [{} for _ in range(number)]
        return range(first, first + number)

    def close(self, vms: Iterable[int] = ()) -> None:
        """Give these VMs back, with what they hold, and all empty ones; the others get new indices."""
        gone = set(vms)
        stay = [v for v in range(len(self.kind)) if self.tasks[v] and v not in gone]
        self.cost -= sum(self.bill[v] for v in gone)
        self.kind = [self.kind[v] for v in stay]
        self.load = [self.load[v] for v in stay]
        self.tasks = [self.tasks[v] for v in stay]
        self.bill = [self.bill[v] for v in stay]
        self.counts = [0] * len(self.counts)
        for kind in self.kind:
            self.counts[kind] += 1

    def give(self, v: int, task_class: int, number: int) -> None:
        """Hand `number` tasks of a class to VM v; a negative number takes them away."""
        held, kind = self.tasks[v], self.kind[v]
        left = held.get(task_class, 0) + number
        if left:
            held[task_class] = left
        else:
            del held[task_class]
        self.load[v] += number * self.time(kind, task_class)
        bill = self.ticks.vm_cost(kind, self.load[v]) if held else 0
        self.cost += bill - self.bill[v]
        self.bill[v] = bill

    def time(self, kind: int, task_class: int) -> int:
        """Ticks that one task of the class takes on the type, which must be able to run it."""
        time = self.ticks.times[kind][task_class]
        assert time is not None
        return time

    def room(self, v: int) -> int:
        """Ticks that VM v may run longer at no further cost; an empty VM's first charge counts as paid."""
        return self.ticks.quanta(self.load[v]) * self.ticks.quantum - self.load[v]

    @property
    def makespan(self) -> int:
        """The longest exec_vm in ticks (equation 7); 0 where nothing runs."""
        return max((load for load, held in zip(self.load, self.tasks, strict=True) if held), default=0)

    def vacancies(self, kind: int) -> int:
        """How many more VMs of this type the limits allow; never more VMs in all than there are tasks."""
        ticks = self.ticks
        most = ticks.max_instances[kind]
        free = self._all_tasks - len(self)
        if most is not None:
            free = min(free, most - self.counts[kind])
        if ticks.max_vms is not None:
            free = min(free, ticks.max_vms - len(self))
        return max(0, free)

    def merits(self, budget: int | None) -> tuple[int, int, int, int]:
        """What makes a fleet good, smaller is better: VMs too many, coins too many, makespan, cost."""
        number = sum(map(bool, self.tasks))
        crowd = 0 if self.ticks.max_vms is None else max(0, number - self.ticks.max_vms)
        excess = 0 if budget is None else max(0, self.cost - budget)
        return crowd, excess, self.makespan, self.cost

    def loaded(self) -> list[LoadedVM]:
        """The VMs in the form that `fleet.plan` takes."""
        vms = []
        for kind, held in zip(self.kind, self.tasks, strict=True):
            if held:
                content = [0] * len(self.ticks.counts)
                for c, number in held.items():
                    content[c] = number
                vms.append(LoadedVM(kind, tuple(content)))
        return vms


def possible(ticks: Ticks) -> Ticks:
    """The same instance without the placements that no valid plan can contain.

    A task cannot run on a type of which no VM may be rented, nor where it alone takes a VM past the
    deadline or the budget (the paper's IV-C: only types "whose cost is lower than the given budget").
    """

    def allowed(kind: int, time: int | None) -> bool:
        if time is None or ticks.max_instances[kind] == 0:
            return False
        alone = ticks.startup[kind] + time
        late = ticks.deadline is not None and alone > ticks.deadline
        return not late and (ticks.budget is None or ticks.vm_cost(kind, alone) <= ticks.budget)

    times = tuple(
        tuple(time if allowed(kind, time) else None for time in row) for kind, row in enumerate(ticks.times)
    )
    return replace(ticks, times=times)
