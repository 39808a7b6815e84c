/** What is asked again after a failure that may pass, when, and how often. */
import { onAbort } from "../abort.js";
import { InvalidArgumentError, isZarrError } from "../errors.js";
import { LONGEST_TIMER } from "./http-body.js";

/** What failed, and what comes of it. */
export interface RetryReport {
  /** The key, or the prefix that was listed. */
  readonly key: string;
  readonly error: unknown;
  /** How many attempts have failed: 1 before the first that is made again. */
  readonly attempt: number;
  /** Milliseconds until the next. */
  readonly delay: number;
}

export interface RetryOptions {
  /** Attempts in all, the first included: 3 unless given. */
  readonly attempts?: number | undefined;
  /** Milliseconds; the wait is a random part of that, doubled with every attempt ("full jitter"): 100 unless given. */
  readonly baseDelay?: number | undefined;
  /** Milliseconds that a wait is at most, 10000 unless given. Nothing is asked again of a server whose `Retry-After` is longer. */
  readonly maxDelay?: number | undefined;
  /** Whether a failure is worth another attempt, in place of the rule: StoreErrors with `isTransient`. */
  readonly retryIf?: ((error: unknown) => boolean) | undefined;
  /** Called before every wait. */
  readonly onRetry?: ((report: RetryReport) => void) | undefined;
}

const ATTEMPTS = 3;
const BASE_DELAY = 100;
const MAX_DELAY = 10_000;

/** @throws InvalidArgumentError for numbers that are none */
export function checkRetry({ attempts = 1, baseDelay = 0, maxDelay = 0 }: RetryOptions): void {
  for (const [name, given] of Object.entries({ attempts, baseDelay, maxDelay }))
    if (!(given >= 0))
      throw new InvalidArgumentError(`${name}: expected a number that is not negative, got ${String(given)}`);
}

/** Of HTTP: too slow, too many requests, failures of the server. */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500;

/** A StoreError says so itself. */
export const isTransient = (error: unknown): boolean => isZarrError(error, "StoreError") && error.isTransient;

/**
 * Makes attempts after a first that failed.
 * @param signal ends the wait
 * @throws what the last attempt threw; the signal's reason; InvalidArgumentError for invalid options
 */
export async function again<Result>(
  error: unknown,
  work: () => Result | Promise<Result>,
  options: RetryOptions,
  key: string,
  signal: AbortSignal | null | undefined,
): Promise<Result> {
  checkRetry(options);
  const { attempts = ATTEMPTS, baseDelay = BASE_DELAY, maxDelay = MAX_DELAY } = options;
  const { retryIf = isTransient, onRetry } = options;
  let last = error;
  for (let attempt = 1; ; attempt++) {
    const told = isZarrError(last, "StoreError") ? milliseconds(last.retryAfter) : 0;
    if (signal?.aborted || attempt >= attempts || told > maxDelay || !retryIf(last)) throw last;
    // After what the server said, for others were told the same.
    const delay = told + Math.random() * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
    onRetry?.({ key, error: last, attempt, delay });
    await pause(delay, signal);
    try {
      return await work();
    } catch (failure) {
      last = failure;
    }
  }
}

/** From now; 0 for what says nothing. */
function milliseconds(retryAfter = ""): number {
  const delay = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Math.max(0, delay || 0);
}

function pause(delay: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    const timer = setTimeout(
      () => {
        forget?.();
        resolve();
      },
      Math.min(delay, LONGEST_TIMER),
    );
  });
}
