"""Stores as {key: bytes}, and the folders that the libraries read and write them in."""

import base64
import os


def read_folder(folder, prefix=""):
    """Every file below `folder` by its key, which begins with "/"."""
    store = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                store[prefix + "/" + os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return dict(sorted(store.items()))


def write_folder(folder, store):
    for key, value in store.items():
        path = os.path.join(folder, key.lstrip("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(value)


def encode(store):
    return {key: base64.b64encode(value).decode() for key, value in store.items()}


def decode(store):
    return {key: base64.b64decode(value) for key, value in store.items()}
