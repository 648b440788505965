"""Studies from TOML files or mappings, with every fault at once: values, names of solvers, their options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from planner.errors import UsageError
from planner.files import formats
from planner.files.paths import Location, where
from planner.files.reading import choose
from planner.files.text import Document, parsed
from planner.files.toml import load_toml
from planner.files.validating import validated
from planner.files.wire.study import StudyWire
from planner.files.writing import dumps
from planner.seeds import seeds_of
from planner.studies.spec import Choice, Study
from solvers import catalog

MOST_CHOICES = 10_000
"""Most solvers that one table's lists of options may make."""

_Configure: TypeAlias = Callable[[str, Mapping[str, object] | None], tuple[catalog.Entry, dict[str, object]]]


def read_study(given: str | Path | Mapping[str, Any], folder: str | Path | None = None) -> Study:
    """The study in a TOML file ("-": stdin), or one given as what such a file would hold.

    Paths of instances are relative to `folder`: None is the file's own, of stdin and mappings the current
    one. Raises `InputError` with all its faults.
    """
    if isinstance(given, Mapping):
        document = parsed(dumps(dict(given)).encode(), "study")
        home = Path()
    else:
        document = load_toml(given)
        home = Path() if str(given) == "-" else Path(given).parent
    choose(document, (formats.STUDY,))
    wire = validated(document, StudyWire, _between(document))
    return _study(wire, document.source, home if folder is None else Path(folder))


def _study(wire: StudyWire, source: str, folder: Path) -> Study:
    seeds = wire.seeds
    return Study(
        name=wire.name,
        instances=wire.instances,
        solvers=_choices("solvers", wire.solvers or (), _configured),
        policies=_choices("policies", wire.policies or (), catalog.configure_policy),
        goals=tuple(dict.fromkeys(wire.objective or ())),
        seeds=None if seeds is None else tuple(seeds_of(seeds)),
        repetitions=wire.repetitions,
        time_limit=None if wire.time_limit is None else float(wire.time_limit),
        memory_limit=None if wire.memory_limit is None else float(wire.memory_limit),
        threads=wire.threads,
        workers=wire.workers,
        reference=wire.reference,
        series=wire.series,
        bound=not wire.no_bound,
        folder=folder,
        source=source,
        notes=wire.notes(),
    )


def _between(document: Document) -> Iterator[tuple[Location, str]]:
    """Yield what no single value shows: names and options that the catalog does not know, seeds as text."""
    tree = document.tree if isinstance(document.tree, dict) else {}
    for key, configure in (("solvers", _configured), ("policies", catalog.configure_policy)):
        given = tree.get(key)
        for index, entry in enumerate(given if isinstance(given, list) else []):
            yield from _choice_faults((key, index), entry, configure)
    if "solvers" not in tree and "policies" not in tree:
        yield ("solvers",), "is missing; a study needs solvers, or policies for grid systems"
    seeds = tree.get("seeds")
    # A list whose entries are wrong is left to the model, which tells each of them.
    if isinstance(seeds, str) or (
        isinstance(seeds, list) and seeds and all(type(one) is int and one >= 0 for one in seeds)
    ):
        try:
            seeds_of(seeds)
        except UsageError as error:
            yield ("seeds",), str(error)


def _choice_faults(place: Location, entry: object, configure: _Configure) -> Iterator[tuple[Location, str]]:
    """Yield what is wrong with one solver or policy; what is of a wrong type is left to the model."""
    if isinstance(entry, str) and entry.strip():
        yield from _fault(place, entry, {}, configure)
        return
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        return
    count = 1
    for values in entry.values():
        count *= len(values) if isinstance(values, list) else 1
    if count > MOST_CHOICES:
        yield place, f"its lists make {count} combinations; at most {MOST_CHOICES} are possible"
        return
    unknown = list(_fault((*place, "name"), entry["name"], {}, configure))
    if unknown:
        yield from unknown
        return
    for key, values in entry.items():
        for value in (values if isinstance(values, list) else [values]) if key != "name" else ():
            if isinstance(value, dict | list):
                continue
            faults = list(_fault((*place, key), entry["name"], {key: _text(value)}, configure))
            yield from faults
            if faults:
                break


def _fault(
    place: Location, name: str, options: Mapping[str, object], configure: _Configure
) -> Iterator[tuple[Location, str]]:
    try:
        configure(name, options)
    except UsageError as error:
        yield place, str(error)


def _configured(spec: str, options: Mapping[str, object] | None) -> tuple[catalog.Entry, dict[str, object]]:
    """As the catalog, with the values of options checked by the solver itself, as they are for policies."""
    entry, chosen = catalog.configure(spec, options)
    if chosen:
        entry.make(chosen)
    return entry, chosen


def _choices(key: str, given: tuple[Any, ...], configure: _Configure) -> tuple[Choice, ...]:
    """All that the list means, each once, in its order."""
    found: dict[str, Choice] = {}
    for index, written in enumerate(given):
        for name, options in _crossed(written):
            entry, chosen = configure(name, options)
            choice = Choice(entry.name, chosen, where((key, index)))
            found.setdefault(choice.label, choice)
    return tuple(found.values())


def _crossed(written: str | dict[str, Any]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the name with each combination of the values of its options."""
    if isinstance(written, str):
        yield written, {}
        return
    listed = {key: value for key, value in written.items() if key != "name"}
    axes = [value if isinstance(value, list) else [value] for value in listed.values()]
    for values in product(*axes):
        yield written["name"], {key: _text(value) for key, value in zip(listed, values, strict=True)}


def _text(value: object) -> str:
    """The value as the command line would take it; the catalog gives it the type that the option has."""
    return str(value).lower() if isinstance(value, bool) else str(value)
