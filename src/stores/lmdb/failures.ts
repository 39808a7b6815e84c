/** Failures of LMDB, as StoreErrors. */
import { isZarrError, StoreError } from "../../core/for-stores.js";

export function attempt<T>(action: string, key: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw failure(action, key, cause);
  }
}

export async function attemptLater<T>(action: string, key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw failure(action, key, cause);
  }
}

function failure(action: string, key: string, cause: unknown): unknown {
  if (isZarrError(cause)) return cause;
  return new StoreError(`cannot ${action}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    key,
    cause,
  });
}
