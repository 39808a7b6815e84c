/**
 * Interleaved elements (array -> bytes): a u32 count, then for each element a u32 length and its bytes, all
 * little-endian. `vlen-utf8` and `vlen-bytes` of numcodecs and zarr-extensions, and `zarrs.vlen_v2`
 * (https://codec.zarrs.dev/array_to_bytes/vlen_v2). All have the same format, so each accepts text and bytes.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-utf8 Also `<U4` of v2 with the
 * filter `vlen-utf8` and `|S4` with `vlen-bytes`, as zarr-python 3.0 wrote them: without the zeros at the end
 * of an element.
 * Deviation: trailing bytes, which zarrs ignores, are an error.
 * `{"name": "vlen-utf8", "configuration": {}}`
 */

import {
  ALIKE,
  type ArrayToBytesCodec,
  at,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  type CodecForms,
  checkColumnType,
  checkReach,
  checkType,
  codePoints,
  columnOf,
  concatenated,
  countOf,
  type DataType,
  type Endian,
  InvalidArgumentError,
  InvalidMetadataError,
  isColumnType,
  type Kernels,
  loadStrings,
  type PlainColumn,
  plain,
  readConfiguration,
  readText,
  resolveDataType,
  stringsOf,
  type VariableElements,
  withAllDataTypes,
  withoutTrailingZeros,
  writeText,
  wrongMember,
} from "../../core/for-codecs.js";
import { objectsOf } from "./objects.js";

function interleavedCodec(name: string, forms: CodecForms): CodecEntry {
  return {
    codecKind: "array_to_bytes",
    forms,
    async load(kernels) {
      await loadStrings(kernels);
    },
    fromConfig(configuration, spec): ArrayToBytesCodec {
      readConfiguration(name, configuration, []);
      const elements = spec.dataType.itemSize > 0 ? interleavedElements(name, spec) : undefined;
      if (elements !== undefined) return elements;
      checkColumnType(name, spec);
      return interleavedColumns(spec);
    },
  };
}

export function interleavedColumns(spec: ChunkSpec): ArrayToBytesCodec {
  const count = countOf(spec);
  return {
    kind: "array_to_bytes",
    variable: {
      decode: (bytes, kernels) => decodeInterleaved(bytes, count, kernels),
      encode: (elements, kernels) =>
        encodeInterleaved(plain(stringsOf(kernels), columnOf(elements)), kernels),
    },
  };
}

/** @throws CodecError for another count, an element that does not end within `bytes`, and trailing bytes */
export function decodeInterleaved(bytes: Uint8Array, count: number, kernels: Kernels): PlainColumn {
  const headers = 4 + 4 * count;
  if (bytes.length < headers) {
    throw new CodecError(
      `expected at least ${headers} bytes for ${count} elements, got ${bytes.length}: the chunk is truncated or belongs to another array`,
    );
  }
  const claimed = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  if (claimed !== count) {
    throw new CodecError(
      `expected ${count} elements, got a chunk of ${claimed}: it belongs to another array`,
    );
  }
  const length = bytes.length - headers;
  checkReach(length);
  const data = new Uint8Array(length);
  const offsets = new Int32Array(count + 1);
  const done = stringsOf(kernels).deinterleave(data, offsets, bytes.subarray(4));
  const end = at(offsets, done);
  if (done < count) {
    throw new CodecError(
      `expected the end of element ${done} within the chunk's ${bytes.length} bytes, got a length that reaches beyond them: the chunk is truncated or damaged`,
      { offset: done },
    );
  }
  if (end < length) {
    throw new CodecError(
      `expected ${bytes.length - length + end} bytes for ${count} elements, got ${bytes.length}`,
      {
        offset: bytes.length - length + end,
      },
    );
  }
  return { offsets, data };
}

export function encodeInterleaved({ offsets, data }: PlainColumn, kernels: Kernels): Uint8Array {
  const count = offsets.length - 1;
  const encoded = new Uint8Array(4 + 4 * count + data.length);
  new DataView(encoded.buffer).setUint32(0, count, true);
  stringsOf(kernels).interleave(encoded.subarray(4), data, offsets);
  return encoded;
}

/** Converts the stored text or bytes of one element to an element of fixed size in memory order, and back. */
interface ElementCodec {
  /** @returns false if the element has no room for `stored` */
  write(target: Uint8Array, stored: Uint8Array): boolean;
  read(element: Uint8Array): Uint8Array;
}

/**
 * The codec for a data type of fixed size.
 * @returns undefined if the codec of this name does not support the data type
 */
