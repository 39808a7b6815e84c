/** Hooks that read: what they return, and how it suspends a component. */
import { useRef, useSyncExternalStore } from "react";
import { keyOf } from "./key-of.js";
import { type Outcome, SharedRead } from "./shared-read.js";

/** What a hook has read: `status` is "reading", "read" with a `value`, or "failed" with an `error`. */
export type Reading<Value> = Outcome<Value> & {
  /** For hooks that need the value, and for `suspend`. */
  readonly shared: SharedRead<Value>;
  /** Reads again, after an error or because the data have changed. */
  readonly retry: () => void;
};

/**
 * Makes a hook of a function that reads: `const useRaster = readingHook((signal, url: string) => ...)`. Components whose
 * arguments are equal share one read. Lists and plain objects are equal if their content is; a store or a function is
 * equal to itself alone. Make hooks outside of components.
 * @param read gets a signal that aborts once no component needs the result
 */
export function readingHook<const Args extends readonly unknown[], Value>(
  read: (signal: AbortSignal, ...args: Args) => Promise<Value>,
): (...args: Args) => Reading<Value> {
  const at = sharedReads(read);
  return (...args) => useShared(at(...args));
}

/** The reads of a function, by its arguments. */
export function sharedReads<const Args extends readonly unknown[], Value>(
  read: (signal: AbortSignal, ...args: Args) => Promise<Value>,
): (...args: Args) => SharedRead<Value> {
  const reads = new Map<string, SharedRead<Value>>();
  return (...args) => {
    const key = keyOf(args);
    const known = reads.get(key);
    if (known !== undefined) return known;
    const made: SharedRead<Value> = new SharedRead(
      async (signal) => read(signal, ...args),
      (isUsed) => {
        if (isUsed) reads.set(key, made);
        else if (reads.get(key) === made) reads.delete(key);
      },
    );
    reads.set(key, made);
    return made;
  };
}

export function useShared<Value>(shared: SharedRead<Value>): Reading<Value> {
  const outcome = useSyncExternalStore(shared.subscribe, shared.outcome, shared.outcome);
  const asked = useRef<SharedRead<Value>>(undefined);
  // A component that is suspended has no effects that could end what it waited for before.
  if (outcome.status === "reading" && asked.current !== shared) {
    asked.current?.drop();
    asked.current = shared;
  }
  return { ...outcome, shared, retry: () => shared.retry() };
}

/**
 * The value of a reading. Until there is one, the component is suspended: the nearest `Suspense` around it shows its
 * fallback, or in a transition what was there before.
 * @throws the error of a read that has failed, for an error boundary; React catches what is thrown before
 */
export function suspend<Value>({ status, value, error, shared }: Reading<Value>): Value {
  if (status === "reading") throw shared.start();
  if (status === "failed") throw error;
  return value;
}
