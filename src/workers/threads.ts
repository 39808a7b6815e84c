/** One interface for Node's worker threads and browsers' Workers. */
import { loadBuiltin } from "../base/loading.js";
import type { Answer, Request } from "./messages.js";

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
 * Returns Node's Worker class; undefined if the global `Worker` is used. Bun and Deno have both, but in
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
