"""Between numpy arrays and the form in which cases and answers carry elements: little-endian bytes in C order, as hex."""

import numpy


def stored_dtype(data_type, endian="little"):
    """numpy's dtype for a Zarr data type name, in the given byte order."""
    return numpy.dtype(data_type).newbyteorder(">" if endian == "big" else "<")


def to_hex(array):
    array = numpy.asarray(array)
    return array.astype(array.dtype.newbyteorder("<"), order="C").tobytes().hex()


def from_hex(data_type, shape, text):
    return numpy.frombuffer(bytes.fromhex(text), stored_dtype(data_type)).reshape(shape)


def scalar_from_hex(data_type, text):
    """A numpy scalar, or None for no fill value."""
    return None if text is None else from_hex(data_type, (), text)[()]


def scalar_to_json(scalar):
    """A fill value as metadata documents of v2 and v3 spell it."""
    if scalar is None:
        return None
    value = scalar.item()
    if isinstance(value, float) and not numpy.isfinite(value):
        return "NaN" if numpy.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def written_regions(case):
    """The selections that a writer stores; chunks outside them stay absent and read as the fill value."""
    regions = case.get("written")
    if regions is None:
        return [tuple(slice(0, length) for length in case["shape"])]
    return [tuple(slice(start, stop) for start, stop in region) for region in regions]
