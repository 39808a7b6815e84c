/** Queues of requests: a limit of concurrent requests, and their order by priority. */
import { onAbort } from "../../../base/abort.js";
import { InvalidArgumentError } from "../../../base/errors.js";
import { checkNames, type NamesOf } from "../../../base/option-names.js";

/**
 * Requests with a higher priority start first. Default 0; below 0 is background work whose result is not
 * visible yet. "high", "auto" and "low" of `fetch` are 1, 0 and -1. The queue calls a function whenever a
 * request can start, so that the priority of a waiting request may change.
 */
export type Priority = number | (() => number) | keyof typeof OF_FETCH;

/** The priorities of `fetch`. */
const OF_FETCH = { high: 1, auto: 0, low: -1 } as const;

interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
}

/**
 * The current value of a priority. NaN and undefined count as 0; so does a function that throws, which must
 * not fail the request.
 */
export function priorityOf(priority?: Priority): number {
  try {
    if (typeof priority === "string") return OF_FETCH[priority] || 0;
    return (typeof priority === "function" ? priority() : priority) || 0;
  } catch {
    return 0;
  }
}

/** Options of `RequestQueue`. */
export interface RequestQueueOptions {
  /**
   * Largest number of concurrent requests. Default 32; 256 in Node, whose `fetch` opens a connection for each
   * and which may serve many users.
   */
  readonly limit?: number | undefined;
  /**
   * A background request (priority below 0) starts only while fewer than this many requests run. Default 4.
   */
  readonly backgroundLimit?: number | undefined;
}

const OPTIONS: NamesOf<RequestQueueOptions> = { limit: true, backgroundLimit: true };

/**
 * Measured in Chromium with 300 concurrent reads of 50 kB, 80 ms round trip: 4.2 s with any limit over its 6
 * connections to an HTTP/1.1 server. A value of higher priority came after 474 ms with limit 32, 87 ms with 6
 * and 2799 ms without a limit, because a browser's own queue can hardly be overtaken. Over one HTTP/2
 * connection, limit 6 would take five times as long as 32, which fill 160 Mbit/s.
 */
const LIMIT = typeof globalThis.Buffer === "function" ? 256 : 32;

/**
 * Runs requests up to a limit: the highest priority first, and first come, first served among equal
 * priorities. The queue reads priorities whenever a request can start. A request that is aborted while it
 * waits never starts.
 */
export class RequestQueue {
  readonly #limit: number;
  readonly #backgroundLimit: number;
  /** Waiting requests by priority, in order of arrival. */
  readonly #waiting = new Map<Priority, Set<() => void>>();
  #running = 0;

  /** @throws InvalidArgumentError unless both limits are numbers of 1 or more; Infinity is allowed */
  constructor(options: RequestQueueOptions = {}) {
    checkNames(options, "RequestQueue", OPTIONS);
    const { limit = LIMIT, backgroundLimit = 4 } = options;
    if (!(limit >= 1 && backgroundLimit >= 1))
      throw new InvalidArgumentError("RequestQueue: expected limits of 1 or more");
    this.#limit = limit;
    this.#backgroundLimit = backgroundLimit;
  }

  /**
   * Runs `work` when its turn comes.
   * @throws what `work` throws; the signal's reason
   */
  async run<Result>(
    work: () => Result | Promise<Result>,
    { priority = 0, signal }: RequestOptions = {},
  ): Promise<Result> {
    signal?.throwIfAborted();
    const isFirst = this.#waiting.size === 0 && this.#running < this.#limit;
    if (isFirst && (priorityOf(priority) >= 0 || this.#running < this.#backgroundLimit)) this.#running++;
    else await this.#turn(priority, signal);
    try {
      return await work();
    } finally {
      this.#running--;
      if (this.#waiting.size > 0) this.#fill();
    }
  }

  /** Waits until a request may start, which then counts as running. @throws the signal's reason */
  #turn(priority: Priority, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
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
  }

  /** Starts waiting requests up to the limits. */
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

/** Shared queues by origin. */
const queues = new Map<string, RequestQueue>();

/** The shared queue of an origin, for stores without a queue of their own. */
export function queueOf({ protocol, host }: URL): RequestQueue {
  const origin = protocol + host;
  const queue = queues.get(origin) ?? new RequestQueue();
  queues.set(origin, queue);
  return queue;
}
