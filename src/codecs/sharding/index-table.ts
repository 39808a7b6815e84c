/**
 * The index of a shard: where each inner chunk lies. Stored as pairs of uint64 (offset, length); 2^64 - 1 twice says that there
 * is none. Kept as doubles, which are exact to 2^53: no BigInt per entry.
 */
import { CodecError } from "../../errors.js";
import { planCopy } from "../../kernels/copy-plan.js";
import type { Kernels } from "../../kernels/kernels.js";
import { cOrderStrides } from "../array-stage.js";
import type { ChunkLocation, ShardLayout } from "../codec.js";
import { SHARDING } from "./configuration.js";

export interface ShardIndex {
  /** Byte offset of each inner chunk in the shard, by position in the index. */
  readonly offsets: Float64Array;
  /** Its encoded length; -1 for an inner chunk that is not there. */
  readonly lengths: Float64Array;
}

const MISSING = 0xffffffff;
const HIGH = 2 ** 32;

/**
 * Decodes and checks an index.
 * @param size bytes of the whole shard, where that is known
 * @throws CodecError for a wrong checksum or length, and for entries outside the shard or across the index
 */
export function decodeIndex(
  layout: ShardLayout,
  bytes: Uint8Array,
  size: number | undefined,
  kernels: Kernels,
  at: ChunkLocation,
): ShardIndex {
  const { index, innerCount, indexByteLength } = layout;
  if (bytes.length !== indexByteLength) {
    throw damaged(
      `expected an index of ${indexByteLength} bytes, got ${bytes.length}: the shard is truncated`,
      at,
    );
  }
  const words = new Uint32Array(4 * innerCount);
  const mark = kernels.mark();
  kernels.copy(copyOf(layout, "decode"), bytesOf(words), 0, index.decode(bytes, kernels, at), 0);
  kernels.release(mark);
  const offsets = new Float64Array(innerCount);
  const lengths = new Float64Array(innerCount);
  const first = layout.indexLocation === "start" ? indexByteLength : 0;
  const end =
    size === undefined
      ? Number.MAX_SAFE_INTEGER
      : size - (layout.indexLocation === "end" ? indexByteLength : 0);
  for (let i = 0, word = 0; i < innerCount; i++, word += 4) {
    const offsetLow = words[word] ?? 0;
    const offsetHigh = words[word + 1] ?? 0;
    const lengthLow = words[word + 2] ?? 0;
    const lengthHigh = words[word + 3] ?? 0;
    if (offsetLow === MISSING && offsetHigh === MISSING && lengthLow === MISSING && lengthHigh === MISSING) {
      lengths[i] = -1;
      continue;
    }
    const offset = offsetHigh * HIGH + offsetLow;
    const length = lengthHigh * HIGH + lengthLow;
    if (offset < first || offset + length > end) {
      throw damaged(
        `inner chunk ${i}: expected a place from byte ${first}${size === undefined ? "" : ` to ${end}`}, got ${length} bytes at ${offset}`,
        at,
      );
    }
    offsets[i] = offset;
    // An encoded chunk has bytes; writers that left empty entries meant chunks that are not there.
    lengths[i] = length === 0 ? -1 : length;
  }
  return { offsets, lengths };
}

/** The encoded index, memory of its own. */
export function encodeIndex(
  layout: ShardLayout,
  { offsets, lengths }: ShardIndex,
  kernels: Kernels,
): Uint8Array {
  const { index, innerCount } = layout;
  const words = new Uint32Array(4 * innerCount).fill(MISSING);
  for (let i = 0, word = 0; i < innerCount; i++, word += 4) {
    const length = lengths[i] ?? -1;
    if (length < 0) continue;
    const offset = offsets[i] ?? 0;
    words.set([offset % HIGH, Math.floor(offset / HIGH), length % HIGH, Math.floor(length / HIGH)], word);
  }
  const mark = kernels.mark();
  const elements = kernels.allocate(index.byteLength);
  kernels.copy(copyOf(layout, "encode"), elements, 0, bytesOf(words), 0);
  const encoded = index.encode(elements, kernels, { key: "", chunk: [] }).slice();
  kernels.release(mark);
  return encoded;
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer);
}

/** From the stored layout and byte order to C order in memory's, or back. */
function copyOf({ index, innerCount, gridShape }: ShardLayout, direction: "decode" | "encode") {
  // The index's own pipeline knows its shape, with the codec's order of dimensions; its strides tell the rest.
  const shape = index.shape;
  const plain = cOrderStrides(shape, 8);
  if (innerCount === 0) throw new RangeError(`a shard of no inner chunks: [${gridShape.join(", ")}]`);
  return planCopy({
    shape,
    targetStrides: direction === "decode" ? plain : index.strides,
    sourceStrides: direction === "decode" ? index.strides : plain,
    width: 8,
    swapUnit: index.swapUnit,
  });
}

export function damaged(message: string, at: ChunkLocation): CodecError {
  return new CodecError(message, { codec: SHARDING, ...at });
}
