"""
Answers requests to write and read small arrays of any data type with one implementation.

    python data_types.py zarr_python_3|zarr_python_2|tensorstore|gdal < requests.json > answers.json

requests: {"write": [row, ...], "read": [{"store": {key: base64}, "zarr_format", "item_size"}, ...]}
row: {"zarr_format", "data_type": what the format's metadata says, "data": hex}; the data is four elements and the fill value, in
    memory order (little-endian), with commas between those of variable length ("string", "bytes"); the array has five elements in chunks of two, the last of which is never written.
answers: {"write": [{"store"} | {"error"}, ...], "read": [{"data": hex} | {"error"}, ...]}
"""

import json
import sys
import tempfile
import warnings

import files

warnings.simplefilter("ignore")


def tuples(dtype):
    """A v2 dtype as numpy wants it: fields as tuples."""
    if isinstance(dtype, list):
        return [tuple([name, tuples(of), *(tuple(extents) for extents in rest)]) for name, of, *rest in dtype]
    return dtype


def little(dtype):
    return dtype.newbyteorder("<")


def in_order(values, dtype):
    """Little-endian values in the byte order of a dtype, or the reverse; numpy's own cast leaves times without a unit as they are."""
    if dtype.kind in "mM" and dtype.str[0] != values.dtype.str[0]:
        return values.view("i8").byteswap().view(dtype)
    return values.astype(dtype)


def variable(row):
    """Strings or bytes as an array of objects; None for types of fixed size."""
    import numpy

    if row["data_type"] not in ("string", "bytes"):
        return None
    decoded = [bytes.fromhex(element) for element in row["data"].split(",")]
    values = numpy.empty(5, object)
    values[:] = [element.decode() for element in decoded] if row["data_type"] == "string" else decoded
    return values


def variable_hex(values):
    return ",".join((value.encode() if isinstance(value, str) else bytes(value)).hex() for value in values)


class ZarrPython3:
    def write(self, row, folder):
        import numpy
        import zarr
        from zarr.dtype import VariableLengthBytes, VariableLengthUTF8, parse_dtype

        values = variable(row)
        if values is not None:
            array = zarr.create_array(
                folder, shape=(5,), chunks=(2,), fill_value=values[4], zarr_format=row["zarr_format"], compressors=None,
                dtype=VariableLengthUTF8() if row["data_type"] == "string" else VariableLengthBytes(),
            )  # fmt: skip
            array[:4] = values[:4]
            return
        zarr_format = row["zarr_format"]
        given = tuples(row["data_type"])
        if zarr_format == 3 or row["data_type"] == "|O":
            given = parse_dtype(given, zarr_format=zarr_format)
            native = given.to_native_dtype()
        else:
            given = native = numpy.dtype(given)
        values = in_order(numpy.frombuffer(bytes.fromhex(row["data"]), little(native)), native)
        array = zarr.create_array(
            folder, shape=(5,), chunks=(2,), dtype=given, fill_value=values[4], zarr_format=zarr_format,
            compressors=None, filters=None, chunk_key_encoding=None,
        )  # fmt: skip
        array[:4] = values[:4]

    def read(self, folder, zarr_format, item_size):
        import zarr

        values = zarr.open_array(folder, mode="r", zarr_format=zarr_format)[...]
        if item_size == 0:
            return variable_hex(values)
        return in_order(values, little(values.dtype)).tobytes()


