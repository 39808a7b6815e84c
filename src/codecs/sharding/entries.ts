/** Entries of a shard's index on whichever kernels there are: WASM where its module is loaded and has room, else the twin. */
import type { Kernels } from "../../kernels/kernels.js";
import shardsModule from "../../kernels/modules/shards.generated.js";
import { lazyKernelModule } from "../kernel-module.js";
import * as twin from "./entries-twin.js";

const kernelModule = lazyKernelModule("shards", shardsModule);

/** Loads the WASM module; the functions below work without. */
export async function loadShardKernels(kernels: Kernels): Promise<void> {
  await kernelModule.load(kernels);
}

/** Arena bytes that either function takes for each entry, besides the entries themselves. */
export const ENTRY_SCRATCH = 16;

export interface Entries {
  /** Byte offset of each inner chunk in the shard; without meaning where there is none. */
  readonly offsets: Float64Array;
  /** Its encoded length; -1 for an inner chunk that is not there. */
  readonly lengths: Float64Array;
}

/**
 * @param stored pairs of uint64 in memory order, aligned to 8 bytes
 * @returns with `checked`, the position of the first inner chunk that does not lie in `first` to `end`, or the number of all
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
  return { offsets, lengths, checked: twin.decodeEntries(offsets, lengths, words, first, end) };
}

/** The reverse, into `stored`. */
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
  twin.encodeEntries(new Uint32Array(stored.buffer, stored.byteOffset, 4 * count), offsets, lengths);
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
