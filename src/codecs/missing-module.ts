/**
 * Modules that a codec turns out to need while it decodes a chunk. Decoding is synchronous, so the codec throws an UnsupportedError whose
 * cause is a MissingModule; a caller that can wait loads the module and repeats the work, which happens once for each module.
 */
import { UnsupportedError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import type { Awaitable } from "../stores/store.js";

export class MissingModule {
  readonly load: (kernels: Kernels) => Promise<void>;
  constructor(load: (kernels: Kernels) => Promise<void>) {
    this.load = load;
  }
}

/** Loads the module whose absence `error` reports. @throws `error` itself, where it is another error */
export async function loadMissing(error: unknown, kernels: Kernels): Promise<void> {
  // Codecs that hold codecs say where they were, and keep the error as a cause.
  let cause = error;
  while (cause instanceof UnsupportedError) cause = cause.cause;
  if (!(cause instanceof MissingModule)) throw error;
  await cause.load(kernels);
}

/** Runs `task`, and again each time that it lacked a module. */
export async function retryWithMissing<T>(kernels: Kernels, task: () => Awaitable<T>): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (error) {
      await loadMissing(error, kernels);
    }
  }
}

/**
 * A decoder in JavaScript: loaded with its codec where there is no WebAssembly, and otherwise only if WebAssembly memory has no room for a
 * chunk. Then `get` throws with a MissingModule, and the chunk is decoded again.
 */
export interface LazyFallback<T> {
  load(): Promise<void>;
  /** @throws UnsupportedError that loads it */
  get(): T;
}

export function lazyFallback<T>(codec: string, load: () => Promise<T>): LazyFallback<T> {
  let fallback: T | undefined;
  const remember = async (): Promise<void> => {
    fallback = await load();
  };
  return {
    load: remember,
    get() {
      if (fallback !== undefined) return fallback;
      throw new UnsupportedError(
        "expected room in WebAssembly memory, got none: the decoder in JavaScript is not loaded yet",
        { codec, cause: new MissingModule(remember) },
      );
    },
  };
}
