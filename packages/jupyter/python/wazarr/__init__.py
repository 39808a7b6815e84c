"""Zarr in a notebook: `wazarr.view(obj)` shows stores, arrays and data sets, without a server."""

from .viewer import Viewer, view

__all__ = ["Viewer", "view"]
