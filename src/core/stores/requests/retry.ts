/** Retries after transient failures: which failures, how often, and after which delay. */
import { onAbort } from "../../../base/abort.js";
import { invalid, isZarrError, type StoreError } from "../../../base/errors.js";
import { checkNames, type NamesOf } from "../../../base/option-names.js";
import { LONGEST_TIMER } from "../http/body.js";

/** A failed attempt and the delay before the next one. */
export interface RetryReport {
  /** The key of the read or write, or the prefix that was listed. */
  readonly key: string;
  /** Why the attempt failed. */
  readonly error: unknown;
  /** Number of attempts that have failed so far: 1 before the first retry. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}

/** When and how often a failed request is repeated. */
export interface RetryOptions {
  /** Largest number of attempts, the first included. Default 3. */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds. The delay is random, from 0 to this value, which doubles with every attempt ("full
   * jitter"). Default 100.
   */
  readonly baseDelay?: number | undefined;
  /**
   * Longest random delay in milliseconds. Default 10000. There is no retry when the server's `Retry-After` is
   * longer.
   */
  readonly maxDelay?: number | undefined;
  /**
   * Whether to retry after a failure. Default: StoreErrors with `isTransient` (`withRetry` adds errors of
   * other stores).
   */
  readonly retryIf?: ((error: unknown) => boolean) | undefined;
  /** Called before every delay. */
  readonly onRetry?: ((report: RetryReport) => void) | undefined;
}

const ATTEMPTS = 3;
const BASE_DELAY = 100;
const MAX_DELAY = 10_000;

export const RETRY_OPTIONS: NamesOf<RetryOptions> = {
  attempts: true,
  baseDelay: true,
  maxDelay: true,
  retryIf: "function",
  onRetry: "function",
};

/** @throws InvalidArgumentError for an unknown option, a negative number or NaN */
export function checkRetry(
  options: RetryOptions = {},
  name: string,
  known: NamesOf<RetryOptions> = RETRY_OPTIONS,
): void {
  checkNames(options, name, known);
  const { attempts = 1, baseDelay = 0, maxDelay = 0 } = options;
  for (const [option, value] of Object.entries({ attempts, baseDelay, maxDelay }))
    if (!(value >= 0)) throw invalid(option, "0 or more", value);
}

/** Transient HTTP statuses: 408 Request Timeout, 429 Too Many Requests, and server errors. */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 429 || status >= 500;

/** Whether an error is a StoreError that is marked as transient. */
export const isTransient = (error: unknown): boolean => isZarrError(error, "StoreError") && error.isTransient;

/** Failures of probes that were not repeated, although they may pass. */
export const unrepeated = new WeakSet<object>();

/**
 * Whether an error says that no answer came. Of a probe in a page that may also mean a missing value: an
 * answer of another origin without CORS headers is hidden from it.
 */
export const isUnanswered = (error: unknown): error is StoreError =>
  isZarrError(error, "StoreError") && error.isTransient && error.status === undefined;

/**
 * Retries `work` after a first attempt that failed with `error`.
 * @param signal ends the delay
 * @throws what the last attempt threw; the signal's reason
 */
export async function again<Result>(
  error: unknown,
  work: () => Result | Promise<Result>,
  options: RetryOptions,
  key: string,
  signal: AbortSignal | null | undefined,
): Promise<Result> {
  const { attempts = ATTEMPTS, baseDelay = BASE_DELAY, maxDelay = MAX_DELAY } = options;
  const { retryIf = isTransient, onRetry } = options;
  let last = error;
  for (let attempt = 1; ; attempt++) {
    const retryAfter = isZarrError(last, "StoreError") ? milliseconds(last.retryAfter) : 0;
    if (signal?.aborted || attempt >= attempts || retryAfter > maxDelay || !retryIf(last)) throw last;
    // The random delay comes on top of `Retry-After`, because the server sends other clients the same value.
    const delay = retryAfter + Math.random() * Math.min(maxDelay, baseDelay * 2 ** (attempt - 1));
    onRetry?.({ key, error: last, attempt, delay });
    await pause(delay, signal);
    try {
      return await work();
    } catch (failure) {
      last = failure;
    }
  }
}

/**
 * The delay of a `Retry-After` header (seconds or a date) in milliseconds; 0 when it is missing or invalid.
 */
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
