"""Where the bytes of keys come from, whatever object is shown."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, Protocol

import zarr
from zarr.abc.store import ByteRequest, Store
from zarr.buffer import default_buffer_prototype
from zarr.core.sync import sync


class Source(Protocol):
    """Values by key, as Zarr stores have them. Methods are called from several threads."""

    def get(self, key: str, byte_range: ByteRequest | None) -> bytes | None:
        """The value, or a range of it; None for a key that does not exist."""


@dataclass(frozen=True)
class Shown:
    """What a viewer opens."""

    source: Source
    #: The path of a group, or of an array without one around it.
    path: str
    #: Arrays of the group, the one that is shown first at the beginning.
    variables: tuple[str, ...]


class StoreSource:
    """A store of zarr-python, Icechunk's among them: bytes as they are stored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._prototype = default_buffer_prototype()

    def get(self, key: str, byte_range: ByteRequest | None) -> bytes | None:
        # zarr-python has a loop of its own, to which the connections of its stores belong.
        value = sync(self._store.get(key, self._prototype, byte_range))
        return None if value is None else value.to_bytes()


def shown_of(obj: Any, variable: str | None = None) -> Shown:
    """What is shown of an object.

    Raises TypeError for an object that is none of those that `view` takes, and KeyError for a variable that
    does not exist.
    """
    if isinstance(obj, str | os.PathLike):
        obj = zarr.open(os.fspath(obj), mode="r")
    elif isinstance(obj, Store):
        obj = zarr.open(obj, mode="r")
    elif isinstance(getattr(obj, "store", None), Store) and not isinstance(obj, zarr.Array | zarr.Group):
        obj = zarr.open(obj.store, mode="r")  # a session of Icechunk
    if isinstance(obj, zarr.Array):
        return _shown_array(obj)
    if isinstance(obj, zarr.Group):
        return Shown(StoreSource(obj.store), obj.path, _variables_of(obj, variable))
    xarray = sys.modules.get("xarray")
    if xarray is not None and isinstance(obj, xarray.DataArray):
        name = obj.name or "values"
        obj, variable = obj.to_dataset(name=name), name
    if xarray is not None and isinstance(obj, xarray.Dataset):
        from .datasets import DatasetSource

        ranks = {str(name): each.ndim for name, each in obj.data_vars.items()}
        return Shown(DatasetSource(obj), "", _ordered(ranks, set(), variable))
    raise TypeError(
        "expected a store, an array or a group of zarr, a data set of xarray, a session of Icechunk or an address, "
        f"got {type(obj).__name__}"
    )


def _shown_array(array: zarr.Array) -> Shown:
    # The group around it has the coordinates that label its steps.
    group, _, name = array.path.rpartition("/")
    return Shown(StoreSource(array.store), group, (name,) if name else ())


def _variables_of(group: zarr.Group, variable: str | None) -> tuple[str, ...]:
    attributes = dict(group.attrs)
    if variable is None and ("multiscales" in attributes or "ome" in attributes):
        return ()
    members = dict(group.arrays()) if group.store.supports_listing else {}
    if not members and variable is not None:
        return (variable,)
    names = {name for array in members.values() for name in _dimensions_of(array)}
    return _ordered({name: array.ndim for name, array in members.items()}, names, variable)


def _dimensions_of(array: zarr.Array) -> list[str]:
    named = getattr(array.metadata, "dimension_names", None) or array.attrs.get("_ARRAY_DIMENSIONS", [])
    return [name for name in named if isinstance(name, str)]


def _ordered(ranks: dict[str, int], coordinates: set[str], variable: str | None) -> tuple[str, ...]:
    """Pictures: arrays of two dimensions or more that are no coordinates, those of the most dimensions first."""
    if variable is not None and variable not in ranks:
        raise KeyError(f"no array {variable!r}; the arrays are {', '.join(sorted(ranks)) or 'none'}")
    pictures = [name for name, rank in ranks.items() if rank >= 2 and name not in coordinates]
    pictures.sort(key=lambda name: (name != variable, -ranks[name]))
    return tuple(pictures)
