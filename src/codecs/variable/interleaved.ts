/**
 * Interleaved elements (array -> bytes): a u32 count, then each element behind a u32 of its length, all little-endian.
 * `vlen-utf8` and `vlen-bytes` of numcodecs and zarr-extensions, and `zarrs.vlen_v2`
 * (https://codec.zarrs.dev/array_to_bytes/vlen_v2); the bytes are the same, so each takes text and bytes alike.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/vlen-utf8
 * Deviation: trailing bytes, which zarrs ignores, are an error.
 * `{"name": "vlen-utf8", "configuration": {}}`
 */
import { CodecError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import { loadStrings, stringsOf } from "../../kernels/strings.js";
import type { ArrayToBytesCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { readConfiguration } from "../configuration.js";
import { checkColumnType, checkReach, columnOf, countOf, type PlainColumn, plain } from "./columns.js";

export function interleavedCodec(name: string): CodecEntry {
  return {
    kind: "array_to_bytes",
    async load(kernels) {
      await loadStrings(kernels);
    },
    fromConfig(configuration, spec): ArrayToBytesCodec {
      readConfiguration(name, configuration, []);
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
      `expected at least ${headers} bytes for ${count} elements, got ${bytes.length}: the chunk is truncated or not of this array`,
    );
  }
  const claimed = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  if (claimed !== count) {
    throw new CodecError(`expected ${count} elements, got a chunk of ${claimed}: it is not of this array`);
  }
  const length = bytes.length - headers;
  checkReach(length);
  const data = new Uint8Array(length);
  const offsets = new Int32Array(count + 1);
  const done = stringsOf(kernels).deinterleave(data, offsets, bytes.subarray(4));
  const end = offsets[done] ?? 0;
  if (done < count) {
    throw new CodecError(
      `expected the end of element ${done} within the chunk's ${bytes.length} bytes, got a length that leads beyond: truncated or damaged`,
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
