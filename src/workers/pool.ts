/**
 * Decodes and encodes chunks in worker threads.
 *
 * ```ts
 * import { get, HttpStore, open } from "wazarr";
 * import { WorkerPool } from "wazarr/workers";
 *
 * const workers = new WorkerPool();
 * const array = await open(new HttpStore("https://example.com/heights.zarr"), { kind: "array" });
 * const { data, shape } = await get(array, null, { workers });
 * ```
 * @module
 */

import { describe, InvalidArgumentError } from "../base/errors.js";
import { loadBuiltin } from "../base/loading.js";
import { checkNames, type NamesOf } from "../base/option-names.js";
import type { WebWorker } from "../base/web-types.js";
import type { Pipeline } from "../core/codecs/pipeline.js";
import { ownCodecs } from "../core/codecs/registry/registry.js";
import type {
  ArrayForWorkers,
  ChunkWorkers,
  RemoteReader,
  RemoteWriter,
} from "../core/line/shared/chunk-workers.js";
import { isOwnDataType } from "../data-types/registry.js";
import { compiledModules } from "../kernels/load.js";
import { draftDocuments } from "../metadata/draft.js";
import type { Json } from "../metadata/json.js";
import { stringifyJson } from "../metadata/json-text.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { writeV2Array, writeV3 } from "../metadata/write.js";
import type { ArrayMessage, KnownArray } from "./messages.js";
import { poolClosed, type Task, WorkerQueue, workersFailed } from "./queue.js";
import { remoteReader } from "./remote-reader.js";
import { remoteWriter } from "./remote-writer.js";
import {
  browserChannel,
  type NodeWorkerConstructor,
  nodeChannel,
  nodeWorkers,
  type WorkerChannel,
} from "./threads.js";

/** Options of `WorkerPool`. */
export interface WorkerPoolOptions {
  /** Number of workers. Default: the number of cores. */
  readonly size?: number | undefined;
  /**
   * Browsers: creates a Worker from the module `wazarr/workers/worker`, for pages that serve this module at
   * another URL.
   */
  readonly createWorker?: (() => WebWorker) | undefined;
}

const OPTIONS: NamesOf<WorkerPoolOptions> = { size: true, createWorker: "function" };

/**
 * A pool of workers. Pass it as the option `workers` of `get`, `set` and other functions to decode and encode
 * chunks on other cores. Workers start with the first chunk and do not keep a Node process alive; `close`
 * ends them.
 *
 * Shared results (`shared: true`, or an `out` over a SharedArrayBuffer) are fastest: the workers write into
 * them directly. Other results are assembled in the workers and copied once in the calling thread.
 *
 * The calling thread works on elements of variable length, on small or uncompressed chunks, and on arrays
 * with codecs or data types that the application registered. If no worker can start, it does all the work,
 * and the pool warns once on the console. It also does the work of a worker that dies (for lack of memory,
 * say); the next read or write starts another one.
 */
