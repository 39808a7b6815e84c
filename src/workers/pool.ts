/** `wazarr/workers`: decoding and encoding of chunks on other cores. */

import type { Pipeline } from "../codecs/pipeline.js";
import { ownCodecs } from "../codecs/registry.js";
import { isOwnDataType } from "../data-types/registry.js";
import type { ChunkWorkers, PreparedArray, RemoteReader } from "../engine/prepared.js";
import { InvalidArgumentError } from "../errors.js";
import { compiledModules } from "../kernels/load.js";
import { loadBuiltin } from "../loading.js";
import type { Json } from "../metadata/json.js";
import { stringifyJson } from "../metadata/json-text.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { writeV2Array, writeV3 } from "../metadata/write.js";
import type { KnownArray } from "./messages.js";
import {
  browserChannel,
  type NodeWorkerConstructor,
  nodeChannel,
  nodeWorkers,
  poolClosed,
  type WorkerChannel,
  WorkerQueue,
  workersFailed,
} from "./queue.js";
import { remoteReader } from "./remote-reader.js";
import { remoteWriter } from "./remote-writer.js";

export interface WorkerPoolOptions {
  /** Workers; as many as there are cores unless given. */
  readonly size?: number | undefined;
  /** Browsers: makes a Worker of the module `wazarr/workers/worker`, for pages that serve it from elsewhere. */
  readonly createWorker?: (() => Worker) | undefined;
}

/**
 * A pool of workers. Give it to `get`, `set` and the rest as `workers`; chunks that are worth it are then decoded and encoded there.
 * Workers start with the first chunk and do not keep a Node process alive; `close` ends them.
 *
 * Results in shared memory (`shared: true`, or an `out` over a SharedArrayBuffer) are written by the workers themselves, which is
 * the fastest way; other results are put together there and copied once in the calling thread.
 *
 * Elements of variable length, arrays whose codecs or data types the application registered itself, small chunks, and everything
 * where no worker can be started (the console says so once a pool), are worked on in the calling thread.
 */
