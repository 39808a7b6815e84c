/**
 * `vlen-array` (array -> bytes) of numcodecs: elements are one-dimensional arrays of numbers, interleaved with their lengths in bytes.
 * https://numcodecs.readthedocs.io/en/stable/other/vlen.html
 * An element is the data type's own array (Int32Array, ...), memory of its own. Writing takes any array of such scalars; the
 * fill values null and 0 stand for an empty one. Of text and bytes (v3, as zarrs has it) elements are what they are and `dtype` is
 * not needed.
 * `{"id": "vlen-array", "dtype": "<i4"}`
 */
import type { DataType, Endian } from "../../data-types/data-type.js";
import { resolveDataType, withAllDataTypes } from "../../data-types/registry.js";
import { CodecError, InvalidArgumentError, InvalidMetadataError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import { loadStrings } from "../../kernels/strings.js";
import type { ArrayToBytesCodec, CodecEntry, VariableElements } from "../codec.js";
import { readConfiguration } from "../configuration.js";
import { checkType, concatenated, countOf, isColumnType } from "./columns.js";
import { decodeInterleaved, encodeInterleaved, interleavedColumns } from "./interleaved.js";
import { objectsOf } from "./objects.js";

const CODEC = "vlen-array";

const vlenArray: CodecEntry = {
  kind: "array_to_bytes",
  fromConfig() {
    throw new InvalidMetadataError("a vlen-array codec is prepared with its data type", { codec: CODEC });
  },
  async prepare({ configuration }, { spec, kernels }): Promise<ArrayToBytesCodec> {
    const { dtype } = readConfiguration(CODEC, configuration, ["dtype"]);
    await loadStrings(kernels);
    if (isColumnType(spec)) return interleavedColumns(spec);
    checkType(CODEC, spec, ["object"]);
    if (dtype === undefined) {
      throw new InvalidMetadataError("expected a data type of the arrays, got nothing", {
        codec: CODEC,
        member: "configuration.dtype",
      });
    }
    const { dataType, endian = "little" } = await withAllDataTypes(() => resolveDataType(dtype));
    const count = countOf(spec);
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => decode(bytes, count, dataType, endian, kernels),
        encode: (elements, kernels) => encode(elements, dataType, endian, kernels),
      },
    };
  },
};
export default vlenArray;

function decode(
  bytes: Uint8Array,
  count: number,
  dataType: DataType,
  endian: Endian,
  kernels: Kernels,
): unknown[] {
  const { itemSize } = dataType;
  const { offsets, data } = decodeInterleaved(bytes, count, kernels);
  return Array.from({ length: count }, (_, i) => {
    // A copy, which lies as the array class wants it.
    const element = data.slice(offsets[i], offsets[i + 1]);
    if (element.length % itemSize !== 0) {
      throw new CodecError(
        `expected a multiple of ${itemSize} bytes in element ${i}, an array of ${dataType.name}, got ${element.length}`,
        { offset: i },
      );
    }
    if (endian === "big") kernels.swap(element, element, dataType.swapUnit);
    return dataType.view(element);
  });
}

function encode(
  elements: VariableElements,
  dataType: DataType,
  endian: Endian,
  kernels: Kernels,
): Uint8Array {
  const parts = objectsOf(elements).map((value, i) => {
    const bytes = elementBytes(value, dataType, i);
    if (endian === "little") return bytes;
    const swapped = new Uint8Array(bytes.length);
    kernels.swap(swapped, bytes, dataType.swapUnit);
    return swapped;
  });
  return encodeInterleaved(concatenated(parts), kernels);
}

function elementBytes(value: unknown, dataType: DataType, index: number): Uint8Array {
  if (value === null || value === undefined || value === 0) return new Uint8Array(0);
  const own = dataType.bytesOf(value);
  if (own !== undefined) return own;
  if (!Array.isArray(value)) {
    throw new InvalidArgumentError(
      `expected an array of ${dataType.name} in element ${index}, got ${typeof value}`,
    );
  }
  const { itemSize } = dataType;
  const bytes = new Uint8Array(value.length * itemSize);
  for (const [i, scalar] of value.entries()) {
    dataType.writeScalar(dataType.cast(scalar), bytes.subarray(i * itemSize, (i + 1) * itemSize));
  }
  return bytes;
}
