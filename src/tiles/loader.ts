/**
 * Reads tiles in order, a limited number at once, aborts reads that nobody wants, and keeps the tiles that
 * have arrived.
 */
import { BoundedCache } from "../extend.js";
import type { Priority } from "../main/stores.js";

/** A tile that can be read. */
export interface Job<Data> {
  readonly key: string;
  readonly bytes: number;
  read(options: { readonly signal: AbortSignal; readonly priority: Priority }): Promise<Data>;
}

interface LoaderOptions {
  readonly concurrency: number;
  readonly maximumBytes: number;
  /** A tile has arrived, or failed. */
  onSettled(key: string): void;
}

/** Reads under way that nobody waits for yet, as in the queue of requests. */
const BACKGROUND = 4;

export class Loader<Data> {
  readonly #options: LoaderOptions;
  readonly #there: BoundedCache<string, Data>;
  readonly #underWay = new Map<string, AbortController>();
  readonly #failed = new Map<string, { readonly error: unknown }>();
  #current: ReadonlyMap<string, Job<Data>> = new Map();
  #ahead: ReadonlyMap<string, Job<Data>> = new Map();

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.#there = new BoundedCache({ bytes: options.maximumBytes });
  }

  get bytes(): number {
    return this.#there.bytes;
  }

  /** A tile that has arrived. */
  get(key: string): Data | undefined {
    return this.#there.get(key);
  }

  has(key: string): boolean {
    return this.#there.has(key);
  }

  /** Whether a tile has arrived or failed. */
  isSettled(key: string): boolean {
    return this.#there.has(key) || this.#failed.has(key);
  }

  /** Why a tile failed. */
  failureOf(key: string): { readonly error: unknown } | undefined {
    return this.#failed.get(key);
  }

  /**
   * From now on reads only these tiles, in this order. Those that have arrived are kept; together they must
   * not have more bytes than the limit.
   * @param ahead tiles for later, which are read when all `wanted` ones have arrived
   * @param keysInUse keys of other tiles that are in use
   */
  plan(current: readonly Job<Data>[], ahead: readonly Job<Data>[], keysInUse: readonly string[]): void {
    this.#current = byKey(current);
    this.#ahead = byKey(ahead);
    let room = BACKGROUND;
    for (const [key, controller] of this.#underWay) {
      if (this.#current.has(key) || (this.#ahead.has(key) && room-- > 0)) continue;
      this.#underWay.delete(key);
      controller.abort();
    }
    for (const key of this.#failed.keys())
      if (!this.#current.has(key) && !this.#ahead.has(key)) this.#failed.delete(key);
    // What is used last is evicted last.
    for (const key of [...this.#ahead.keys(), ...keysInUse, ...this.#current.keys()]) this.#there.get(key);
    this.#start();
  }

  /** Requests once more what failed, and what has arrived in part. */
  retry(isPart: (data: Data) => boolean): void {
    this.#failed.clear();
    for (const key of [...this.#there.keys()]) {
      const data = this.#there.peek(key);
      if (data !== undefined && isPart(data)) this.#there.delete(key);
    }
    this.#start();
  }

  /** Aborts all reads and forgets all tiles. */
  clear(): void {
    this.plan([], [], []);
    this.#there.clear();
  }

  #start(): void {
    const underWay = [...this.#underWay.keys()].filter((key) => this.#current.has(key)).length;
    this.#startSome(this.#current, this.#options.concurrency - underWay);
    const isIdle = [...this.#current.keys()].every((key) => this.isSettled(key));
    if (isIdle) this.#startSome(this.#ahead, BACKGROUND - this.#underWay.size);
  }

  #startSome(jobs: ReadonlyMap<string, Job<Data>>, most: number): void {
    let room = most;
    for (const job of jobs.values()) {
      if (room <= 0) return;
      if (this.isSettled(job.key) || this.#underWay.has(job.key)) continue;
      room--;
      void this.#read(job);
    }
  }

  async #read(job: Job<Data>): Promise<void> {
    const { key, bytes } = job;
    const controller = new AbortController();
    this.#underWay.set(key, controller);
    const { signal } = controller;
    try {
      const data = await job.read({ signal, priority: () => (this.#current.has(key) ? 0 : -1) });
      if (!signal.aborted) this.#there.set(key, data, bytes);
    } catch (error) {
      if (!signal.aborted) this.#failed.set(key, { error });
    }
    if (signal.aborted) return;
    this.#underWay.delete(key);
    this.#start();
    this.#options.onSettled(key);
  }
}

function byKey<Data>(jobs: readonly Job<Data>[]): ReadonlyMap<string, Job<Data>> {
  return new Map(jobs.map((job) => [job.key, job]));
}
