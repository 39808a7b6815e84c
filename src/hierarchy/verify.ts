/** Whether everything at and below a location can be read: metadata documents, and every chunk that is stored. */
import { elementsInArray } from "../chunk-grids/runs.js";
import { checkWorkers } from "../engine/check-workers.js";
import { forEach } from "../engine/for-each.js";
import type { OnProgress } from "../engine/prepared.js";
import type { ChunkWorkers } from "../engine/remote.js";
import { isZarrError, NotFoundError, type ZarrError } from "../errors.js";
import { canList } from "../stores/capabilities.js";
import { checkStore } from "../stores/check-store.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { describeStore } from "./describe-store.js";
import { checkConcurrency } from "./get.js";
import { getStoredChunk } from "./get-chunk.js";
import type { OpenNode } from "./layout.js";
import { openChildren } from "./list.js";
import { type Location, toLocation } from "./location.js";
import type { Node, ZarrArray } from "./nodes.js";
import { openIfThere } from "./open.js";
import { countStoredChunks, storedChunks } from "./stored-chunks.js";

export interface VerifyOptions extends StoreOptions {
  /** Called with everything that is wrong, as it is found. */
  readonly onProblem?: ((problem: ZarrError) => void) | undefined;
  /** Told after every chunk, or shard; damaged ones count. Stores that are listed are listed twice, to know how many there are. */
  readonly onProgress?: OnProgress | undefined;
  /** Chunks read at once; 8 unless given: decoding is the work here, and each holds a whole chunk. */
  readonly concurrency?: number | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are decoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
}

export interface VerifyReport {
  readonly groups: number;
  readonly arrays: number;
  /** Chunks that were read, damaged ones included. */
  readonly chunks: number;
  readonly problems: number;
}

const DEFAULT_CONCURRENCY = 8;

/**
 * Opens every node at and below a location, then decodes every chunk: sizes and checksums are checked as in any read.
 * An array can be verified in any store, a group where the store can be listed.
 * @throws NotFoundError when there is no node
 */
export async function verify(where: Location | Store, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { signal, workers } = options;
  const concurrency = checkConcurrency(options.concurrency ?? DEFAULT_CONCURRENCY);
  const location = toLocation(where);
  checkStore(location.store);
  if (workers) checkWorkers(workers);
  const report = { groups: 0, arrays: 0, chunks: 0, problems: 0 };
  const found: ZarrArray[] = [];

  async function reporting(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!isZarrError(error)) throw error;
      report.problems++;
      options.onProblem?.(error);
    }
  }

  function verifyFound(openNode: OpenNode<Store>): Promise<void> {
    return reporting(async () => {
      const node = await openNode();
      if (node !== undefined) await verifyNode(node);
    });
  }

  async function verifyNode(node: Node): Promise<void> {
    if (node.kind === "array") {
      report.arrays++;
      found.push(node);
      return;
    }
    report.groups++;
    for (const openNode of await openChildren(node, options)) await verifyFound(openNode);
  }

  async function verifyChunks(array: ZarrArray, done: (chunk: readonly number[]) => void): Promise<void> {
    // What is wrong with the codecs is said once, not for every chunk.
    await array.prepare();
    await forEach(storedChunks(array, options), concurrency, async (chunk) => {
      await reporting(async () => {
        await getStoredChunk(array, chunk, { signal, workers });
      });
      report.chunks++;
      done(chunk);
    });
  }

  async function countChunks(): Promise<number> {
    let total = 0;
    // What cannot be listed is a problem when it comes to its chunks.
    for (const array of found) total += await countStoredChunks(array, options).catch(() => 0);
    return total;
  }

  await reporting(async () => {
    const top = await openIfThere(location, options);
    if (top !== undefined) await verifyNode(top);
    // Stores without a root group are common.
    else if (canList(location.store)) {
      for (const openNode of await openChildren(location, options)) await verifyFound(openNode);
    }
  });
  const { onProgress } = options;
  const chunksTotal = onProgress === undefined ? 0 : await countChunks();
  let bytes = 0;
  for (const array of found) {
    await reporting(() =>
      verifyChunks(array, (chunk) => {
        bytes += elementsInArray(array.metadata, chunk) * array.dataType.itemSize;
        onProgress?.({ chunksDone: report.chunks, chunksTotal, bytes });
      }),
    );
  }
  if (report.groups + report.arrays + report.problems === 0) {
    throw new NotFoundError(`no Zarr array or group in ${describeStore(location.store)}`, {
      path: location.path,
    });
  }
  return report;
}