export class WorkerPool implements ChunkWorkers {
  readonly #size: number | undefined;
  readonly #createWorker: (() => Worker) | undefined;
  readonly #queue = new WorkerQueue();
  readonly #known = new WeakMap<Pipeline, Promise<KnownArray | undefined>>();
  /** Workers keep nothing of arrays that are gone here. */
  readonly #forgotten = new FinalizationRegistry<number>((array) =>
    this.#queue.tellEveryone({ type: "forget", array }),
  );
  readonly #sentModules = new Set<string>();
  #starting: Promise<void> | undefined;
  #nextArray = 0;
  #warned = false;

  /** @throws InvalidArgumentError for a size that is no positive integer */
  constructor({ size, createWorker }: WorkerPoolOptions = {}) {
    if (size !== undefined && (!Number.isInteger(size) || size < 1)) {
      throw new InvalidArgumentError(`size: expected a positive integer, got ${size}`);
    }
    this.#size = size;
    this.#createWorker = createWorker;
  }

  /** Workers that are running: none before the first chunk, nor where none can be started. */
  get running(): number {
    return this.#queue.size;
  }

  /** Tasks (bands of chunks to be read, chunks to be written) that wait for a worker. */
  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Starts the workers, which the first chunk does otherwise: while a page loads something else, say. Answers when they have been created; where
   * none can be, the first read tells.
   */
  async start(): Promise<void> {
    if (this.#queue.closed) throw poolClosed();
    this.#starting ??= this.#startWorkers();
    await this.#starting.catch(() => {});
  }

  /** Ends the workers. What is under way is rejected. */
  async close(): Promise<void> {
    const closed = this.#queue.close();
    await this.#starting?.catch(() => {});
    await closed;
  }

  async reader(array: PreparedArray, signal: AbortSignal): Promise<RemoteReader | undefined> {
    const known = await this.#introduce(array);
    return known && this.running > 0 ? remoteReader(this.#queue, known, array, signal) : undefined;
  }

  async writer(array: PreparedArray, signal: AbortSignal | undefined): Promise<PreparedArray> {
    const known = await this.#introduce(array);
    return known && this.running > 0 ? remoteWriter(this.#queue, known, array, signal) : array;
  }

  #introduce(array: PreparedArray): Promise<KnownArray | undefined> {
    if (this.#queue.closed) return Promise.reject(poolClosed());
    let known = this.#known.get(array.pipeline);
    if (known === undefined) {
      known = this.#tellWorkers(array);
      this.#known.set(array.pipeline, known);
    }
    return known;
  }

  /** @returns undefined where the calling thread has to do the work */
  async #tellWorkers({
    metadata,
    pipeline,
    fillPattern,
    kernels,
  }: PreparedArray): Promise<KnownArray | undefined> {
    const { zarrFormat } = metadata;
    if (metadata.dataType.variable !== undefined || !paysOff(pipeline) || isOwn(metadata)) return undefined;
    const document = stringifyJson(await documentOf(metadata));
    const array = this.#nextArray++;
    try {
      this.#starting ??= this.#startWorkers();
      await this.#starting;
      // So that its kernels are among the modules.
      for (let level: Pipeline | undefined = pipeline; level; level = level.sharding?.inner) {
        await level.outermost?.codec.loadPairs?.(kernels, level.outermost.byteLength);
      }
      const compiled = await compiledModules();
      const modules = compiled?.filter(([name]) => !this.#sentModules.has(name)) ?? [];
      for (const [name] of modules) this.#sentModules.add(name);
      const javascript = compiled === undefined;
      const answers = await this.#queue.runEverywhere({
        byteLength: 0,
        message: (id) => ({
          message: { type: "array", id, array, zarrFormat, document, fillPattern, modules, javascript },
          transfer: [],
        }),
      });
      if (answers.length === 0) throw workersFailed(undefined);
      // A worker that knows some codec or data type too little has said so.
      if (answers.some(({ failure }) => failure !== undefined)) return undefined;
    } catch (error) {
      if (this.#queue.closed) throw error;
      this.#warnOnce(error);
      return undefined;
    }
    const known = { number: array };
    this.#forgotten.register(known, array);
    return known;
  }

  /** Results are right without workers and only late: nobody would notice that a bundler left the worker's module behind. */
  #warnOnce(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    console.warn(
      'wazarr: a WorkerPool has no worker, and the calling thread does its work. Bundlers that do not follow `new Worker(new URL(...))` need an entry for "wazarr/workers/worker", or `createWorker` (docs/workers.md)',
      error,
    );
  }

  async #startWorkers(): Promise<void> {
    const NodeWorker = await nodeWorkers();
    const size = this.#size ?? (await countCores());
    for (let i = 0; i < size && !this.#queue.closed; i++) this.#queue.add(this.#openChannel(NodeWorker));
  }

  #openChannel(NodeWorker: NodeWorkerConstructor | undefined): WorkerChannel {
    if (this.#createWorker !== undefined) return browserChannel(this.#createWorker());
    // Not as `new URL("./worker.js", import.meta.url)`, of which bundlers make a second copy of the worker for the page.
    const url = new URL(import.meta.url.replace(/[^/]*$/, "worker.js"));
    // Without the process's own flags: of some, such as --input-type, a worker dies.
    if (NodeWorker !== undefined) return nodeChannel(new NodeWorker(url, { execArgv: [] }));
    // In one expression, which is what bundlers look for.
    return browserChannel(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  }
}

/** Smaller chunks are mostly overhead, which the calling thread has as well. */
const SMALLEST_CHUNK = 8 << 10;

/** Whether decoding is real work: some codec beyond the bytes themselves. */
function paysOff({ byteLength, wrapped, sharding }: Pipeline): boolean {
  return sharding === undefined ? wrapped && byteLength >= SMALLEST_CHUNK : paysOff(sharding.inner);
}

/** Whether the application registered a codec or the data type itself, in place of the package's own perhaps: workers would not know. */
function isOwn({ codecs, dataType }: ArrayMetadata): boolean {
  const text = stringifyJson(codecs.map(({ name, configuration }) => [name, configuration]));
  const isNamed = (name: string): boolean => text.includes(JSON.stringify(name));
  // Inside of configurations, too. "bytes" need not be named.
  const isOwnCodec = (name: string): boolean =>
    name === "bytes" || isNamed(name) || isNamed(`numcodecs.${name}`);
  return ownCodecs().some(isOwnCodec) || isOwnDataType(dataType);
}

async function documentOf(metadata: ArrayMetadata): Promise<Json> {
  switch (metadata.zarrFormat) {
    case 2:
      return writeV2Array(metadata)[".zarray"];
    case 3:
      return writeV3(metadata);
    case "draft":
      return (await import("../metadata/draft/documents.js")).writeDraftArray(metadata);
  }
}

async function countCores(): Promise<number> {
  const os = await loadBuiltin<{ availableParallelism(): number }>("node:os");
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 2;
}
