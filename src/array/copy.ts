/** Copying arrays and hierarchies, from any format, layout and codecs to any other. */

import { untilAborted } from "../abort.js";
import { type ChunkWorkers, checkWorkers, type OnProgress } from "../engine/prepared.js";
import { checkWritable } from "../stores/check-store.js";
import type { Store, StoreOptions, WritableStore } from "../stores/store.js";
import type { Conversion } from "./convert.js";
import { type ChunkCopy, copyBytes, copyElements } from "./copy-chunks.js";
import { type CopyNote, type NodePlan, planNodes } from "./copy-plan.js";
import { writeNewNode } from "./create.js";
import { checkConcurrency } from "./get.js";
import { Location, toLocation } from "./location.js";
import { open } from "./open.js";

export interface CopyOptions extends Conversion, StoreOptions {
  /** Replace what is at the target, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
  /** Chunks under way at once; 32 unless given. */
  readonly concurrency?: number | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks that change are decoded and encoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /**
   * Told as chunks of the target are done, inner chunks of shards: those of all arrays. Of `bytes` that are decoded and encoded again
   * half count when they are read, and half when they are encoded; it is called inside of shards and long bands of chunks, too.
   */
  readonly onProgress?: OnProgress | undefined;
}

export interface CopyResult {
  readonly notes: readonly CopyNote[];
}

/**
 * Copies an array, or a group with everything below it. Chunks whose bytes stay valid are copied as they are; others are
 * decoded and encoded again, in boxes of at most 32 MiB (or one chunk). Everything that can be checked is checked before
 * anything is written.
 * @returns notes of arrays that are stored in another order of dimensions, as v2 and the draft have C and F alone
 * @throws NotFoundError, AlreadyExistsError without `overwrite`, UnsupportedError for what the target's format does not have or
 *   a group in a store that cannot be listed, InvalidArgumentError, InvalidMetadataError, UnknownCodecError, CodecError, StoreError
 */
export async function copyNode<S extends WritableStore>(
  source: Location | Store,
  target: Location<S> | S,
  options: CopyOptions = {},
): Promise<CopyResult> {
  return untilAborted(options.signal, () => copy(source, target, options));
}

async function copy<S extends WritableStore>(
  source: Location | Store,
  target: Location<S> | S,
  options: CopyOptions,
): Promise<CopyResult> {
  checkConcurrency(options.concurrency);
  if (options.workers) checkWorkers(options.workers);
  const from = await open(toLocation(source), { signal: options.signal });
  const to = toLocation(target);
  checkWritable(to.store, to.path);
  const nodes = await planNodes(from, to, options);
  const copies = new Map<NodePlan<S>, ChunkCopy>();
  for (const node of nodes) {
    const { source: array, target: copied, isSame } = node.arrays ?? {};
    if (array && copied) copies.set(node, (isSame ? copyBytes : copyElements)(array, copied));
  }
  const chunksTotal = [...copies.values()].reduce((total, { chunks }) => total + chunks, 0);
  const counted = { chunksDone: 0, bytes: 0 };
  let { entryPoint } = to;
  for (const node of nodes) {
    const { location, metadata, spellings } = node;
    const overwrite = location.path === to.path && options.overwrite;
    const at = new Location(location.store, location.path, entryPoint);
    entryPoint = await writeNewNode(at, metadata, { signal: options.signal, overwrite, spellings });
    const before = { ...counted };
    const { concurrency, signal, workers } = options;
    await copies.get(node)?.run({ concurrency, signal, workers }, (chunks, bytes) => {
      counted.chunksDone = before.chunksDone + chunks;
      counted.bytes = Math.max(counted.bytes, before.bytes + bytes);
      options.onProgress?.({ ...counted, chunksTotal });
    });
  }
  return { notes: nodes.flatMap(({ note }) => note ?? []) };
}
