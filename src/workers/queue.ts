/** Work that waits for a worker, workers that wait for work, and what lies between: channels, and memory that changes hands. */

import { onAbort } from "../abort.js";
import { bufferPool } from "../engine/shards/buffers.js";
import { UnsupportedError } from "../errors.js";
import { loadBuiltin } from "../loading.js";
import type { Answer, ForgetMessage, Question, Request } from "./messages.js";

export interface Task {
  /** Bytes of elements, which say how long it takes. */
  readonly byteLength: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when a worker has room for it: until then nothing is copied. */
  message(id: number): { readonly message: Question; readonly transfer: readonly ArrayBuffer[] };
}

interface Entry {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  readonly channel: WorkerChannel;
  /** What was posted and not answered, by id. */
  readonly posted: Map<number, Entry>;
  byteLength: number;
}

/** Bytes posted to a worker ahead, so that it has the next task when it is done with one: two bands, or eight chunks of a megabyte. */
const POSTED_BYTES = 8 << 20;

export class WorkerQueue {
  readonly #seats: Seat[] = [];
  readonly #waiting: Entry[] = [];
  #closed = false;
  #nextId = 0;

  /** Workers that are there. */
  get size(): number {
    return this.#seats.length;
  }

  /** Tasks that no worker has been given yet. */
  get length(): number {
    return this.#waiting.length;
  }

  get closed(): boolean {
    return this.#closed;
  }

  add(channel: WorkerChannel): void {
    const seat: Seat = { channel, posted: new Map(), byteLength: 0 };
    channel.hold(false);
    channel.onAnswer((answer) => this.#answered(seat, answer));
    channel.onFailure((error) => this.#died(seat, error));
    this.#seats.push(seat);
  }

  /**
   * Runs a task in the worker with the least to do. A signal takes it back while it waits; once posted it is run to its end.
   * @throws the signal's reason; UnsupportedError when the pool was closed or the workers have died
   */
  run(task: Task): Promise<Answer> {
    const { signal } = task;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(poolClosed());
    if (this.#seats.length === 0) return Promise.reject(workersFailed(undefined));
    let takeBack = (): void => {};
    const answer = new Promise<Answer>((resolve, reject) => {
      const entry = { task, resolve, reject };
      takeBack = () => {
        const at = this.#waiting.indexOf(entry);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        reject(signal?.reason);
      };
      this.#waiting.push(entry);
      this.#dispatch();
    });
    const forget = signal && onAbort(signal, takeBack);
    return forget ? answer.finally(forget) : answer;
  }

  /** Runs a task in every worker, before whatever waits. */
  runEverywhere(task: Task): Promise<Answer[]> {
    return Promise.all(
      this.#seats.map(
        (seat) => new Promise<Answer>((resolve, reject) => this.#post(seat, { task, resolve, reject })),
      ),
    );
  }

  tellEveryone(message: ForgetMessage): void {
    for (const { channel } of this.#seats) channel.post(message, []);
  }

  /** Ends the workers and rejects what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    const seats = this.#seats.splice(0);
    for (const { reject } of this.#waiting.splice(0)) reject(poolClosed());
    for (const { posted } of seats) for (const { reject } of posted.values()) reject(poolClosed());
    await Promise.all(seats.map(({ channel }) => channel.end()));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const seat = this.#seats.reduce<Seat | undefined>(
        (least, each) => (each.byteLength < (least?.byteLength ?? POSTED_BYTES) ? each : least),
        undefined,
      );
      if (seat === undefined) return;
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#post(seat, entry);
    }
  }

  #post(seat: Seat, entry: Entry): void {
    const id = this.#nextId++;
    try {
      const { message, transfer } = entry.task.message(id);
      seat.channel.post(message, transfer);
    } catch (error) {
      entry.reject(error);
      return;
    }
    seat.posted.set(id, entry);
    seat.byteLength += entry.task.byteLength;
    seat.channel.hold(true);
  }

  #answered(seat: Seat, answer: Answer): void {
    const entry = seat.posted.get(answer.id);
    if (entry === undefined) return;
    seat.posted.delete(answer.id);
    seat.byteLength -= entry.task.byteLength;
    if (seat.posted.size === 0) seat.channel.hold(false);
    this.#dispatch();
    entry.resolve(answer);
  }

  #died(seat: Seat, cause: unknown): void {
    const at = this.#seats.indexOf(seat);
    if (at < 0) return;
    this.#seats.splice(at, 1);
    const error = workersFailed(cause);
    for (const { reject } of seat.posted.values()) reject(error);
    if (this.#seats.length === 0) for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

export function poolClosed(): UnsupportedError {
  return new UnsupportedError("the worker pool was closed");
}

export function workersFailed(cause: unknown): UnsupportedError {
  return new UnsupportedError(
    "a worker failed: does the page allow workers and serve wazarr/workers/worker?",
    { cause },
  );
}

// Worker threads of Node and Workers of browsers behind one interface.

export interface WorkerChannel {
  /** @param transfer memory that changes hands */
  post(message: Request, transfer: readonly ArrayBuffer[]): void;
  onAnswer(listener: (answer: Answer) => void): void;
  /** The worker died: a script that does not load, or memory that ran out. */
  onFailure(listener: (error: unknown) => void): void;
  /** Whether the worker keeps the process alive, where there is a process and it can be told. */
  hold(busy: boolean): void;
  /** Resolves when the worker has ended, or will without anything left to do. */
  end(): Promise<void>;
}

/** The part of `node:worker_threads` that is used. */
interface NodeWorker {
  postMessage(message: Request, transfer: readonly ArrayBuffer[]): void;
  on(event: "message", listener: (answer: Answer) => void): void;
  on(event: "error", listener: (error: unknown) => void): void;
  on(event: "exit", listener: (code: number) => void): void;
  ref(): void;
  unref(): void;
}
export type NodeWorkerConstructor = new (url: URL, options: { execArgv: string[] }) => NodeWorker;

/**
 * The workers of Node; undefined where there are those of browsers. Bun and Deno have both: a `self` that never hears anything is in
 * Bun's worker threads, and Deno's take 0.1 ms for every KiB of memory that changes hands (1.4 and 2.9).
 */
export async function nodeWorkers(): Promise<NodeWorkerConstructor | undefined> {
  const threads = await loadBuiltin<{ Worker: NodeWorkerConstructor }>("node:worker_threads");
  if (threads === undefined || "bun" in globalThis.process.versions || "deno" in globalThis.process.versions)
    return undefined;
  return threads.Worker;
}

export function nodeChannel(worker: NodeWorker): WorkerChannel {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onAnswer: (listener) => worker.on("message", listener),
    onFailure(listener) {
      worker.on("error", listener);
      worker.on("exit", (code) => listener(new Error(`the worker ended with code ${code}`)));
    },
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    // Asked, not terminated: Node 20 dies itself now and then of a worker that is terminated in the midst of something.
    end: () =>
      new Promise((resolve) => {
        worker.ref();
        worker.on("exit", () => resolve());
        worker.postMessage({ type: "end" }, []);
      }),
  };
}

/** Bun has the two methods of Node's workers in its Workers; elsewhere there are none. */
export function browserChannel(worker: Worker & { ref?(): void; unref?(): void }): WorkerChannel {
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    onAnswer: (listener) =>
      worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => listener(data)),
    onFailure: (listener) => {
      worker.addEventListener("error", (event) => listener(event.error ?? new Error(event.message)));
      // Bun's workers end like Node's; those of browsers say nothing of the kind.
      worker.addEventListener("close", () => listener(new Error("the worker ended")));
      worker.addEventListener("messageerror", () => listener(new Error("a message could not be read")));
    },
    hold: (busy) => (busy ? worker.ref?.() : worker.unref?.()),
    async end() {
      worker.terminate();
    },
  };
}

// Memory that is transferred to workers and back.

/** Encoded bytes of several chunks share memory of this size. */
const BLOCK = 1 << 20;

/** Buffers are used again: new memory costs more than the work that is done in it. */
export const transferable = bufferPool(32 << 20);

/** Memory for the encoded bytes of one band. */
export class TransferableMemory {
  readonly buffers: ArrayBuffer[] = [];
  #block: ArrayBuffer | undefined;
  #used = 0;

  readonly allocate = (byteLength: number): Uint8Array => {
    if (this.#block === undefined || this.#used + byteLength > this.#block.byteLength) {
      this.#block = transferable.take(Math.max(byteLength, BLOCK));
      this.buffers.push(this.#block);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += byteLength;
    return new Uint8Array(this.#block, start, byteLength);
  };

  /** `bytes` in this memory, or in shared memory where they are there already. */
  hold(bytes: Uint8Array): Uint8Array {
    if (!(bytes.buffer instanceof ArrayBuffer) || this.buffers.includes(bytes.buffer)) return bytes;
    const copy = this.allocate(bytes.length);
    copy.set(bytes);
    return copy;
  }
}
