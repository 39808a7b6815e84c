/**
 * TIFF's predictors, read only. `imagecodecs_delta` (array -> array; TIFF 6.0, section 14): differences of
 * neighbours along dimension `axis`, of floats those of their bits. `HorizontalDeltaCodec` of virtual-tiff is
 * the same along the last dimension. `imagecodecs_floatpred` (Technical Note 3): of a row along `axis`, the
 * last dimension or the one before it, all highest bytes, then all of the next, and so on, as differences of
 * bytes that are `dist` numbers apart. With `shape` (tifffile in v2, virtual-tiff) it is array -> array,
 * without (imagecodecs in v3) array -> bytes.
 * `{"id": "imagecodecs_delta", "axis": -2, "dist": 1, "shape": [256, 256, 3], "dtype": "<u2"}`
 */

import {
  ALIKE,
  type ArrayToArrayCodec,
  at,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  describe,
  type JsonObject,
  type Kernels,
  product,
  type ReadableEntry,
  readChoice,
  readInteger,
  readNumcodecs,
  readOnly,
  UnsupportedError,
  uint8,
  wrongMember,
} from "../../../core/for-codecs.js";
import { joinRows, loadTiff, sumRows } from "./kernels.js";
import type { Rows } from "./rows.js";

type Size = 1 | 2 | 4 | 8;
const SIZES: readonly Size[] = [1, 2, 4, 8];

/** Bytes of a number. @throws UnsupportedError for elements that are no numbers */
function sizeOf(codec: string, { dataType: { name, itemSize } }: ChunkSpec): Size {
  const size = /^(u?int|float)\d+$/.test(name) ? SIZES.find((each) => each === itemSize) : undefined;
  if (size !== undefined) return size;
  throw new UnsupportedError(`${codec} compresses integers and floats, got data type ${name}`, { codec });
}

/**
 * The rows of a chunk along `axis`.
 * @param lowest of the dimensions that it may be, counted from the last one
 */
function rowsOf(codec: string, configuration: JsonObject, spec: ChunkSpec, lowest: number): Rows {
  const shape = readShape(codec, configuration, spec);
  const rank = shape.length;
  const range = { minimum: -rank, maximum: rank - 1, absent: -1 };
  const axisOption = readInteger(codec, configuration, "axis", range);
  const axis = axisOption < 0 ? axisOption + rank : axisOption;
  if (axis < rank + lowest) throw wrongMember(codec, "axis", "one of the last two dimensions", axisOption);
  return {
    count: product(shape.slice(0, axis)),
    length: at(shape, axis),
    inner: product(shape.slice(axis + 1)),
  };
}

/** The shape of the chunk, which a configuration may state otherwise. */
function readShape(codec: string, { shape: json }: JsonObject, { shape }: ChunkSpec): readonly number[] {
  const stated = json ?? shape;
  const lengths = Array.isArray(stated) ? stated.filter((each) => typeof each === "number") : [];
  if (lengths.length > 0 && product(lengths) === product(shape) && lengths.every(Number.isInteger))
    return lengths;
  throw wrongMember(codec, "shape", `the shape of a chunk, ${describe([...shape])}`, json);
}

/** @throws InvalidMetadataError for another type than the chunk's; its byte order is that of the chunk */
function checkType(codec: string, { dtype }: JsonObject, { dataType: { name, itemSize } }: ChunkSpec): void {
  if (dtype === undefined || dtype === null) return;
  const kind = name.startsWith("uint") ? "u" : name.startsWith("int") ? "i" : "f";
  if (typeof dtype === "string" && dtype.replace(/^[<>|=]/, "") === `${kind}${itemSize}`) return;
  throw wrongMember(codec, "dtype", `the data type of the chunk, ${name}`, dtype);
}

function deltaCodec(codec: string, rows: Rows, spec: ChunkSpec): ArrayToArrayCodec {
  const size = sizeOf(codec, spec);
  return {
    kind: "array_to_array",
    encoded: spec,
    decode(elements, { kernels }) {
      const target = kernels.allocate(elements.length);
      sumRows(kernels, target, elements, size, rows);
      return target;
    },
  };
}

const predictor = (codec: string, entry: ReadableEntry): CodecEntry =>
  readOnly(codec, entry, "delta, zstd or gzip");

const MEMBERS = ["axis", "dist", "shape", "dtype"] as const;

export const delta: CodecEntry = predictor("imagecodecs_delta", {
  codecKind: "array_to_array",
  forms: { both: ALIKE },
  load: loadTiff,
  fromConfig(configuration, spec) {
    const codec = "imagecodecs_delta";
    readNumcodecs(codec, configuration, MEMBERS);
    sizeOf(codec, spec);
    checkType(codec, configuration, spec);
    readChoice(codec, configuration, "dist", [1], 1);
    return deltaCodec(codec, rowsOf(codec, configuration, spec, -spec.shape.length), spec);
  },
});

export const horizontalDelta: CodecEntry = predictor("HorizontalDeltaCodec", {
  codecKind: "array_to_array",
  forms: { only: "v3" },
  load: loadTiff,
  fromConfig(configuration, spec) {
    const codec = "HorizontalDeltaCodec";
    readNumcodecs(codec, configuration, []);
    return deltaCodec(codec, rowsOf(codec, {}, spec, -1), spec);
  },
});

export const floatpred: CodecEntry = predictor("imagecodecs_floatpred", {
  codecKind: "array_to_array",
  forms: { both: ALIKE },
  load: loadTiff,
  fromConfig(configuration, spec) {
    const codec = "imagecodecs_floatpred";
    readNumcodecs(codec, configuration, MEMBERS);
    const size = sizeOf(codec, spec);
    if (size === 1) throw new UnsupportedError(`${codec} needs numbers of several bytes`, { codec });
    checkType(codec, configuration, spec);
    const { count, length, inner } = rowsOf(codec, configuration, spec, -2);
    const dist = readChoice(codec, configuration, "dist", [1, 2, 4], 1);
    const byteLength = count * length * inner * size;
    const stride = inner * dist;
    if ((length * inner * size) % stride !== 0) {
      throw wrongMember(codec, "dist", "a divisor of the bytes of a row", dist);
    }
    const bytesRows: Rows = { count, length: (length * inner * size) / stride, inner: stride };
    const decode = (bytes: Uint8Array, { kernels }: { readonly kernels: Kernels }): Uint8Array => {
      if (bytes.length !== byteLength) {
        throw new CodecError(`expected ${byteLength} bytes of floats, got ${bytes.length}`, { codec });
      }
      const target = kernels.allocate(byteLength);
      const mark = kernels.mark();
      const sums = kernels.allocate(byteLength);
      sumRows(kernels, sums, bytes, 1, bytesRows);
      joinRows(kernels, target, sums, size, count, length * inner);
      kernels.release(mark);
      return target;
    };
    if (configuration.shape === undefined) {
      return {
        kind: "array_to_bytes",
        encodedByteLength: byteLength,
        scratchByteLength: 2 * byteLength,
        decode,
      };
    }
    // Bytes, which have no order of their own to change.
    const encoded: ChunkSpec = { shape: [byteLength], dataType: uint8, fillValue: 0 };
    return { kind: "array_to_array", encoded, decode };
  },
});
