/** Worker threads of Node and Workers of browsers behind one interface. */

import { bufferPool } from "../engine/shards/buffers.js";
import { loadBuiltin } from "../loading.js";
import type { Answer, Request } from "./messages.js";

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

export function browserChannel(worker: Worker): WorkerChannel {
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
    hold: (busy) => keepAlive(worker, busy),
    async end() {
      worker.terminate();
    },
  };
}

/** Bun has the two methods of Node's workers in its Workers; elsewhere there are none. */
function keepAlive(worker: Worker & { ref?(): void; unref?(): void }, busy: boolean): void {
  if (busy) worker.ref?.();
  else worker.unref?.();
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
