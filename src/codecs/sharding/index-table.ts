/**
 * The index of a shard: the byte range of each inner chunk. Stored as pairs of uint64 (offset, length); 2^64 - 1 twice marks a missing
 * inner chunk. In memory both are doubles, which are exact to 2^53 and faster than BigInts.
 */
import { CodecError } from "../../errors.js";
import { planCopy } from "../../kernels/copy-plan.js";
import type { Kernels } from "../../kernels/kernels.js";
import shardsModule from "../../kernels/modules/shards.generated.js";
import { cOrderStrides } from "../../shape.js";
import { lazyKernelModule } from "../kernel-modules.js";
import { type ChunkLocation, HERE, type ShardLayout } from "../pipeline.js";

export const SHARDING = "sharding_indexed";

/** A decoded index; entries are in the order of the stored index. */
export type ShardIndex = Entries;

/**
 * Decodes and checks an index.
 * @param size length of the whole shard in bytes, if it is known
 * @throws CodecError for a wrong checksum or length, and for entries that lie outside the shard or overlap the index
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
  const mark = kernels.mark();
  const entries = kernels.allocate(16 * innerCount);
  kernels.copy(copyOf(layout, "decode"), entries, 0, index.decode(bytes, kernels, at), 0);
  const { offsets, lengths, checked } = decodeEntries(kernels, entries, first, end);
  kernels.release(mark);
  if (checked === innerCount) return { offsets, lengths };
  throw damaged(
    `inner chunk ${checked}: expected a place from byte ${first}${size === undefined ? "" : ` to ${end}`}, got ${lengths[checked]} bytes at ${offsets[checked]}`,
    at,
  );
}

/** Encodes an index. The result is not arena memory. */
export function encodeIndex(layout: ShardLayout, shardIndex: ShardIndex, kernels: Kernels): Uint8Array {
  const { index, innerCount } = layout;
  const mark = kernels.mark();
  const entries = kernels.allocate(16 * innerCount);
  encodeEntries(kernels, entries, shardIndex);
  const elements = kernels.allocate(index.byteLength);
  kernels.copy(copyOf(layout, "encode"), elements, 0, entries, 0);
  const encoded = index.encode(elements, kernels, HERE).slice();
  kernels.release(mark);
  return encoded;
}

/** Arena bytes that decoding or encoding the index needs. */
export function indexScratch({ index, innerCount }: ShardLayout): number {
  return (16 + ENTRY_SCRATCH) * innerCount + 2 * index.byteLength + index.scratchByteLength + 65536;
}

/** Plans the copy from the stored layout and byte order to C order in memory's byte order, or back. */
function copyOf({ index, innerCount, gridShape }: ShardLayout, direction: "decode" | "encode") {
  // The index pipeline's shape has the dimensions in the sharding codec's order; its strides follow any transpose of the index.
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

const kernelModule = lazyKernelModule("shards", shardsModule);

/** Loads the WASM module; without it decodeEntries and encodeEntries run in JavaScript. */
export async function loadShardKernels(kernels: Kernels): Promise<void> {
  await kernelModule.load(kernels);
}

/** Arena bytes that `decodeEntries` and `encodeEntries` need for each entry, besides the stored entries. */
const ENTRY_SCRATCH = 16;

interface Entries {
  /** Byte offset of each inner chunk in the shard; meaningless for a missing inner chunk. */
  readonly offsets: Float64Array;
  /** Encoded length in bytes of each inner chunk; -1 for a missing inner chunk. */
  readonly lengths: Float64Array;
}

/**
 * @param stored pairs of uint64 in memory order, aligned to 8 bytes
 * @returns `checked`: the position of the first inner chunk outside bytes `first` to `end` (exclusive), or the number of entries if none is
 */
export function decodeEntries(
  kernels: Kernels,
  stored: Uint8Array,
  first: number,
  end: number,
): Entries & { readonly checked: number } {
  const count = stored.length / 16;
  const module = kernelModule.of(kernels);
  if (module !== undefined) {
    const mark = kernels.mark();
    const both = kernels.allocate(16 * count);
    const [from, to] = [module.pointer(stored), module.pointer(both)];
    if (from !== undefined && to !== undefined) {
      const checked = module.exports.decodeEntries?.(to, to + 8 * count, from, count, first, end) ?? 0;
      const numbers = new Float64Array(both.slice().buffer);
      kernels.release(mark);
      return {
        offsets: numbers.subarray(0, count),
        lengths: numbers.subarray(count),
        checked: checked >>> 0,
      };
    }
    kernels.release(mark);
  }
  const offsets = new Float64Array(count);
  const lengths = new Float64Array(count);
  const words = new Uint32Array(stored.buffer, stored.byteOffset, 4 * count);
  return { offsets, lengths, checked: decodeEntriesInJavaScript(offsets, lengths, words, first, end) };
}

/** Encodes the entries into `stored`: pairs of uint64, aligned to 8 bytes. */
export function encodeEntries(kernels: Kernels, stored: Uint8Array, { offsets, lengths }: Entries): void {
  const count = lengths.length;
  const module = kernelModule.of(kernels);
  if (module !== undefined) {
    const mark = kernels.mark();
    const both = kernels.allocate(16 * count);
    const [from, to] = [module.pointer(both), module.pointer(stored)];
    if (from !== undefined && to !== undefined) {
      both.set(bytesOf(offsets));
      both.set(bytesOf(lengths), 8 * count);
      module.exports.encodeEntries?.(to, from, from + 8 * count, count);
      kernels.release(mark);
      return;
    }
    kernels.release(mark);
  }
  encodeEntriesInJavaScript(new Uint32Array(stored.buffer, stored.byteOffset, 4 * count), offsets, lengths);
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

// The same as assembly/shards.ts in JavaScript. A uint64 is two uint32, low before high: BigInts take ten times as long.

const ONES = 0xffffffff;
const HIGH = 2 ** 32;

/** Stops at the first entry outside `first` to `end`, and stores its numbers for the error. @returns its position, or the number of entries */
function decodeEntriesInJavaScript(
  offsets: Float64Array,
  lengths: Float64Array,
  words: Uint32Array,
  first: number,
  end: number,
): number {
  const count = offsets.length;
  for (let i = 0, word = 0; i < count; i++, word += 4) {
    const offsetLow = words[word] ?? 0;
    const offsetHigh = words[word + 1] ?? 0;
    const lengthLow = words[word + 2] ?? 0;
    const lengthHigh = words[word + 3] ?? 0;
    if ((offsetLow & offsetHigh & lengthLow & lengthHigh) === -1) {
      offsets[i] = 0;
      lengths[i] = -1;
      continue;
    }
    const offset = offsetHigh * HIGH + offsetLow;
    const length = lengthHigh * HIGH + lengthLow;
    offsets[i] = offset;
    lengths[i] = length === 0 ? -1 : length;
    if (offset < first || offset + length > end) return i;
  }
  return count;
}

function encodeEntriesInJavaScript(words: Uint32Array, offsets: Float64Array, lengths: Float64Array): void {
  for (let i = 0, word = 0; i < lengths.length; i++, word += 4) {
    const offset = offsets[i] ?? 0;
    const length = lengths[i] ?? 0;
    const isMissing = length < 0;
    words[word] = isMissing ? ONES : offset;
    words[word + 1] = isMissing ? ONES : offset / HIGH;
    words[word + 2] = isMissing ? ONES : length;
    words[word + 3] = isMissing ? ONES : length / HIGH;
  }
}
