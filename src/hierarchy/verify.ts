/** Whether everything at and below a location can be read: metadata documents, and every chunk that is stored. */
import { forEach } from "../engine/for-each.js";
import type { ChunkWorkers } from "../engine/remote.js";
import { isZarrError, NotFoundError, type ZarrError } from "../errors.js";
import { canList } from "../stores/capabilities.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { checkConcurrency, getChunk } from "./get.js";
import type { OpenNode } from "./layout.js";
import { openChildren } from "./list.js";
import { describeStore, type Location, toLocation } from "./location.js";
import type { Node, ZarrArray } from "./nodes.js";
import { openIfThere } from "./open.js";
import { storedChunks } from "./stored-chunks.js";

export interface VerifyOptions extends StoreOptions {
  /** Called with everything that is wrong, as it is found. */
  readonly onProblem: (problem: ZarrError) => void;
  /** Called after every chunk, with the number of chunks done. */
  readonly onProgress?: ((chunksDone: number) => void) | undefined;
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
 * Opens every node at and below a location and decodes every chunk: sizes and checksums are checked as in any read.
 * An array can be verified in any store, a group where the store can be listed.
 * @throws NotFoundError when there is no node
 */
export async function verify(where: Location | Store, options: VerifyOptions): Promise<VerifyReport> {
  const { signal, workers } = options;
  const concurrency = checkConcurrency(options.concurrency ?? DEFAULT_CONCURRENCY);
  const location = toLocation(where);
  const report = { groups: 0, arrays: 0, chunks: 0, problems: 0 };

  async function reporting(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!isZarrError(error)) throw error;
      report.problems++;
      options.onProblem(error);
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
      await verifyChunks(node);
      return;
    }
    report.groups++;
    for (const openNode of await openChildren(node, options)) await verifyFound(openNode);
  }

  async function verifyChunks(array: ZarrArray): Promise<void> {
    // What is wrong with the codecs is said once, not for every chunk.
    await array.prepare();
    await forEach(storedChunks(array, options), concurrency, async (chunk) => {
      await reporting(async () => {
        await getChunk(array, chunk, { signal, workers });
      });
      report.chunks++;
      options.onProgress?.(report.chunks);
    });
  }

  await reporting(async () => {
    const top = await openIfThere(location, options);
    if (top !== undefined) await verifyNode(top);
    // Stores without a root group are common.
    else if (canList(location.store)) {
      for (const openNode of await openChildren(location, options)) await verifyFound(openNode);
    }
  });
  if (report.groups + report.arrays + report.problems === 0) {
    throw new NotFoundError(`no Zarr array or group in ${describeStore(location.store)}`, {
      path: location.path,
    });
  }
  return report;
}
