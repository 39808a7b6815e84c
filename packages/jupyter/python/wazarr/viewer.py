"""The widget."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
import traitlets

from .answers import Answers
from .sources import shown_of


class Viewer(anywidget.AnyWidget):
    """A picture of two dimensions of an array, with a slider for each of the others.

    Traits change the picture, and follow what is done to it in the notebook.
    """

    _esm = pathlib.Path(__file__).parent / "widget.js"

    _path = traitlets.Unicode().tag(sync=True)
    #: The arrays that can be shown.
    variables = traitlets.Tuple().tag(sync=True)
    #: The array that is shown; "" for an image of OME-Zarr, and an array without a group.
    variable = traitlets.Unicode().tag(sync=True)
    #: The step: an index or a label by dimension, `{"time": "2026-03-05"}`. The viewer sets indices.
    selection = traitlets.Dict().tag(sync=True)
    #: A name of matplotlib, cmocean or ColorBrewer.
    colors = traitlets.Unicode("viridis").tag(sync=True)
    #: The values of the first and the last colour; None for those of the first picture.
    range = traitlets.List(traitlets.Float(), None, allow_none=True, minlen=2, maxlen=2).tag(sync=True)
    #: The place of the last click, [x, y] in coordinates of the data, or columns and rows where there are none.
    point = traitlets.List(traitlets.Float(), None, allow_none=True, minlen=2, maxlen=2).tag(sync=True)
    #: What is at the point: `values` by variable, `label`, `row` and `column`. Empty outside of the data.
    value = traitlets.Dict(read_only=True).tag(sync=True)
    #: Pixels of the picture.
    height = traitlets.Int(400).tag(sync=True)
    #: Whether all of the picture has arrived.
    is_complete = traitlets.Bool(False).tag(sync=True)

    def __init__(self, obj: Any, **traits: Any) -> None:
        shown = shown_of(obj, traits.get("variable"))
        first = {"variable": shown.variables[0] if shown.variables else ""}
        super().__init__(_path=shown.path, variables=shown.variables, **{**first, **traits})
        self._answers = Answers(shown.source, self.send)
        self.on_msg(lambda _, message, __: self._answers.receive(message))

    def set_state(self, sync_data: dict[str, Any]) -> None:
        # Read-only is for Python: the viewer says what the value is.
        value = sync_data.pop("value", None)
        if value is not None:
            self.set_trait("value", value)
        super().set_state(sync_data)

    def close(self) -> None:
        if hasattr(self, "_answers"):
            self._answers.close()
        super().close()


def view(
    obj: Any,
    *,
    variable: str | None = None,
    selection: Mapping[str, int | str] | None = None,
    colors: str = "viridis",
    range: Sequence[float] | None = None,
    height: int = 400,
) -> Viewer:
    """Shows an object in a notebook.

    obj: a store, a group or an array of zarr-python, a data set or an array of xarray, a session of Icechunk, or an
    address (a path or URL that `zarr.open` takes).
    variable: an array of the group; the one of the most dimensions unless given.
    selection: the step that is shown first; index 0 unless given.
    colors, range, height: see the traits of Viewer.

    Raises TypeError for another object, KeyError for an unknown variable, and what `zarr.open` raises.
    """
    chosen = {} if variable is None else {"variable": variable}
    return Viewer(
        obj,
        selection=dict(selection or {}),
        colors=colors,
        range=None if range is None else list(range),
        height=height,
        **chosen,
    )
