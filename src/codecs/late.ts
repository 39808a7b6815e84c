/**
 * Modules that a codec needs because of what stands in a chunk. Decoding does not wait, so the codec throws an UnsupportedError with a
 * LateLoad as its cause; who can wait loads that and begins again, which happens once for each module.
 */
import { UnsupportedError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import type { Awaitable } from "../stores/store.js";

export class LateLoad {
  readonly load: (kernels: Kernels) => Promise<void>;
  constructor(load: (kernels: Kernels) => Promise<void>) {
    this.load = load;
  }
}

/** Loads what was missing. @throws `error` itself, where it says nothing of the kind */
export async function loadLate(error: unknown, kernels: Kernels): Promise<void> {
  // Codecs that hold codecs say where they were, and keep the error as a cause.
  let cause = error;
  while (cause instanceof UnsupportedError) cause = cause.cause;
  if (!(cause instanceof LateLoad)) throw error;
  await cause.load(kernels);
}

/** Runs `task`, again when it lacked a module. */
export async function withLateLoads<T>(kernels: Kernels, task: () => Awaitable<T>): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      await loadLate(error, kernels);
    }
  }
}
