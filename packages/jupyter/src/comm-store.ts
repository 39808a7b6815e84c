/**
 * A store whose values come in messages from Python; python/wazarr/answers.py says which messages there are. What is
 * aborted before its message is sent is not asked for, and of values of several parts the next is asked for when one has
 * arrived: so a slow connection holds few messages.
 */
import { type AbsolutePath, type RangeQuery, type RequestOptions, type Store, StoreError } from "wazarr";

/** Keys that Python reads or that wait there: twice as many as it reads at once. */
const MOST_ASKED = 16;
/** A chunk or a shard of more is none that a page could decode. */
const MOST_BYTES = 2 ** 31;

/** The part of a widget's model that sends and receives. */
export interface Comm {
  send(message: object): void;
  on(event: "msg:custom", listener: MessageListener): void;
  off(event: "msg:custom", listener: MessageListener): void;
}
export type MessageListener = (message: unknown, buffers: readonly ArrayBufferView[]) => void;

interface Asked {
  readonly id: string;
  readonly key: AbsolutePath;
  readonly range: RangeQuery | undefined;
  readonly signal: RequestOptions["signal"];
  resolve(value: Uint8Array | undefined): void;
  reject(reason: unknown): void;
  /** What has arrived of a value in several parts. */
  value: Uint8Array;
  filled: number;
  /** Stops listening to the signal. */
  forget(): void;
}

export class CommStore implements Store {
  readonly kind = "network";
  readonly #comm: Comm;
  /** Every page with the notebook gets all messages: names tell whose they are. */
  readonly #name = Math.random().toString(36).slice(2);
  #count = 0;
  #waiting: Asked[] = [];
  readonly #asked = new Map<string, Asked>();

  constructor(comm: Comm) {
    this.#comm = comm;
    comm.on("msg:custom", this.#receive);
  }

  get(key: AbsolutePath, options?: RequestOptions): Promise<Uint8Array | undefined> {
    return this.#read(key, undefined, options?.signal);
  }

  getRange(key: AbsolutePath, range: RangeQuery, options?: RequestOptions): Promise<Uint8Array | undefined> {
    return this.#read(key, range, options?.signal);
  }

  /** Rejects what is under way, and takes it back. */
  close(): void {
    this.#comm.off("msg:custom", this.#receive);
    const all = [...this.#waiting, ...this.#asked.values()];
    for (const id of this.#asked.keys()) this.#comm.send({ kind: "abort", id });
    this.#waiting = [];
    this.#asked.clear();
    for (const each of all) {
      each.forget();
      each.reject(new StoreError("the viewer was closed", { key: each.key }));
    }
  }

  #read(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    signal: RequestOptions["signal"],
  ): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = `${this.#name}-${++this.#count}`;
      const abort = (): void => this.#abort(asked, signal?.reason);
      const forget = (): void => signal?.removeEventListener("abort", abort);
      const value = new Uint8Array();
      const asked: Asked = { id, key, range, signal, resolve, reject, value, filled: 0, forget };
      signal?.addEventListener("abort", abort);
      this.#waiting.push(asked);
      this.#next();
    });
  }

  #next(): void {
    while (this.#asked.size < MOST_ASKED) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const { id, key, range, signal } = next;
      // One signal may abort many, of which this one comes later.
      if (signal?.aborted === true) continue;
      this.#asked.set(id, next);
      this.#comm.send({ kind: "get", id, key, ...(range !== undefined && { range }) });
    }
  }

  #abort(asked: Asked, reason: unknown): void {
    this.#waiting = this.#waiting.filter((each) => each !== asked);
    if (this.#asked.delete(asked.id)) this.#comm.send({ kind: "abort", id: asked.id });
    asked.forget();
    asked.reject(reason);
    this.#next();
  }

  readonly #receive: MessageListener = (message, buffers) => {
    if (typeof message !== "object" || message === null) return;
    const { kind, id, size, message: words }: Message = message;
    const asked = typeof id === "string" ? this.#asked.get(id) : undefined;
    if (asked === undefined) return;
    if (kind === "missing") this.#settle(asked, () => asked.resolve(undefined));
    else if (kind === "error") this.#fail(asked, String(words));
    else if (kind === "value" || kind === "part")
      this.#take(asked, kind === "value" ? size : undefined, buffers[0]);
  };

  /** @param size of the whole value, with its first part */
  #take(asked: Asked, size: unknown, buffer: ArrayBufferView | undefined): void {
    const part = buffer && new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    const length = part?.byteLength ?? 0;
    // A value of one part is not copied.
    if (part !== undefined && size === length) {
      this.#settle(asked, () => asked.resolve(part));
      return;
    }
    if (typeof size === "number") {
      if (!(Number.isInteger(size) && size >= 0 && size <= MOST_BYTES)) {
        this.#fail(asked, `expected a value of at most ${MOST_BYTES} bytes, got ${size}`);
        return;
      }
      asked.value = new Uint8Array(size);
    }
    if (part === undefined || length === 0 || asked.filled + length > asked.value.byteLength) {
      this.#fail(asked, `expected a part of ${asked.value.byteLength} bytes, got ${length} more`);
      return;
    }
    asked.value.set(part, asked.filled);
    asked.filled += length;
    if (asked.filled === asked.value.byteLength) this.#settle(asked, () => asked.resolve(asked.value));
    else this.#comm.send({ kind: "more", id: asked.id });
  }

  #fail(asked: Asked, words: string): void {
    this.#settle(asked, () => asked.reject(new StoreError(words, { key: asked.key })));
  }

  #settle(asked: Asked, settle: () => void): void {
    this.#asked.delete(asked.id);
    asked.forget();
    settle();
    this.#next();
  }
}

interface Message {
  readonly kind?: unknown;
  readonly id?: unknown;
  readonly size?: unknown;
  readonly message?: unknown;
}
