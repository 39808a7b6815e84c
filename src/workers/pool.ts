/** `wazarr/workers`: decoding and encoding of chunks on other cores. */
import type { ChunkLocation, Pipeline, ShardLayout } from "../codecs/codec.js";
import type { PreparedArray } from "../engine/prepared.js";
import { CodecError, InvalidArgumentError, UnsupportedError } from "../errors.js";
import { compiledModules } from "../kernels/load.js";
import { stringifyJson } from "../metadata/json.js";
import { writeV2Array } from "../metadata/v2.js";
import { writeV3 } from "../metadata/v3.js";
import { loadBuiltin } from "../node-builtin.js";
import { browserChannel, type NodeWorkerConstructor, nodeChannel, type WorkerChannel } from "./channel.js";
import type { Answer, ArrayMessage, ChunkMessage, Failure } from "./messages.js";

export interface WorkerPoolOptions {
  /** Workers; as many as there are cores unless given. */
  readonly size?: number | undefined;
  /** Browsers: makes a Worker of the module `wazarr/workers/worker`, for pages that serve it from elsewhere. */
  readonly createWorker?: (() => Worker) | undefined;
}

/** Below this a chunk is decoded sooner than it is sent: a message costs 20 to 60 us and should bring ten times that in work. */
const SMALLEST_CHUNK = 64 << 10;

interface Task {
  readonly message: ArrayMessage | ChunkMessage;
  readonly resolve: (bytes: Uint8Array | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  readonly channel: WorkerChannel;
  task: Task | undefined;
}

/**
 * A pool of workers. Give it to `get`, `set` and the rest as `workers`; chunks that are worth it are then decoded and encoded there.
 * Workers start with the first chunk and do not keep a Node process alive; `close` ends them.
 * Arrays whose codecs or data types the application registered itself, arrays of the 2020 draft and small chunks are worked on in the calling thread.
 */
export class WorkerPool {
  readonly #size: number | undefined;
  readonly #createWorker: (() => Worker) | undefined;
  readonly #seats: Seat[] = [];
  readonly #queue: Task[] = [];
  readonly #offloaded = new WeakMap<PreparedArray, Promise<PreparedArray>>();
  #starting: Promise<void> | undefined;
  #closed = false;
  #nextId = 0;
  #nextArray = 0;

  /** @throws InvalidArgumentError for a size that is no positive integer */
  constructor({ size, createWorker }: WorkerPoolOptions = {}) {
    if (size !== undefined && (!Number.isInteger(size) || size < 1)) {
      throw new InvalidArgumentError(`size: expected a positive integer, got ${size}`);
    }
    this.#size = size;
    this.#createWorker = createWorker;
  }

  /** Chunks that wait for a worker. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Ends the workers. What is under way is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#starting?.catch(() => {});
    const error = new UnsupportedError("the worker pool was closed");
    for (const task of this.#queue.splice(0)) task.reject(error);
    await Promise.all(
      this.#seats.splice(0).map(({ channel, task }) => {
        task?.reject(error);
        return channel.terminate();
      }),
    );
  }

  /** The array with its codecs running in the workers; itself where that does not pay or cannot be. */
  offload(array: PreparedArray): Promise<PreparedArray> {
    let offloaded = this.#offloaded.get(array);
    if (offloaded === undefined) {
      offloaded = this.#offload(array);
      this.#offloaded.set(array, offloaded);
    }
    return offloaded;
  }

