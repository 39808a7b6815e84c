"""Prints, as JSON, this Python's own version and those of the modules named on the command line (null: not importable)."""

import importlib
import importlib.metadata
import json
import platform
import sys

versions = {"executable": sys.executable, "python": platform.python_version()}
for name in sys.argv[1:]:
    try:
        module = importlib.import_module(name)
        versions[name.split(".")[-1]] = getattr(module, "__version__", None) or importlib.metadata.version(name)
    except Exception:  # a module that is there but does not import is as good as missing
        versions[name.split(".")[-1]] = None
print(json.dumps(versions))
