/** The engine's options of a read, from those of `get`. */
import type { ReadOptions } from "../engine/options.js";
import { InvalidArgumentError } from "../errors.js";
import type { GetOptions } from "./get-options.js";
import { signalOf } from "./options-signal.js";

/**
 * Requests under way at once: 32 hide the latency of object stores, and browsers do not queue that many to
 * one host over HTTP/2.
 */
const DEFAULT_CONCURRENCY = 32;

export function readOptions(options: GetOptions<unknown>): ReadOptions {
  return {
    ...options,
    signal: signalOf(options),
    concurrency: checkConcurrency(options.concurrency),
    isDefault: options.concurrency === undefined,
  };
}

export function checkConcurrency(concurrency: number = DEFAULT_CONCURRENCY): number {
  if (Number.isInteger(concurrency) && concurrency >= 1) return concurrency;
  throw new InvalidArgumentError(`concurrency: expected an integer of 1 or more, got ${concurrency}`);
}
