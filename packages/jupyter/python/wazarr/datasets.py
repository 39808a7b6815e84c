"""A data set of xarray as a store of Zarr: its chunks are made when they are read, and kept nowhere."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import xarray
import zarr
from zarr.abc.store import ByteRequest, OffsetByteRequest, RangeByteRequest, SuffixByteRequest
from zarr.storage import MemoryStore

from .sources import StoreSource

#: Elements along y and x of a chunk.
SIDE = 512
#: Variables of fewer elements are written when the data set is opened, as are dates and strings.
SMALL = 1 << 16


class DatasetSource:
    def __init__(self, dataset: xarray.Dataset) -> None:
        self._large = {
            str(name): variable
            for name, variable in dataset.variables.items()
            if variable.dtype.kind in "biufc" and variable.ndim >= 2 and variable.size >= SMALL
        }
        store = MemoryStore()
        # The codecs of the file that it was read from are not those of Zarr v3.
        small = dataset.drop_vars(list(self._large)).drop_encoding()
        for name, variable in small.variables.items():
            variable.encoding.update(_mapping_of(dataset.variables[name]))
        small.to_zarr(store, zarr_format=3, consolidated=False)
        group = zarr.open_group(store, mode="r+")
        self._chunks = {name: _create(group, name, variable) for name, variable in self._large.items()}
        self._documents = StoreSource(store)

    def get(self, key: str, byte_range: ByteRequest | None) -> bytes | None:
        name, is_chunk, place = key.partition("/c/")
        variable = self._large.get(name)
        if not is_chunk or variable is None:
            return self._documents.get(key, byte_range)
        value = _chunk(variable, self._chunks[name], tuple(map(int, place.split("/"))))
        return value if value is None or byte_range is None else _part(value, byte_range)


def _create(group: zarr.Group, name: str, variable: xarray.Variable) -> tuple[int, ...]:
    chunks = (1,) * (variable.ndim - 2) + tuple(min(length, SIDE) for length in variable.shape[-2:])
    attributes = {**_mapping_of(variable), **variable.attrs}
    group.create_array(
        name,
        shape=variable.shape,
        chunks=chunks,
        dtype=variable.dtype.newbyteorder("="),
        filters=None,
        compressors=None,
        dimension_names=[str(each) for each in variable.dims],
        attributes={str(key): _json(value) for key, value in attributes.items()},
    )
    return chunks


def _mapping_of(variable: xarray.Variable) -> dict[str, Any]:
    """xarray decodes the name of the CRS's variable, as it does units of dates; a picture needs only the former."""
    return {key: variable.encoding[key] for key in ("grid_mapping",) if key in variable.encoding}


def _chunk(variable: xarray.Variable, chunks: tuple[int, ...], place: tuple[int, ...]) -> bytes | None:
    """A whole chunk in C order, also beyond the edge of the array; None outside of the grid."""
    grid = tuple(math.ceil(length / chunk) for length, chunk in zip(variable.shape, chunks, strict=True))
    if len(place) != len(grid) or any(index >= count for index, count in zip(place, grid, strict=True)):
        return None
    region = tuple(slice(index * chunk, (index + 1) * chunk) for index, chunk in zip(place, chunks, strict=True))
    values = variable[region].to_numpy()
    missing = [(0, chunk - length) for chunk, length in zip(chunks, values.shape, strict=True)]
    return np.pad(values, missing).astype(variable.dtype.newbyteorder("<"), copy=False).tobytes()


def _part(value: bytes, byte_range: ByteRequest) -> bytes:
    match byte_range:
        case RangeByteRequest(start, end):
            return value[start:end]
        case OffsetByteRequest(offset):
            return value[offset:]
        case SuffixByteRequest(suffix):
            return value[-suffix:] if suffix > 0 else b""


def _json(value: Any) -> Any:
    """Attributes may have numbers and arrays of NumPy."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else value