  async #offload(array: PreparedArray): Promise<PreparedArray> {
    const { metadata, pipeline } = array;
    const { zarrFormat } = metadata;
    if (this.#closed) throw new UnsupportedError("the worker pool was closed");
    if (zarrFormat === "draft" || !paysOff(pipeline)) return array;
    const json = zarrFormat === 3 ? writeV3(metadata) : writeV2Array(metadata)[".zarray"];
    const number = this.#nextArray++;
    const document = stringifyJson(json);
    const introduce = (): ArrayMessage => ({
      type: "array",
      id: this.#nextId++,
      array: number,
      zarrFormat: zarrFormat === 3 ? 3 : 2,
      document,
    });
    try {
      await this.#start();
      // Every worker is told, and says whether it knows the codecs and data types.
      await Promise.all(this.#seats.map((seat) => this.#introduce(seat, introduce())));
    } catch (error) {
      if (this.#closed) throw error;
      return array;
    }
    return { ...array, pipeline: this.#offloadPipeline(pipeline, number, 0) };
  }

  #offloadPipeline(pipeline: Pipeline, array: number, level: number): Pipeline {
    const { sharding } = pipeline;
    const inner: ShardLayout | undefined = sharding && {
      ...sharding,
      inner: this.#offloadPipeline(sharding.inner, array, level + 1),
    };
    const run = (type: "decode" | "encode", bytes: Uint8Array, at: ChunkLocation): Promise<Uint8Array> =>
      this.#run({ type, id: this.#nextId++, array, level, bytes, key: at.key, chunk: at.chunk });
    return {
      shape: pipeline.shape,
      byteLength: pipeline.byteLength,
      encodedByteLength: pipeline.encodedByteLength,
      strides: pipeline.strides,
      swapUnit: pipeline.swapUnit,
      swapRuns: pipeline.swapRuns,
      normalise: pipeline.normalise,
      wrapped: pipeline.wrapped,
      sharding: inner,
      asynchronous: true,
      scratchByteLength: 0,
      decodeAhead: (bytes, _, at) => run("decode", bytes, at),
      decode: (bytes) => bytes,
      encode: (elements) => elements,
      encodeRest: (bytes, _, at) => run("encode", bytes, at),
      unwrap: (bytes, kernels, at) => pipeline.unwrap(bytes, kernels, at),
      wrap: (bytes, kernels, at) => pipeline.wrap(bytes, kernels, at),
    };
  }

  async #run(message: ChunkMessage): Promise<Uint8Array> {
    const bytes = await new Promise<Uint8Array | undefined>((resolve, reject) => {
      if (this.#closed) reject(new UnsupportedError("the worker pool was closed"));
      this.#queue.push({ message, resolve, reject });
      this.#dispatch();
    });
    if (bytes === undefined)
      throw new CodecError("a worker gave no bytes", { key: message.key, chunk: message.chunk });
    return bytes;
  }

  #dispatch(): void {
    for (const seat of this.#seats) {
      if (seat.task !== undefined) continue;
      const task = this.#queue.shift();
      if (task === undefined) return;
      this.#give(seat, task);
    }
  }

  #give(seat: Seat, task: Task): void {
    seat.task = task;
    seat.channel.hold(true);
    seat.channel.post(task.message);
  }

  #introduce(seat: Seat, message: ArrayMessage): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const task: Task = { message, resolve, reject };
      // Waits its turn at this very worker.
      const attempt = (): void => {
        if (this.#closed) reject(new UnsupportedError("the worker pool was closed"));
        else if (seat.task === undefined) this.#give(seat, task);
        else setTimeout(attempt, 1);
      };
      attempt();
    });
  }

  #start(): Promise<void> {
    this.#starting ??= this.#startWorkers();
    return this.#starting;
  }

  async #startWorkers(): Promise<void> {
    const modules = await compiledModules();
    const threads = await loadBuiltin<{ Worker: NodeWorkerConstructor }>("node:worker_threads");
    const size = this.#size ?? (await countCores());
    for (let i = 0; i < size && !this.#closed; i++) {
      const channel = this.#openChannel(threads);
      const seat: Seat = { channel, task: undefined };
      channel.hold(false);
      channel.onAnswer((answer) => this.#answered(seat, answer));
      channel.onFailure((error) => this.#died(seat, error));
      channel.post({ type: "modules", modules: modules ?? [], javascript: modules === undefined });
      this.#seats.push(seat);
    }
  }

  #openChannel(threads: { Worker: NodeWorkerConstructor } | undefined): WorkerChannel {
    if (this.#createWorker !== undefined) return browserChannel(this.#createWorker());
    if (threads !== undefined)
      return nodeChannel(new threads.Worker(new URL("./worker.js", import.meta.url)));
    // In one expression, which is what bundlers look for.
    return browserChannel(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  }

  #answered(seat: Seat, answer: Answer): void {
    const { task } = seat;
    seat.task = undefined;
    seat.channel.hold(false);
    this.#dispatch();
    if (task === undefined || task.message.id !== answer.id) return;
    if ("failure" in answer) task.reject(toError(answer.failure, task.message));
    else task.resolve(answer.bytes);
  }

  #died(seat: Seat, cause: unknown): void {
    const at = this.#seats.indexOf(seat);
    if (at >= 0) this.#seats.splice(at, 1);
    const error = new UnsupportedError(
      "a worker failed; does the page allow workers and serve wazarr/workers/worker?",
      {
        cause,
      },
    );
    seat.task?.reject(error);
    if (this.#seats.length === 0) for (const task of this.#queue.splice(0)) task.reject(error);
  }
}

/** Whether decoding is real work: some codec beyond the bytes themselves, on chunks that are not small. */
function paysOff({ byteLength, wrapped, sharding }: Pipeline): boolean {
  if (sharding !== undefined) return paysOff(sharding.inner);
  return wrapped && byteLength >= SMALLEST_CHUNK;
}

function toError({ tag, reason, codec, offset }: Failure, message: ArrayMessage | ChunkMessage): Error {
  if (message.type === "array" || tag !== "CodecError") return new UnsupportedError(`in a worker: ${reason}`);
  return new CodecError(reason, { codec, offset, key: message.key, chunk: message.chunk });
}

async function countCores(): Promise<number> {
  const os = await loadBuiltin<{ availableParallelism(): number }>("node:os");
  return os?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 2;
}
