/**
 * A shard that is being written: its index and its inner chunks, of which a write replaces some.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html
 */
import { float64At } from "../../../base/at.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import { damaged, decodeIndex, encodeIndex, type ShardIndex } from "../../codecs/sharding/index-table.js";
import type { PieceMemory } from "./kept-bytes.js";

/**
 * The encoded inner chunks of a shard that is being written: those of the old shard, and their replacements.
 */
export class ShardBuilder {
  readonly #layout: ShardLayout;
  readonly #old: { readonly bytes: Uint8Array; readonly index: ShardIndex } | undefined;
  /** By position in the index; undefined removes the old inner chunk. */
  readonly #changed = new Map<number, Uint8Array | undefined>();
  #count = 0;

  /** @param old the stored shard; its bytes must not change until `join` */
  constructor(layout: ShardLayout, old: Uint8Array | undefined, kernels: Kernels, at: ChunkLocation) {
    this.#layout = layout;
    if (old === undefined) return;
    const { indexByteLength, indexLocation } = layout;
    if (old.length < indexByteLength) {
      throw damaged(`expected at least the ${indexByteLength} bytes of an index, got ${old.length}`, at);
    }
    const table =
      indexLocation === "start" ? old.subarray(0, indexByteLength) : old.subarray(-indexByteLength);
    const index = decodeIndex(layout, table, old.length, kernels, at);
    this.#old = { bytes: old, index };
    for (const length of index.lengths) if (length >= 0) this.#count++;
  }

  /** Whether all inner chunks contain only the fill value. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The bytes of an inner chunk; undefined if it is missing. */
  get(position: number): Uint8Array | undefined {
    if (this.#changed.has(position)) return this.#changed.get(position);
    if (this.#old === undefined) return undefined;
    const { lengths, offsets } = this.#old.index;
    const length = float64At(lengths, position);
    if (length < 0) return undefined;
    const offset = float64At(offsets, position);
    return this.#old.bytes.subarray(offset, offset + length);
  }

  /** @param bytes undefined if the inner chunk contains only the fill value */
  set(position: number, bytes: Uint8Array | undefined): void {
    if (this.get(position) !== undefined) this.#count--;
    if (bytes !== undefined) this.#count++;
    this.#changed.set(position, bytes);
  }

  /**
   * Returns the shard: index and inner chunks in C order of their grid. In memory from `allocate`, or in the
   * block of `memory` if all inner chunks lie there at their final offsets already.
   */
  join(kernels: Kernels, allocate: (byteLength: number) => Uint8Array, memory?: PieceMemory): Uint8Array {
    const { innerCount, indexByteLength, indexLocation } = this.#layout;
    const offsets = new Float64Array(innerCount);
    const lengths = new Float64Array(innerCount).fill(-1);
    const first = indexLocation === "start" ? indexByteLength : 0;
    let end = first;
    for (let position = 0; position < innerCount; position++) {
      const length = this.get(position)?.length;
      if (length === undefined) continue;
      offsets[position] = end;
      lengths[position] = length;
      end += length;
    }
    const byteLength = end - first + indexByteLength;
    const there = memory?.shard(byteLength);
    // All of them must lie there: moving one piece could overwrite another.
    const isThere = there !== undefined && this.#liesIn(there, offsets);
    const shard = isThere ? there : allocate(byteLength);
    for (let position = 0; position < innerCount && !isThere; position++) {
      const piece = this.get(position);
      if (piece !== undefined) shard.set(piece, float64At(offsets, position));
    }
    shard.set(encodeIndex(this.#layout, { offsets, lengths }, kernels), indexLocation === "start" ? 0 : end);
    return shard;
  }

  #liesIn(shard: Uint8Array, offsets: Float64Array): boolean {
    return offsets.every((offset, position) => {
      const piece = this.get(position);
      return (
        piece === undefined ||
        (piece.buffer === shard.buffer && piece.byteOffset === shard.byteOffset + offset)
      );
    });
  }
}