export class WorkerPool implements ChunkWorkers {
  readonly #size: number | undefined;
  readonly #createWorker: (() => WebWorker) | undefined;
  readonly #queue = new WorkerQueue();
  readonly #known = new WeakMap<Pipeline, Promise<KnownArray | undefined>>();
  /** When an array is garbage collected here, the workers drop their copy of its description. */
  readonly #forgotten = new FinalizationRegistry<number>((array) => {
    this.#arrays.delete(array);
    this.#queue.tellEveryone({ type: "forget", array });
  });
  /** The messages that a replacement worker needs first, by the number of the array. */
  readonly #arrays = new Map<number, Omit<ArrayMessage, "id" | "modules">>();
  readonly #sentModules = new Set<string>();
  #starting: Promise<void> | undefined;
  #replacing: Promise<void> | undefined;
  #nextArray = 0;
  #warned = false;

  /** @throws InvalidArgumentError unless `size` is a positive integer */
  constructor(options: WorkerPoolOptions = {}) {
    checkNames(options, "WorkerPool", OPTIONS);
    const { size, createWorker } = options;
    if (size !== undefined && (!Number.isInteger(size) || size < 1)) {
      throw new InvalidArgumentError(`size: expected a positive integer, got ${describe(size)}`);
    }
    this.#size = size;
    this.#createWorker = createWorker;
  }

  /** Number of running workers: 0 before the first chunk, and when no worker can start. */
  get running(): number {
    return this.#queue.size;
  }

  /** Number of tasks (bands of chunks to read, chunks to write) that wait for a worker. */
  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Starts the workers before the first chunk does, for example while a page loads. Resolves when they are
   * created. It does not reject when no worker can start; the first read warns then. @throws UnsupportedError
   * when the pool is closed
   */
  async start(): Promise<void> {
    if (this.#queue.closed) throw poolClosed();
    this.#starting ??= this.#startWorkers();
    await this.#starting.catch(() => {});
  }

  /** Ends the workers and rejects all pending tasks. */
  async close(): Promise<void> {
    const closed = this.#queue.close();
    await this.#starting?.catch(() => {});
    await closed;
  }

  async reader(array: ArrayForWorkers, signal: AbortSignal): Promise<RemoteReader | undefined> {
    const known = await this.#introduce(array);
    return known && this.running > 0 ? remoteReader(this.#queue, known, array, signal) : undefined;
  }

  async writer(array: ArrayForWorkers, signal: AbortSignal | undefined): Promise<RemoteWriter | undefined> {
    const known = await this.#introduce(array);
    return known && this.running > 0 ? remoteWriter(this.#queue, known, array, signal) : undefined;
  }

  async #introduce(array: ArrayForWorkers): Promise<KnownArray | undefined> {
    if (this.#queue.closed) throw poolClosed();
    if (this.#queue.lost.length > 0 || this.#replacing !== undefined) {
      this.#replacing ??= this.#replaceLost().finally(() => {
        this.#replacing = undefined;
      });
      await this.#replacing;
    }
    let known = this.#known.get(array.pipeline);
    if (known === undefined) {
      known = this.#tellWorkers(array);
      this.#known.set(array.pipeline, known);
    }
    return known;
  }

  /**
   * Sends the array's description to all workers.
   * @returns undefined when the calling thread has to do the work
   */
  async #tellWorkers({
    metadata,
    pipeline,
    fillPattern,
    kernels,
  }: ArrayForWorkers): Promise<KnownArray | undefined> {
    const { zarrFormat } = metadata;
    if (metadata.dataType.variable !== undefined || !paysOff(pipeline) || isOwn(metadata)) return undefined;
    const document = stringifyJson(await documentOf(metadata));
    const array = this.#nextArray++;
    let isKnown = false;
    try {
      this.#starting ??= this.#startWorkers();
      await this.#starting;
      // Load the codecs' kernels first, so that `compiledModules` includes them.
      for (let level: Pipeline | undefined = pipeline; level; level = level.sharding?.inner) {
        await level.outermost?.codec.loadPairs?.(kernels, level.outermost.byteLength);
      }
      const compiled = await compiledModules();
      const modules = compiled?.filter(([name]) => !this.#sentModules.has(name)) ?? [];
      for (const [name] of modules) this.#sentModules.add(name);
      const javascript = compiled === undefined;
      const known = { type: "array", array, zarrFormat, document, fillPattern, javascript } as const;
      this.#arrays.set(array, known);
      const answers = await this.#queue.runEverywhere(introduction(known, modules));
      if (answers.length === 0) throw workersFailed(undefined);
      // A worker fails the message when it does not support a codec or data type.
      if (answers.some(({ failure }) => failure !== undefined)) return undefined;
      isKnown = true;
    } catch (error) {
      if (this.#queue.closed) throw error;
      // Workers that died may be replaced: the next read tries again.
      if (this.#queue.lost.length > 0) this.#known.delete(pipeline);
      else this.#warnOnce(NO_WORKER, error);
      return undefined;
    } finally {
      if (!isKnown) this.#arrays.delete(array);
    }
    const known = { number: array };
    this.#forgotten.register(known, array);
    return known;
  }

  /**
   * Starts a worker for each that died since the last call, and tells it of all arrays. One that cannot start
   * is not tried again.
   */
  async #replaceLost(): Promise<void> {
    try {
      const [NodeWorker, modules = []] = await Promise.all([nodeWorkers(), compiledModules()]);
      for (const cause of this.#queue.takeLost()) {
        if (this.#queue.closed) return;
        this.#warnOnce(DEAD_WORKER, cause);
        const known = [...this.#arrays.values()].map((each) => introduction(each, modules));
        this.#queue.add(this.#openChannel(NodeWorker), known);
      }
    } catch (error) {
      this.#warnOnce(NO_WORKER, error);
    }
  }

  /**
   * Warns, because without workers the results are right but slow: a bundler that omits the worker's module
   * would go unnoticed.
   */
  #warnOnce(message: string, cause: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    console.warn(message, cause);
  }

  async #startWorkers(): Promise<void> {
    const NodeWorker = await nodeWorkers();
    const size = this.#size ?? (await countCores());
    for (let i = 0; i < size && !this.#queue.closed; i++) this.#queue.add(this.#openChannel(NodeWorker));
  }

  #openChannel(NodeWorker: NodeWorkerConstructor | undefined): WorkerChannel {
    if (this.#createWorker !== undefined) return browserChannel(this.#createWorker());
    // Built as a string: for `new URL("./worker.js", import.meta.url)` bundlers emit a second copy of the
    // worker for the page.
    const url = new URL(import.meta.url.replace(/[^/]*$/, "worker.js"));
    // `execArgv: []` drops the process's own flags: some of them, such as --input-type, make a worker fail at
    // its start.
    if (NodeWorker !== undefined) return nodeChannel(new NodeWorker(url, { execArgv: [] }));
    // One expression: bundlers recognise a worker's module by this pattern.
    return browserChannel(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  }
}

const NO_WORKER =
  'wazarr: a WorkerPool has no worker, and the calling thread does its work. Bundlers that do not follow `new Worker(new URL(...))` need an entry for "wazarr/workers/worker", or `createWorker` (docs/workers.md)';
const DEAD_WORKER =
  "wazarr: a worker of a WorkerPool died. The calling thread did its work, and another worker starts";

/** The task in which a worker learns of an array. */
function introduction(known: Omit<ArrayMessage, "id" | "modules">, modules: ArrayMessage["modules"]): Task {
  return {
    byteLength: 0,
    message: (id) => ({ message: { ...known, id, modules }, transfer: [] }),
  };
}

/** Bytes. For smaller chunks most of the cost is overhead that the calling thread has anyway. */
const SMALLEST_CHUNK = 8 << 10;

/**
 * Whether a worker pays off: chunks (or inner chunks) of at least `SMALLEST_CHUNK` bytes with a codec beyond
 * "bytes" and "transpose".
 */
function paysOff({ byteLength, wrapped, asStored, sharding }: Pipeline): boolean {
  if (sharding !== undefined) return paysOff(sharding.inner);
  return (wrapped || !asStored) && byteLength >= SMALLEST_CHUNK;
}

/**
 * Whether the application registered a codec or the data type of the array. Workers know only the package's
 * own.
 */
function isOwn({ codecs, dataType }: ArrayMetadata): boolean {
  const text = stringifyJson(codecs.map(({ name, configuration }) => [name, configuration]));
  const isNamed = (name: string): boolean => text.includes(JSON.stringify(name));
  // The search in a string also finds codecs inside configurations. "bytes" may be used without being named.
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
      return (await draftDocuments.load()).writeDraftArray(metadata);
  }
}

async function countCores(): Promise<number> {
  const os = await loadBuiltin<{ availableParallelism(): number }>("node:os");
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 2;
}
