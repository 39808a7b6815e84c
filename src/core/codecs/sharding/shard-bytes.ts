/** The bytes of a shard: encoded inner chunks and their index. */
import { float64At } from "../../../base/at.js";
import type { Kernels } from "../../../kernels/kernels.js";
import { concatenate } from "../decoder-result.js";
import { HERE, type ShardLayout } from "../pipeline.js";
import { damaged, decodeIndex, encodeIndex } from "./index-table.js";

/** Views of the encoded inner chunks, by position in the index; undefined for missing ones. */
export function cut(layout: ShardLayout, bytes: Uint8Array, kernels: Kernels): (Uint8Array | undefined)[] {
  const { indexByteLength, indexLocation } = layout;
  if (bytes.length < indexByteLength) {
    throw damaged(`expected at least ${indexByteLength} bytes of index, got ${bytes.length}`, HERE);
  }
  const table =
    indexLocation === "start" ? bytes.subarray(0, indexByteLength) : bytes.subarray(-indexByteLength);
  const { offsets, lengths } = decodeIndex(layout, table, bytes.length, kernels, HERE);
  return Array.from(lengths, (length, position) => {
    const begin = float64At(offsets, position);
    return length < 0 ? undefined : bytes.subarray(begin, begin + length);
  });
}

/** Makes a shard of encoded inner chunks, in the order of their positions in the index. */
export function join(layout: ShardLayout, pieces: readonly Uint8Array[], kernels: Kernels): Uint8Array {
  const { indexByteLength, indexLocation } = layout;
  const lengths = Float64Array.from(pieces, ({ length }) => length);
  let end = indexLocation === "start" ? indexByteLength : 0;
  const offsets = lengths.map((length) => {
    end += length;
    return end - length;
  });
  const index = encodeIndex(layout, { offsets, lengths }, kernels);
  return concatenate(indexLocation === "start" ? [index, ...pieces] : [...pieces, index]);
}
