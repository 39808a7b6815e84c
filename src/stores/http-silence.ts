/** How long a server may be silent. */
import { untilAborted } from "../abort.js";
import { InvalidArgumentError } from "../errors.js";

const DEFAULT_TIMEOUT = 60_000;

/** Timers of JavaScript run at once when they are given more. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** @returns milliseconds; undefined for no limit @throws InvalidArgumentError */
export function checkTimeout(timeout: unknown = DEFAULT_TIMEOUT): number | undefined {
  if (typeof timeout !== "number" || !(timeout >= 0))
    throw new InvalidArgumentError(`timeout: expected milliseconds, 0 for no limit, got ${String(timeout)}`);
  return timeout === 0 || timeout > LONGEST_TIMER ? undefined : timeout;
}

/** Aborts a request when nothing is heard of its server for some time, or when the caller aborts. */
export class Silence {
  /** Aborts in both cases; null where neither can be. */
  readonly signal: AbortSignal | null;
  readonly #timeout: number | undefined;
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = 0;

  constructor(timeout: number | undefined, caller: AbortSignal | null) {
    this.#timeout = timeout;
    const own = this.#abort.signal;
    this.signal = timeout === undefined ? caller : caller ? AbortSignal.any([caller, own]) : own;
  }

  /** Whether the request was aborted because of the silence. */
  get isOver(): boolean {
    return this.#abort.signal.aborted;
  }

  get problem(): string {
    return `nothing came for ${this.#timeout} ms; pass a longer \`timeout\` if the server is that slow`;
  }

  heard(): void {
    this.#heard = performance.now();
  }

  /** Resolves with the result of `work`, whose server may be silent for no longer than the timeout between two calls of `heard`. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.heard();
    this.#wait();
    try {
      return await untilAborted(this.signal ?? undefined, work);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  // One timer for many pieces of a body: it begins anew for what is left.
  #wait(): void {
    if (this.#timeout === undefined) return;
    const left = this.#heard + this.#timeout - performance.now();
    if (left <= 0) this.#abort.abort();
    else this.#timer = setTimeout(() => this.#wait(), Math.ceil(left));
  }
}
