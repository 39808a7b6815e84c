/** The order in which requests go out: how urgent each is, and whose turn it is. */
import { onAbort } from "../abort.js";
import { InvalidArgumentError } from "../errors.js";
import type { StoreOptions } from "./store.js";

/**
 * More is sooner; 0 unless given, and less than 0 is background: what nobody looks at yet. A function is asked whenever a request can begin, so
 * that what waits may become more urgent, or less.
 */
export type Priority = number | (() => number);

/** What a priority is now. What is no number counts as 0; a function that throws must not be the failure of whoever asks. */
export function priorityOf(priority?: Priority): number {
  try {
    return (typeof priority === "function" ? priority() : priority) || 0;
  } catch {
    return 0;
  }
}

/** Those who wait for one request: it is as urgent as the most urgent of them, and wanted until the last has left. */
export class Waiters extends AbortController {
  readonly #all = new Set<readonly [Priority | undefined]>();
  readonly priority: () => number;

  /** @param first of whoever asks, who may join later */
  constructor(first: Priority | undefined) {
    super();
    this.priority = () =>
      Math.max(...Array.from(this.#all.size > 0 ? this.#all : [[first]], ([each]) => priorityOf(each)));
  }

  /** @returns what leaves: true when nobody waits any more */
  join(priority: Priority | undefined): () => boolean {
    const waiter = [priority] as const;
    this.#all.add(waiter);
    return () => this.#all.delete(waiter) && this.#all.size === 0;
  }
}

export interface RequestQueueOptions {
  /** Requests under way at once: 32 unless given, and 256 in Node, whose `fetch` makes as many connections and which may read for many. */
  readonly limit?: number | undefined;
  /** How many may be under way when one of the background (a priority below 0) has begun, that one included: 4 unless given. */
  readonly backgroundLimit?: number | undefined;
}

/**
 * For 300 values of 50 kB that are wanted at once, 80 ms away: 4.2 s over the 6 connections that Chromium makes to a server of HTTP/1.1, whatever the limit.
 * A value with a higher priority then came after 474 ms with 32, after 87 with 6 and after 2799 without a limit: a browser's own queue can hardly be
 * overtaken. Where requests share a connection (HTTP/2) 6 would take five times as long as 32, which fill 160 Mbit/s.
 */
const LIMIT = typeof globalThis.Buffer === "function" ? 256 : 32;

/**
 * Work that waits for its turn: the most urgent first, and of the equally urgent who came first. Priorities are looked at whenever there is
 * room. What is aborted while it waits never begins.
 */
export class RequestQueue {
  readonly #limit: number;
  readonly #backgroundLimit: number;
  /** Those of one priority, in the order they came. */
  readonly #waiting = new Map<Priority, Set<() => void>>();
  #running = 0;

  /** @throws InvalidArgumentError unless both are numbers of 1 or more; Infinity is one */
  constructor({ limit = LIMIT, backgroundLimit = 4 }: RequestQueueOptions = {}) {
    if (!(limit >= 1 && backgroundLimit >= 1))
      throw new InvalidArgumentError("RequestQueue: expected limits of 1 or more");
    this.#limit = limit;
    this.#backgroundLimit = backgroundLimit;
  }

  /**
   * Does the work when its turn has come.
   * @throws what the work throws; the reason of the signal
   */
  async run<Result>(
    work: () => Result | Promise<Result>,
    { priority = 0, signal }: Pick<StoreOptions, "priority" | "signal"> = {},
  ): Promise<Result> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const equals = this.#waiting.get(priority) ?? new Set();
      const leave = (): void => {
        forget?.();
        equals.delete(begin);
        if (equals.size === 0) this.#waiting.delete(priority);
      };
      const begin = (): void => {
        leave();
        this.#running++;
        resolve();
      };
      const forget =
        signal &&
        onAbort(signal, () => {
          leave();
          reject(signal.reason);
        });
      this.#waiting.set(priority, equals.add(begin));
      this.#fill();
    });
    try {
      return await work();
    } finally {
      this.#running--;
      this.#fill();
    }
  }

  /** Begins whatever there is room for. */
  #fill(): void {
    while (this.#waiting.size > 0 && this.#running < this.#limit) {
      const [urgency, first] = Array.from(
        this.#waiting,
        ([priority, equals]) => [priorityOf(priority), equals] as const,
      ).reduce((most, each) => (each[0] > most[0] ? each : most));
      if (urgency < 0 && this.#running >= this.#backgroundLimit) return;
      for (const begin of first) {
        begin();
        break;
      }
    }
  }
}

/** By origin. */
const queues = new Map<string, RequestQueue>();

/** The queue of all stores of an origin that have none of their own. */
export function queueOf({ protocol, host }: URL): RequestQueue {
  const origin = protocol + host;
  const queue = queues.get(origin) ?? new RequestQueue();
  queues.set(origin, queue);
  return queue;
}
