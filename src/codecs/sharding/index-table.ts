/**
 * The index of a shard: where each inner chunk lies. Stored as pairs of uint64 (offset, length); 2^64 - 1 twice says that there
 * is none. Kept as doubles, which are exact to 2^53: no BigInt per entry.
 */
import { CodecError } from "../../errors.js";
import { planCopy } from "../../kernels/copy-plan.js";
import type { Kernels } from "../../kernels/kernels.js";
import { cOrderStrides } from "../../shape.js";
import type { ChunkLocation, ShardLayout } from "../prepared-pipeline.js";
import { SHARDING } from "./configuration.js";
import { decodeEntries, ENTRY_SCRATCH, type Entries, encodeEntries } from "./entries.js";

/** By position in the index. */
export type ShardIndex = Entries;

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

/** The encoded index, memory of its own. */
export function encodeIndex(layout: ShardLayout, shardIndex: ShardIndex, kernels: Kernels): Uint8Array {
  const { index, innerCount } = layout;
  const mark = kernels.mark();
  const entries = kernels.allocate(16 * innerCount);
  encodeEntries(kernels, entries, shardIndex);
  const elements = kernels.allocate(index.byteLength);
  kernels.copy(copyOf(layout, "encode"), elements, 0, entries, 0);
  const encoded = index.encode(elements, kernels, { key: "", chunk: [] }).slice();
  kernels.release(mark);
  return encoded;
}

/** Arena bytes that decoding or encoding the index wants. */
export function indexScratch({ index, innerCount }: ShardLayout): number {
  return (16 + ENTRY_SCRATCH) * innerCount + 2 * index.byteLength + index.scratchByteLength + 65536;
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