function interleavedElements(codec: string, spec: ChunkSpec): ArrayToBytesCodec | undefined {
  const { itemSize, name } = spec.dataType;
  const element = ELEMENTS.get(`${name} as ${codec}`);
  if (element === undefined) return undefined;
  const count = countOf(spec);
  const at = (elements: Uint8Array, i: number): Uint8Array =>
    elements.subarray(i * itemSize, (i + 1) * itemSize);
  return {
    kind: "array_to_bytes",
    decode(bytes, { kernels }) {
      const { offsets, data } = decodeInterleaved(bytes, count, kernels);
      const elements = kernels.allocate(count * itemSize);
      elements.fill(0);
      for (let i = 0; i < count; i++) {
        if (element.write(at(elements, i), data.subarray(offsets[i], offsets[i + 1]))) continue;
        throw new CodecError(`expected at most ${itemSize} bytes of ${name}, got more at element ${i}`, {
          offset: i,
        });
      }
      return elements;
    },
    encode(elements, { kernels }: { readonly kernels: Kernels }) {
      const stored = Array.from({ length: count }, (_, i) => element.read(at(elements, i)));
      return encodeInterleaved(concatenated(stored), kernels);
    },
  };
}

const TEXT: ElementCodec = {
  write(target, stored) {
    const points = codePoints(textOf(stored)) ?? [];
    if (4 * points.length > target.length) return false;
    writeText(points, target, target.length / 4);
    return true;
  },
  read: (element) => new TextEncoder().encode(readText(element, element.length / 4)),
};

const BYTES: ElementCodec = {
  write(target, stored) {
    if (stored.length > target.length) return false;
    target.set(stored);
    return true;
  },
  read: withoutTrailingZeros,
};

const ELEMENTS: ReadonlyMap<string, ElementCodec> = new Map([
  ["fixed_length_utf32 as vlen-utf8", TEXT],
  ["null_terminated_bytes as vlen-bytes", BYTES],
]);

function textOf(stored: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(stored);
  } catch (cause) {
    throw new CodecError("expected UTF-8, got other bytes", { cause });
  }
}

export const vlenUtf8: CodecEntry = interleavedCodec("vlen-utf8", { both: ALIKE, objects: "strings" });
export const vlenBytes: CodecEntry = interleavedCodec("vlen-bytes", { both: ALIKE, objects: "others" });
export const zarrsVlenV2: CodecEntry = interleavedCodec("zarrs.vlen_v2", { only: "v3" });

const VLEN_ARRAY = "vlen-array";

/**
 * `vlen-array` (array -> bytes) of numcodecs: elements are one-dimensional arrays of numbers.
 * https://numcodecs.readthedocs.io/en/stable/other/vlen.html Reading gives typed arrays of `dtype`
 * (Int32Array, ...), each in its own memory. Writing accepts any array of such scalars; the fill values null
 * and 0 are written as an empty array. For the data types of text and bytes (v3, as in zarrs) elements are
 * text or bytes, and `dtype` is not needed.
 * `{"id": "vlen-array", "dtype": "<i4"}`
 */
export const vlenArray: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { objects: "others" },
  fromConfig() {
    throw new InvalidMetadataError("this codec cannot be used without an array", {
      codec: VLEN_ARRAY,
    });
  },
  async prepare({ configuration }, { spec, kernels }): Promise<ArrayToBytesCodec> {
    const { dtype } = readConfiguration(VLEN_ARRAY, configuration, ["dtype"]);
    await loadStrings(kernels);
    if (isColumnType(spec)) return interleavedColumns(spec);
    checkType(VLEN_ARRAY, spec, ["object"]);
    if (dtype === undefined) throw wrongMember(VLEN_ARRAY, "dtype", "a data type of the arrays", undefined);
    const { dataType, endian = "little" } = await withAllDataTypes(() => resolveDataType(dtype));
    const count = countOf(spec);
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => decodeArrays(bytes, count, dataType, endian, kernels),
        encode: (elements, kernels) => encodeArrays(elements, dataType, endian, kernels),
      },
    };
  },
};

function decodeArrays(
  bytes: Uint8Array,
  count: number,
  dataType: DataType,
  endian: Endian,
  kernels: Kernels,
): unknown[] {
  const { itemSize } = dataType;
  const { offsets, data } = decodeInterleaved(bytes, count, kernels);
  return Array.from({ length: count }, (_, i) => {
    // A copy, because typed arrays need an aligned offset.
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

function encodeArrays(
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
  const encodedElement = dataType.bytesOf(value);
  if (encodedElement !== undefined) return encodedElement;
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
