/** One request to a store, and what its answer tells of the version of the value. */
import { storeFailure } from "../../stores/check-store.js";
import type { Priority } from "../../stores/request-queue.js";
import type { AbsolutePath, Awaitable, Store, StoreOptions, ValueState } from "../../stores/store.js";
import { moment, type ShardVersion } from "./freshness.js";
import { stateOf } from "./index-cache.js";

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
  const { writes } = stateOf(store);
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
