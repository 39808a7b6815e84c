/**
 * Requests of reads to one store, and the versions in its answers. Concurrent reads share requests of a
 * store behind a network, and a request may be sent before the read that needs it is ready.
 */

import type { Priority } from "../../stores/requests/request-queue.js";
import { SharedRequests } from "../../stores/requests/shared-requests.js";
import type { AbsolutePath, PartsOptions, RangeQuery, Store, ValueState } from "../../stores/store.js";
import { type Values, valuesOf } from "../../stores/values.js";
import { type WriteLog, writesOf } from "../../stores/write-log.js";

let clock = 0;

/** Returns an increasing number, to tell whether a request was sent before or after a read began. */
export function moment(): number {
  return ++clock;
}

/**
 * All that is known of the version of a value. If two of these differ in a member that both have, they are
 * of different values.
 */
export interface ToldVersion extends ValueState {
  /** From `WriteLog.stamp`: changes with each write of this process. Used if the store tells no version. */
  readonly stamp?: number | undefined;
}

/** One request and its answer. */
export interface Exchange {
  /** Undefined if the value is missing. */
  readonly parts: readonly Uint8Array[] | undefined;
  readonly told: ToldVersion;
  /** The moment when the request was sent. */
  readonly asked: number;
}

/** Sends a request and records the version of its answer. @throws StoreError, or the reason of the signal */
export async function exchange(
  values: Values,
  key: AbsolutePath,
  ranges: readonly RangeQuery[] | undefined,
  options: PartsOptions,
  writes: WriteLog = writesOf(values.store),
): Promise<Exchange> {
  const before = writes.stamp(key);
  const asked = moment();
  const answer = await values.getParts(key, ranges, options);
  const { parts, byteLength, version } = answer ?? {};
  if (version !== undefined) return { parts, told: { byteLength, version }, asked };
  const stamp = writes.stamp(key);
  // If this process wrote the value meanwhile, the answer may be the old or the new value: NaN equals no
  // stamp.
  return { parts, told: { byteLength, stamp: stamp === before ? stamp : Number.NaN }, asked };
}

/** The requests of one store that reads share. */
export class Exchanges {
  readonly #values: Values;
  readonly #writes: WriteLog;
  readonly #shared = new SharedRequests<Exchange>();

  constructor(values: Values) {
    this.#values = values;
    this.#writes = writesOf(values.store);
  }

  /**
   * Whether whole values are shared. Not if the store can be written: a read that begins after a write must
   * not get an answer that was requested before it. Ranges are only read by those who compare versions.
   */
  get sharesValues(): boolean {
    return this.#values.kind === "network" && this.#values.store.set === undefined;
  }

  /**
   * A whole value, by a request that reads share if they may; its version does not matter. Undefined if it is
   * missing. @throws as `exchange`
   */
  async value(key: AbsolutePath, options: PartsOptions): Promise<Uint8Array | undefined> {
    const answer = this.sharesValues
      ? await this.join(key, undefined, options)
      : await this.#values.getParts(key, undefined, options);
    return answer?.parts?.[0];
  }

  /** Joins or sends a request for a whole value, or a range of it. @throws as `exchange` */
  async join(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    { signal = new AbortController().signal, priority, maximumBytes, current }: PartsOptions,
  ): Promise<Exchange> {
    const ranges = range && [range];
    if (this.#values.kind !== "network" || current === true)
      return exchange(this.#values, key, ranges, { signal, priority, maximumBytes, current });
    signal.throwIfAborted();
    return this.#request(key, range, priority, maximumBytes).wait(signal, priority);
  }

  /**
   * Sends a request, unless it is under way, and keeps its answer for a reader.
   * @returns a function that ends this, and perhaps the request
   */
  ahead(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    { priority, maximumBytes }: { readonly priority: Priority | undefined; readonly maximumBytes: number },
  ): () => void {
    return this.#request(key, range, priority, maximumBytes).keep(priority);
  }

  /** The next read of a value asks again: the answer is of a version that was replaced. */
  forget(key: AbsolutePath): void {
    for (const name of this.#shared.keys())
      if (name === key || name.startsWith(`${key}\0`)) this.#shared.delete(name);
  }

  #request(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    first: Priority | undefined,
    maximumBytes: number | undefined,
  ) {
    return this.#shared.ask(nameOf(key, range), first, ({ signal, priority }) =>
      exchange(this.#values, key, range && [range], { signal, priority, maximumBytes }, this.#writes),
    );
  }
}

function nameOf(key: AbsolutePath, range: RangeQuery | undefined): string {
  if (range === undefined) return key;
  return "suffixLength" in range
    ? `${key}\0suffix ${range.suffixLength}`
    : `${key}\0${range.offset} ${range.length}`;
}

const known = new WeakMap<Store, Exchanges>();

/** The requests of a store: all arrays of the store share them. */
export function exchangesOf(store: Store): Exchanges {
  let exchanges = known.get(store);
  if (exchanges === undefined) {
    exchanges = new Exchanges(valuesOf(store));
    known.set(store, exchanges);
  }
  return exchanges;
}
