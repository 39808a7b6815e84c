/**
 * Whether all that was read of a value is of one version, and of the one that is in the store: what answers tell of it, and what this
 * process writes meanwhile.
 */

import { onAbort } from "../../abort.js";
import { storeFailure } from "../../stores/check-store.js";
import type { Priority } from "../../stores/request-queue.js";
import { placeOf } from "../../stores/storage-identity.js";
import type {
  AbsolutePath,
  Awaitable,
  RangeQuery,
  Store,
  StoreOptions,
  ValueState,
} from "../../stores/store.js";

/** What is known of the version of a value. Two that differ in a member that both have are of different values. */
export interface ShardVersion extends ValueState {
  /** The last write of this process. */
  readonly stamp?: number | undefined;
}

/** What was read has to be read again: parts are of different versions, or nothing says that they are not older than the read. */
export class ShardChanged extends Error {}

let clock = 0;

/** A number greater than all before it, to tell whether something was asked for before or after a read began. */
export function moment(): number {
  return ++clock;
}

export class Freshness {
  readonly #began: number;
  #version: ShardVersion;
  #isCurrent = false;
  #usesOlder = false;
  #asked: number | undefined;

  /** @param version of what was read before; no other is accepted */
  constructor(began: number, version: ShardVersion = {}) {
    this.#began = began;
    this.#version = version;
  }

  /** The version that everything read so far is of. */
  get version(): ShardVersion {
    return this.#version;
  }

  /** The moment when the oldest of it was asked for. */
  get asked(): number | undefined {
    return this.#asked;
  }

  /** Whether something was asked for after the read began. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Whether something was asked for before the read began, in a store that tells no versions: errors may come of that. */
  get isDoubtful(): boolean {
    return this.#usesOlder && this.#version.version === undefined;
  }

  /**
   * Takes note of the version of what was asked for at a moment.
   * @throws ShardChanged when it is another than that of what was read before
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

// What this process writes to a store, for readers in the same process: where a store tells no versions, only these changes are known.

/** Keys that are remembered; of others it is only known that they were not written lately. */
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

  /** The same number twice: the value was not written in between. Never the same while it is being written. */
  stamp(key: string): number {
    return this.#underWay.has(key) ? ++this.#count : (this.#last.get(key) ?? this.#forgotten);
  }
}

const logs = new WeakMap<object, WriteLog>();

/** By the place of a store, so that a write through one array, or store of that place, is seen by reads through any other. */
export function writesOf(store: Store): WriteLog {
  const place = placeOf(store);
  let log = logs.get(place);
  if (log === undefined) {
    log = new WriteLog();
    logs.set(place, log);
  }
  return log;
}

// One request, and what its answer tells of the version of the value.

export interface Exchange<T> {
  readonly answer: T;
  readonly told: ShardVersion;
  /** The moment when it was asked for. */
  readonly asked: number;
}

interface Asking {
  readonly signal: AbortSignal;
  readonly priority?: Priority | undefined;
  readonly maximumBytes?: number | undefined;
}

/** @throws StoreError, or the reason of the signal */
export async function exchange<T>(
  store: Store,
  key: AbsolutePath,
  { signal, priority, maximumBytes }: Asking,
  action: (options: StoreOptions) => Awaitable<T>,
): Promise<Exchange<T>> {
  signal.throwIfAborted();
  const writes = writesOf(store);
  const before = writes.stamp(key);
  const asked = moment();
  let state: ValueState = {};
  const onValue = (told: ValueState): void => {
    state = told;
  };
  try {
    const answer = await action({ signal, priority, maximumBytes, onValue });
    if (state.version !== undefined) return { answer, told: state, asked };
    const stamp = writes.stamp(key);
    // Written in between: whether the answer is the old value or the new one nobody knows.
    return { answer, told: { ...state, stamp: stamp === before ? stamp : Number.NaN }, asked };
  } catch (error) {
    throw storeFailure(error, key, signal);
  }
}

// Ranges of values that are asked for before the read that wants them is ready to.
type Answer = Exchange<Uint8Array | undefined>;

interface Asked {
  readonly range: RangeQuery;
  readonly answer: Promise<Answer>;
  readonly abort: AbortController;
}

/** Of one read, which takes each answer once; what it has taken it waits for or aborts itself. */
export class AnswersAhead {
  /** The moment when the read began: before anything was asked for. */
  readonly began = moment();
  readonly #store: Store;
  readonly #priority: Priority | undefined;
  readonly #asked = new Map<AbsolutePath, Asked>();

  constructor(store: Store, priority: Priority | undefined) {
    this.#store = store;
    this.#priority = priority;
  }

  /** @param maximumBytes of the whole value, which may come in place of the range */
  ask(key: AbsolutePath, range: RangeQuery, maximumBytes: number): void {
    const abort = new AbortController();
    const options = { signal: abort.signal, priority: this.#priority, maximumBytes };
    const answer = exchange(this.#store, key, options, (given) => this.#store.getRange?.(key, range, given));
    // The read that takes the answer hears of a failure.
    answer.catch(() => {});
    this.#asked.set(key, { range, answer, abort });
  }

  /** Undefined where nothing was asked for, or another range. */
  take(key: AbsolutePath, range: RangeQuery): ((signal: AbortSignal) => Promise<Answer>) | undefined {
    const asked = this.#asked.get(key);
    if (asked === undefined || !isSame(asked.range, range)) return undefined;
    this.#asked.delete(key);
    return (signal) => asked.answer.finally(onAbort(signal, () => asked.abort.abort(signal.reason)));
  }

  /** Aborts what nobody took. */
  release(): void {
    for (const { abort } of this.#asked.values()) abort.abort();
    this.#asked.clear();
  }
}

function isSame(one: RangeQuery, other: RangeQuery): boolean {
  if ("suffixLength" in one) return "suffixLength" in other && one.suffixLength === other.suffixLength;
  return "offset" in other && one.offset === other.offset && one.length === other.length;
}
