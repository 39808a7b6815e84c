/** Python's side of the messages in a process of its own (over_pipes.py). */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Comm, MessageListener } from "../src/comm-store.js";

/** What Python says of the object, before anything is asked. */
export interface Shown {
  readonly path: string;
  readonly variables: readonly string[];
}

export class Pipes implements Comm {
  /** Messages that were sent. */
  readonly sent: { readonly kind?: string; readonly key?: string }[] = [];
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<void>;
  readonly #listeners = new Set<MessageListener>();
  #words = "";
  #rest = Buffer.alloc(0);

  constructor(python: string) {
    this.#process = spawn(python, ["packages/jupyter/test/over_pipes.py"]);
    this.#process.stderr.on("data", (text) => (this.#words += text));
    this.#process.stdout.on("data", (bytes: Buffer) => {
      this.#rest = Buffer.concat([this.#rest, bytes]);
      while (this.#take());
    });
    this.#exit = new Promise((resolve) => this.#process.once("exit", () => resolve()));
  }

  /** Shows another object. */
  open(object: string): Promise<Shown> {
    this.sent.length = 0;
    return new Promise((resolve, reject) => {
      const listener: MessageListener = (message) => {
        this.off("msg:custom", listener);
        resolve(shownOf(message));
      };
      this.on("msg:custom", listener);
      void this.#exit.then(() => reject(new Error(this.#words)));
      this.#process.stdin.write(`${JSON.stringify({ kind: "open", object })}\n`);
    });
  }

  send(message: object): void {
    this.sent.push(message);
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  on(_: "msg:custom", listener: MessageListener): void {
    this.#listeners.add(listener);
  }

  off(_: "msg:custom", listener: MessageListener): void {
    this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#process.stdin.end();
    return this.#exit;
  }

  /** Gives on one message, if it is whole. */
  #take(): boolean {
    const end = this.#rest.indexOf("\n");
    if (end < 0) return false;
    const header: { message: unknown; sizes: number[] } = JSON.parse(this.#rest.toString("utf8", 0, end));
    let at = end + 1;
    const buffers = header.sizes.map((size) => Uint8Array.from(this.#rest.subarray(at, (at += size))));
    if (at > this.#rest.length) return false;
    this.#rest = this.#rest.subarray(at);
    for (const listener of [...this.#listeners]) listener(header.message, buffers);
    return true;
  }
}

function shownOf(message: unknown): Shown {
  const { path, variables }: Partial<Record<string, unknown>> = Object(message);
  if (typeof path !== "string" || !Array.isArray(variables)) throw new Error("expected what is shown");
  return { path, variables: variables.map(String) };
}