class ZarrPython2:
    def write(self, row, folder):
        import numcodecs
        import numpy
        import zarr

        values = variable(row)
        if values is not None:
            array = zarr.open_array(
                folder, mode="w", shape=(5,), chunks=(2,), dtype=object, compressor=None,
                # Bytes do not fit into its metadata; without a fill value it reads and writes none.
                fill_value=values[4] if row["data_type"] == "string" else None,
                object_codec=numcodecs.VLenUTF8() if row["data_type"] == "string" else numcodecs.VLenBytes(),
            )  # fmt: skip
            array[:4] = values[:4]
            return
        dtype = numpy.dtype(tuples(row["data_type"]))
        values = in_order(numpy.frombuffer(bytes.fromhex(row["data"]), little(dtype)), dtype)
        # Fill values of structs and raw bytes do not survive its comparison with zero.
        is_void = dtype.kind == "V"
        array = zarr.open_array(
            folder, mode="w", shape=(5,), chunks=(2,), dtype=dtype, compressor=None,
            fill_value=None if is_void else values[4], write_empty_chunks=is_void,
        )  # fmt: skip
        end = 5 if is_void else 4
        array[:end] = values[:end]

    def read(self, folder, zarr_format, item_size):
        import zarr

        values = zarr.open_array(folder, mode="r")[...]
        if item_size == 0:
            return variable_hex(values)
        return in_order(values, little(values.dtype)).tobytes()


class TensorStore:
    def write(self, row, folder):
        import numpy
        import tensorstore

        data_type = row["data_type"]
        if isinstance(data_type, dict) and data_type["name"] == "raw_bytes":
            raise NotImplementedError("TensorStore 0.1.86 aborts the process: a failed check in GetEffectiveDomain")
        path = {"kvstore": {"driver": "file", "path": folder + "/"}, "create": True}
        if row["zarr_format"] == 2:
            metadata = {"shape": [5], "chunks": [2], "dtype": data_type, "compressor": None, "filters": None, "order": "C"}
            spec = {"driver": "zarr", **path, "metadata": {**metadata, "fill_value": row["fill_value"]}}
        else:
            metadata = {
                "shape": [5], "data_type": data_type, "fill_value": row["fill_value"],
                "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
                "chunk_key_encoding": {"name": "default"},
                "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
            }  # fmt: skip
            spec = {"driver": "zarr3", **path, "metadata": metadata}
        array = tensorstore.open(spec).result()
        values = numpy.frombuffer(bytes.fromhex(row["data"]), array.dtype.numpy_dtype)
        array[:4].write(values[:4]).result()

    def read(self, folder, zarr_format, item_size):
        import numpy
        import tensorstore

        driver = "zarr" if zarr_format == 2 else "zarr3"
        kvstore = {"driver": "file", "path": folder + "/"}
        array = tensorstore.open({"driver": driver, "kvstore": kvstore}).result().read().result()
        elements = numpy.ascontiguousarray(array).tobytes()
        if len(elements) != 5 * item_size:
            raise NotImplementedError("raw bytes come as strings without their zeros")
        return elements


class Gdal:
    def write(self, row, folder):
        raise NotImplementedError("used as a reader only")

    def read(self, folder, zarr_format, item_size):
        from osgeo import gdal

        gdal.UseExceptions()
        dataset = gdal.OpenEx(folder, gdal.OF_MULTIDIM_RASTER)
        names = dataset.GetRootGroup().GetMDArrayNames()
        array = dataset.GetRootGroup().OpenMDArray(names[0])
        if array.GetDataType().GetSize() != item_size:
            raise NotImplementedError("elements come in another form: text, wider numbers, padded structs")
        return bytes(array.Read())


IMPLEMENTATIONS = {"zarr_python_3": ZarrPython3, "zarr_python_2": ZarrPython2, "tensorstore": TensorStore, "gdal": Gdal}


def written(implementation, row):
    with tempfile.TemporaryDirectory() as folder:
        implementation.write(row, folder)
        return {"store": files.encode(files.read_folder(folder))}


def read(implementation, request):
    with tempfile.TemporaryDirectory() as folder:
        files.write_folder(folder, files.decode(request["store"]))
        data = implementation.read(folder, request["zarr_format"], request["item_size"])
        return {"data": data if isinstance(data, str) else data.hex()}


def guarded(answer, implementation, request):
    try:
        return answer(implementation, request)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    implementation = IMPLEMENTATIONS[sys.argv[1]]()
    requests = json.load(sys.stdin)
    answers = {
        "write": [guarded(written, implementation, row) for row in requests["write"]],
        "read": [guarded(read, implementation, request) for request in requests["read"]],
    }
    json.dump(answers, sys.stdout)


main()
