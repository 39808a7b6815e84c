/**
 * Checks that all bytes read of a value are of one version, and of the version in the store. It compares what the store's answers tell
 * of the version, and what this process writes meanwhile.
 */

import { onAbort } from "../../abort.js";
import type { Priority } from "../../stores/request-queue.js";
import { storageOf } from "../../stores/storage-identity.js";
import type { AbsolutePath, PartsOptions, RangeQuery, Store, ValueState } from "../../stores/store.js";
import type { Values } from "../../stores/values.js";

/** What is known of the version of a value. If two of these differ in a member that both have, they are of different values. */
export interface ShardVersion extends ValueState {
  /** From `WriteLog.stamp`: changes with each write of this process. Used if the store tells no version. */
  readonly stamp?: number | undefined;
}

/** The read must be repeated: parts are of different versions, or all of them may be older than the read. */
export class ShardChanged extends Error {}

let clock = 0;

/** Returns an increasing number, to tell whether a request was sent before or after a read began. */
export function moment(): number {
  return ++clock;
}

export class Freshness {
  readonly #began: number;
  #version: ShardVersion;
  #isCurrent = false;
  #usesOlder = false;
  #asked: number | undefined;

  /** @param version of bytes that were read before; no other version is accepted */
  constructor(began: number, version: ShardVersion = {}) {
    this.#began = began;
    this.#version = version;
  }

  /** The version of everything read so far. */
  get version(): ShardVersion {
    return this.#version;
  }

  /** The moment of the oldest request. */
  get asked(): number | undefined {
    return this.#asked;
  }

  /** Whether something was requested after the read began. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Whether something was requested before the read began, from a store that tells no versions: errors may come from stale bytes. */
  get isDoubtful(): boolean {
    return this.#usesOlder && this.#version.version === undefined;
  }

  /**
   * Records the version of bytes that were requested at a moment.
   * @throws ShardChanged when it is another version than that of the bytes before
   */
  agree(told: ShardVersion, asked: number): void {
    this.#version = {
      byteLength: same(this.#version.byteLength, told.byteLength),
      version: same(this.#version.version, told.version),
      stamp: same(this.#version.stamp, told.stamp),
    };
    this.#asked = Math.min(asked, this.#asked ?? asked);
    if (asked > this.#began) this.#isCurrent = true;
    else this.#usesOlder = true;
  }
}

function same<T>(known: T | undefined, told: T | undefined): T | undefined {
  if (known !== undefined && told !== undefined && known !== told) throw new ShardChanged();
  return known ?? told;
}

// What this process writes to a store, for its own readers: if a store tells no versions, only these changes are known.

/** Most keys that are remembered. Other keys are only known not to have been written lately. */
const REMEMBERED = 4096;

class WriteLog {
  readonly #underWay = new Set<string>();
  /** Number of the last write of a key, oldest first. */
  readonly #last = new Map<string, number>();
  #count = 0;
  #forgotten = 0;

  begin(key: string): void {
    this.#underWay.add(key);
  }

  end(key: string): void {
    this.#underWay.delete(key);
    this.#last.delete(key);
    this.#last.set(key, ++this.#count);
    if (this.#last.size <= REMEMBERED) return;
    for (const [oldest, number] of this.#last) {
      this.#last.delete(oldest);
      this.#forgotten = number;
      return;
    }
  }

  /** If two stamps are equal, this process did not write the value in between. While a write is under way all stamps differ. */
  stamp(key: string): number {
    return this.#underWay.has(key) ? ++this.#count : (this.#last.get(key) ?? this.#forgotten);
  }
}

const logs = new WeakMap<object, WriteLog>();

/** The log of a store's place: a write through one array or store of that place is seen by reads through any other. */
export function writesOf(store: Store): WriteLog {
  const place = storageOf(store);
  let log = logs.get(place);
  if (log === undefined) {
    log = new WriteLog();
    logs.set(place, log);
  }
  return log;
}

// One request, and what its answer tells about the version of the value.

export interface Exchange {
  readonly parts: readonly Uint8Array[] | undefined;
  readonly told: ShardVersion;
  /** The moment when the request was sent. */
  readonly asked: number;
}

/** Sends a request and records the version of its answer. @throws StoreError, or the reason of the signal */
export async function exchange(
  values: Values,
  key: AbsolutePath,
  ranges: readonly RangeQuery[] | undefined,
  options: PartsOptions,
): Promise<Exchange> {
  const writes = writesOf(values.store);
  const before = writes.stamp(key);
  const asked = moment();
  const answer = await values.getParts(key, ranges, options);
  const { parts, byteLength, version } = answer ?? {};
  if (version !== undefined) return { parts, told: { byteLength, version }, asked };
  const stamp = writes.stamp(key);
  // If this process wrote the value meanwhile, the answer may be the old or the new value: NaN equals no stamp.
  return { parts, told: { byteLength, stamp: stamp === before ? stamp : Number.NaN }, asked };
}

// Ranges of values that are requested before the read that needs them is ready.
interface Asked {
  readonly range: RangeQuery;
  readonly answer: Promise<Exchange>;
  readonly abort: AbortController;
}

/** The answers of one read. The read takes each answer once, and then waits for it or aborts it. */
export class AnswersAhead {
  /** The moment when the read began, before any request was sent. */
  readonly began = moment();
  readonly #values: Values;
  readonly #priority: Priority | undefined;
  readonly #asked = new Map<AbsolutePath, Asked>();

  constructor(values: Values, priority: Priority | undefined) {
    this.#values = values;
    this.#priority = priority;
  }

  /** @param maximumBytes of the whole value, because a server may send it instead of the range */
  ask(key: AbsolutePath, range: RangeQuery, maximumBytes: number): void {
    const abort = new AbortController();
    const options = { signal: abort.signal, priority: this.#priority, maximumBytes };
    const answer = exchange(this.#values, key, [range], options);
    // The read that takes the answer handles its failure.
    answer.catch(() => {});
    this.#asked.set(key, { range, answer, abort });
  }

  /** Undefined if this key was not requested, or with another range. */
  take(key: AbsolutePath, range: RangeQuery): ((signal: AbortSignal) => Promise<Exchange>) | undefined {
    const asked = this.#asked.get(key);
    if (asked === undefined || !isSame(asked.range, range)) return undefined;
    this.#asked.delete(key);
    return (signal) => asked.answer.finally(onAbort(signal, () => asked.abort.abort(signal.reason)));
  }

  /** Aborts all requests whose answers nobody took. */
  release(): void {
    for (const { abort } of this.#asked.values()) abort.abort();
    this.#asked.clear();
  }
}

function isSame(one: RangeQuery, other: RangeQuery): boolean {
  if ("suffixLength" in one) return "suffixLength" in other && one.suffixLength === other.suffixLength;
  return "offset" in other && one.offset === other.offset && one.length === other.length;
}
