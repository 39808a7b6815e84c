/**
 * The index of a shard: the byte range of each inner chunk. Stored as pairs of uint64 (offset, length); 2^64
 * - 1 twice marks a missing inner chunk. In memory both are doubles, which are exact to 2^53 and faster than
 * BigInts.
 */
import { float64At, uint32At } from "../../../base/at.js";
import { CodecError, placeOf } from "../../../base/errors.js";
import { cOrderStrides } from "../../../base/shape.js";
import { planCopy } from "../../../kernels/copy-plan.js";
import type { Kernels } from "../../../kernels/kernels.js";
import { type ChunkLocation, HERE, type ShardLayout } from "../pipeline.js";
import { SHARDING } from "./document.js";

/** A decoded index; entries are in the order of the stored index. */
export interface ShardIndex {
  /** Byte offset of each inner chunk in the shard; meaningless for a missing inner chunk. */
  readonly offsets: Float64Array;
  /** Encoded length in bytes of each inner chunk; -1 for a missing inner chunk. */
  readonly lengths: Float64Array;
}

/**
 * Decodes and checks an index.
 * @param size length of the whole shard in bytes, if it is known
 * @throws CodecError for a wrong checksum or length, and for entries that lie outside the shard or overlap
 * the index
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
  const first = layout.indexLocation === "start" ? indexByteLength : 0;
  const end =
    size === undefined
      ? Number.MAX_SAFE_INTEGER
      : Math.max(0, size - (layout.indexLocation === "end" ? indexByteLength : 0));
  const { offsets, lengths, checked } = kernels.within(indexScratch(layout), () => {
    const entries = kernels.allocate(16 * innerCount);
    kernels.copy(copyOf(layout, "decode"), entries, 0, index.decode(bytes, kernels, at), 0);
    return decodeEntries(entries, first, end);
  });
  if (checked === innerCount) return { offsets, lengths };
  throw damaged(
    `inner chunk ${checked}: expected a range from byte ${first}${size === undefined ? "" : ` to ${end}`}, got ${lengths[checked]} bytes at ${offsets[checked]}`,
    at,
  );
}

/** Encodes an index. The result is not arena memory. */
export function encodeIndex(layout: ShardLayout, shardIndex: ShardIndex, kernels: Kernels): Uint8Array {
  const { index, innerCount } = layout;
  return kernels.within(indexScratch(layout), () => {
    const entries = kernels.allocate(16 * innerCount);
    encodeEntries(entries, shardIndex);
    const elements = kernels.allocate(index.byteLength);
    kernels.copy(copyOf(layout, "encode"), elements, 0, entries, 0);
    return index.encode(elements, kernels, HERE).slice();
  });
}

/** Arena bytes that decoding or encoding the index needs. */
export function indexScratch({ index, innerCount }: ShardLayout): number {
  return 16 * innerCount + index.scratch();
}

/** Plans the copy from the stored layout and byte order to C order in memory's byte order, or back. */
function copyOf({ index, innerCount, gridShape }: ShardLayout, direction: "decode" | "encode") {
  // The index pipeline's shape has the dimensions in the sharding codec's order; its strides follow any
  // transpose of the index.
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
  return new CodecError(message, { codec: SHARDING, ...placeOf(at) });
}

const ONES = 0xffffffff;
const HIGH = 2 ** 32;

/**
 * Decodes pairs of uint64, each as two uint32, low before high: BigInts take ten times as long.
 * @param stored the pairs in memory order, aligned to 4 bytes
 * @returns `checked`: the position of the first inner chunk outside bytes `first` to `end` (exclusive),
 * after which nothing is decoded, or the number of entries if none is
 */
export function decodeEntries(
  stored: Uint8Array,
  first: number,
  end: number,
): ShardIndex & { readonly checked: number } {
  const count = stored.length / 16;
  const words = new Uint32Array(stored.buffer, stored.byteOffset, 4 * count);
  const offsets = new Float64Array(count);
  const lengths = new Float64Array(count);
  for (let i = 0, word = 0; i < count; i++, word += 4) {
    const offsetLow = uint32At(words, word);
    const offsetHigh = uint32At(words, word + 1);
    const lengthLow = uint32At(words, word + 2);
    const lengthHigh = uint32At(words, word + 3);
    if ((offsetLow & offsetHigh & lengthLow & lengthHigh) === -1) {
      offsets[i] = 0;
      lengths[i] = -1;
      continue;
    }
    const offset = offsetHigh * HIGH + offsetLow;
    const length = lengthHigh * HIGH + lengthLow;
    offsets[i] = offset;
    lengths[i] = length === 0 ? -1 : length;
    if (offset < first || offset + length > end) return { offsets, lengths, checked: i };
  }
  return { offsets, lengths, checked: count };
}

/** Encodes the entries into `stored`: pairs of uint64, aligned to 4 bytes. */
export function encodeEntries(stored: Uint8Array, { offsets, lengths }: ShardIndex): void {
  const words = new Uint32Array(stored.buffer, stored.byteOffset, 4 * lengths.length);
  for (let i = 0, word = 0; i < lengths.length; i++, word += 4) {
    const offset = float64At(offsets, i);
    const length = float64At(lengths, i);
    const isMissing = length < 0;
    words[word] = isMissing ? ONES : offset;
    words[word + 1] = isMissing ? ONES : offset / HIGH;
    words[word + 2] = isMissing ? ONES : length;
    words[word + 3] = isMissing ? ONES : length / HIGH;
  }
}
