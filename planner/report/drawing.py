"""What all pictures of this project share: size, colours, and how one becomes the bytes of a file.

The same data gives the same bytes: no dates, fixed ids, and matplotlib's own defaults whatever a person's
settings are. Colours are those of Okabe and Ito, told apart by all eyes, and each comes with a marker and a
line style of its own, so that a black and white print reads as well. Only functions import matplotlib.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from planner.report.names import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 7.5, 4.8
"""Inches: as wide as a page of text."""

DPI = 150

OWN = "#0072B2"
OTHERS = (
    ("#D55E00", "s", (0, (5, 2))),
    ("#009E73", "^", (0, (1, 1.5))),
    ("#CC79A7", "D", (0, (5, 1.5, 1, 1.5))),
    ("#E69F00", "v", (0, (3, 1, 1, 1, 1, 1))),
    ("#56B4E9", "P", (0, (8, 2))),
    ("#000000", "X", (0, (2, 2))),
)
"""Colour, marker and line of the other solvers, in turn."""

_SETTINGS: Any = {  # not every version of matplotlib types its settings in the same way
    "svg.hashsalt": "gridcloud-planner",
    "svg.fonttype": "none",  # text stays text: it can be searched, and the viewer's fonts have all letters
    "font.size": 10.0,
    "hatch.linewidth": 0.6,
    "path.simplify": False,
}
_NOT_XML = re.compile("[\ufffe\uffff]")


def as_svg(draw: Callable[[], Figure], title: str) -> str:
    """The figure that `draw` makes, as SVG text with that title."""
    with _drawing():
        buffer = io.StringIO()
        draw().savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Title": shown(title)})
    return buffer.getvalue()


def as_png(draw: Callable[[], Figure]) -> bytes:
    """The figure that `draw` makes, as PNG."""
    with _drawing():
        buffer = io.BytesIO()
        draw().savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


def shown(text: str) -> str:
    """Text from a file: nothing acts, XML takes it, and a legend does not take it for a private label."""
    safe = _NOT_XML.sub("\ufffd", visible(text))
    return f" {safe}" if safe.startswith("_") else safe


def bare(axes: Axes) -> None:
    """A light grid behind the data, and no frame at the top and on the right."""
    axes.grid(visible=True, color="0.85", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def titled(axes: Axes, title: str, below: str) -> None:
    """A title that says what is seen, and a smaller line below it."""
    axes.set_title(shown(title), fontsize=11, pad=20, parse_math=False)
    axes.annotate(
        shown(below),
        (0.5, 1),
        (0, 6),
        xycoords="axes fraction",
        textcoords="offset points",
        horizontalalignment="center",
        fontsize=9,
        color="0.3",
        parse_math=False,
    )


def legend(axes: Axes, place: Literal["upper right", "best"] = "upper right") -> None:
    """A legend of what has a label, where something has; names in it are no mathematics."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        for text in axes.legend(handles, labels, loc=place, frameon=True, fontsize=9).get_texts():
            text.set_parse_math(False)


def plain_log(axis: Axis) -> None:
    """Write the numbers of a logarithmic axis out: 1, 2, 5, 10 and so on."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


@contextmanager
def _drawing() -> Iterator[None]:
    """Matplotlib's defaults plus `_SETTINGS`; letters that its font lacks are no reason to speak."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield
