/** The queue of tasks for workers, the message channels to workers, and buffers that are transferred. */

import { onAbort } from "../abort.js";
import { bufferPool } from "../engine/buffers.js";
import { LostWork } from "../engine/lost-work.js";
import { UnsupportedError } from "../errors.js";
import { loadBuiltin } from "../loading.js";
import type { Answer, ForgetMessage, Question, Request } from "./messages.js";

export interface Task {
  /** Bytes of elements: a measure of the task's duration. */
  readonly byteLength: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when a worker is ready for the task, so that inputs are not copied earlier. */
  message(id: number): { readonly message: Question; readonly transfer: readonly ArrayBuffer[] };
}

interface Entry {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  readonly channel: WorkerChannel;
  /** Posted tasks without an answer, by id. */
  readonly posted: Map<number, Entry>;
  byteLength: number;
  /** Whether the worker has ever answered: one that has not may be unable to start at all. */
  hasAnswered: boolean;
}

/**
 * Bytes of tasks posted to a worker in advance, so that it never waits for its next task: two bands, or eight
 * chunks of a megabyte.
 */
const POSTED_BYTES = 8 << 20;

export class WorkerQueue {
  readonly #seats: Seat[] = [];
  readonly #waiting: Entry[] = [];
  #closed = false;
  #nextId = 0;
  #lost: unknown[] = [];

  /** Number of living workers. */
  get size(): number {
    return this.#seats.length;
  }

  /** Number of tasks that are not posted to a worker yet. */
  get length(): number {
    return this.#waiting.length;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The causes of death of workers that had answered before and are not replaced yet. */
  get lost(): readonly unknown[] {
    return this.#lost;
  }

  /** Returns `lost` for whoever replaces those workers. */
  takeLost(): readonly unknown[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  /** @param first tasks that the worker gets before all others */
  add(channel: WorkerChannel, first: readonly Task[] = []): void {
    const seat: Seat = { channel, posted: new Map(), byteLength: 0, hasAnswered: false };
    channel.hold(false);
    channel.onAnswer((answer) => this.#answered(seat, answer));
    channel.onFailure((error) => this.#died(seat, error));
    this.#seats.push(seat);
    const ignore = (): void => {};
    for (const task of first) this.#post(seat, { task, resolve: ignore, reject: ignore });
  }

  /**
   * Runs a task in the worker with the least posted work. An abort removes a waiting task; a posted task runs
   * to its end.
   * @throws the signal's reason; LostWork when the worker has died, or all have; UnsupportedError when the
   * pool is closed
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

  /**
   * Runs a task in every worker, ahead of all waiting tasks.
   * @returns the answers of those that do not die of it
   * @throws LostWork if all do
   */
  async runEverywhere(task: Task): Promise<Answer[]> {
    const ends = await Promise.allSettled(
      this.#seats.map(
        (seat) => new Promise<Answer>((resolve, reject) => this.#post(seat, { task, resolve, reject })),
      ),
    );
    const answers = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    for (const end of ends) {
      if (end.status === "rejected" && (answers.length === 0 || !(end.reason instanceof LostWork)))
        throw end.reason;
    }
    return answers;
  }

  tellEveryone(message: ForgetMessage): void {
    for (const { channel } of this.#seats) channel.post(message, []);
  }

  /** Ends the workers and rejects all waiting and posted tasks. */
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
    seat.hasAnswered = true;
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
    if (seat.hasAnswered) this.#lost.push(cause);
    const error = seat.hasAnswered ? workerDied(cause) : workersFailed(cause);
    for (const { reject } of seat.posted.values()) reject(error);
    if (this.#seats.length === 0) for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

export function poolClosed(): UnsupportedError {
  return new UnsupportedError("the worker pool was closed");
}

export function workersFailed(cause: unknown): LostWork {
  return new LostWork("no worker starts: does the page allow workers and serve wazarr/workers/worker?", {
    cause,
  });
}

function workerDied(cause: unknown): LostWork {
  return new LostWork(
    `a worker died during its work: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      cause,
    },
  );
}

// One interface for Node's worker threads and browsers' Workers.

export interface WorkerChannel {
  /** @param transfer buffers to transfer */
  post(message: Request, transfer: readonly ArrayBuffer[]): void;
  onAnswer(listener: (answer: Answer) => void): void;
  /** Called when the worker dies, for example because its script does not load or memory runs out. */
  onFailure(listener: (error: unknown) => void): void;
  /** Sets whether the worker keeps the process alive. No effect in browsers and Deno. */
  hold(busy: boolean): void;
  /** Ends the worker. In Node it resolves when the worker has exited. */
  end(): Promise<void>;
}

/** The members of a `node:worker_threads` Worker that the channel uses. */
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
 * Returns Node's Worker class; undefined where the global `Worker` is used. Bun and Deno have both, but in
 * Bun's worker threads `self` receives no messages (1.4), and Deno's take 0.1 ms for every transferred KiB
 * (2.9).
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
    // Sends a message instead of calling `terminate`: Node 20 sometimes crashes when a worker is terminated
    // during its work.
    end: () =>
      new Promise((resolve) => {
        worker.ref();
        worker.on("exit", () => resolve());
        worker.postMessage({ type: "end" }, []);
      }),
  };
}

/** Bun's Workers have Node's methods `ref` and `unref`; those of browsers and Deno do not. */
export function browserChannel(worker: Worker & { ref?(): void; unref?(): void }): WorkerChannel {
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    onAnswer: (listener) =>
      worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => listener(data)),
    onFailure: (listener) => {
      worker.addEventListener("error", (event) => listener(event.error ?? new Error(event.message)));
      // Bun's Workers emit "close" when they end; those of browsers do not.
      worker.addEventListener("close", () => listener(new Error("the worker ended")));
      worker.addEventListener("messageerror", () => listener(new Error("a message could not be read")));
    },
    hold: (busy) => (busy ? worker.ref?.() : worker.unref?.()),
    async end() {
      worker.terminate();
    },
  };
}

// Buffers that are transferred to workers and back.

/** Bytes of a buffer that encoded chunks share. */
const BLOCK = 1 << 20;

/** A pool of buffers for reuse: allocating new memory costs more than the work that is done in it. */
export const transferable = bufferPool(32 << 20);

/** Allocates memory for the encoded chunks of one band, from buffers that can be transferred. */
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

  /**
   * Returns `bytes` unchanged if they are in shared memory or in this memory already; otherwise a copy in
   * this memory.
   */
  hold(bytes: Uint8Array): Uint8Array {
    if (!(bytes.buffer instanceof ArrayBuffer) || this.buffers.includes(bytes.buffer)) return bytes;
    const copy = this.allocate(bytes.length);
    copy.set(bytes);
    return copy;
  }
}
