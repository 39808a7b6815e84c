/** The engine's options of a read, from those of `get`. */

import { invalid } from "../../base/errors.js";
import type { ReadOptions } from "../../core/line/shared/options.js";
import type { ZarritaSignal } from "../create/zarrita-options.js";
import { signalOf } from "../nodes/options-signal.js";

/**
 * Requests under way at once: 32 hide the latency of object stores, and browsers do not queue that many to
 * one host over HTTP/2.
 */
const DEFAULT_CONCURRENCY = 32;

/** Of a read to which no options are given. */
export const WITHOUT_OPTIONS: ReadOptions = { concurrency: DEFAULT_CONCURRENCY, isDefault: true };

/** The members of `GetOptions`, and of the options of other reads, that the engine needs. */
interface Chosen extends ZarritaSignal, Omit<ReadOptions, "concurrency"> {
  readonly concurrency?: number | undefined;
}

/** @throws InvalidArgumentError for a `concurrency` that is not a positive integer */
export function readOptions(options: Chosen): ReadOptions {
  return {
    ...options,
    signal: signalOf(options),
    concurrency: checkConcurrency(options.concurrency),
    isDefault: options.concurrency === undefined,
  };
}

/**
 * Returns the number of requests under way at once.
 * @throws InvalidArgumentError unless it is an integer of 1 or more
 */
export function checkConcurrency(concurrency: number = DEFAULT_CONCURRENCY): number {
  if (Number.isInteger(concurrency) && concurrency >= 1) return concurrency;
  throw invalid("concurrency", "an integer of 1 or more", concurrency);
}
