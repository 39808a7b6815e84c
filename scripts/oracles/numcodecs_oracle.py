"""numcodecs on request. Reads a JSON list of requests from standard input, writes the list of answers to standard output.

A request has a numcodecs configuration `codec`, and either `recipe` and `length` (recipes.py: encode that) or `encoded` (base64: decode
that). An answer is `{"encoded": base64}`, `{"sha256": of the decoded bytes, "length": their number}` or `{"error": text}`. A blosc
configuration may have a `typesize`, which numcodecs otherwise takes from the array.

Elements that numpy holds as objects are `objects`, a list with its `shape`, or come with `"as_objects": true` beside `encoded` as `{"objects": list}`. A
byte string is `{"base64": text}`.
"""

import base64
import hashlib
import json
import sys

import numcodecs
import numpy
from recipes import make


def encode(codec: dict, recipe: str, length: int) -> bytes:
    configuration = dict(codec)
    typesize = configuration.pop("typesize", 1)
    data = numpy.frombuffer(make(recipe, length), "u1")
    if typesize > 1 and length % typesize == 0:
        data = data.view(f"V{typesize}")
    return bytes(numcodecs.get_codec(configuration).encode(data))


def decode(codec: dict, encoded: str) -> dict:
    configuration = {name: value for name, value in codec.items() if name != "typesize"}
    decoded = bytes(numcodecs.get_codec(configuration).decode(base64.b64decode(encoded)))
    return {"sha256": hashlib.sha256(decoded).hexdigest(), "length": len(decoded)}


def to_json(value: object) -> object:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def from_json(value: object) -> object:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value


def encode_objects(codec: dict, objects: list, shape: list) -> bytes:
    array = numpy.empty(len(objects), dtype=object)
    array[:] = [from_json(value) for value in objects]
    return bytes(numcodecs.get_codec(dict(codec)).encode(array.reshape(shape)))


def decode_objects(codec: dict, encoded: str) -> list:
    decoded = numcodecs.get_codec(dict(codec)).decode(base64.b64decode(encoded))
    return [to_json(value) for value in decoded.ravel().tolist()]


def answer(request: dict) -> dict:
    try:
        if "objects" in request:
            encoded = encode_objects(request["codec"], request["objects"], request["shape"])
            return {"encoded": base64.b64encode(encoded).decode()}
        if "as_objects" in request:
            return {"objects": decode_objects(request["codec"], request["encoded"])}
        if "encoded" in request:
            return decode(request["codec"], request["encoded"])
        encoded = encode(request["codec"], request["recipe"], request["length"])
        return {"encoded": base64.b64encode(encoded).decode()}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


json.dump([answer(request) for request in json.load(sys.stdin)], sys.stdout)
