/**
 * Modules that a codec turns out to need while it decodes a chunk: the decoder in JavaScript where
 * WebAssembly memory has no room, and that of a compressor which only the header of a blosc chunk names.
 * Nobody knows either when an array is prepared, and to load both for every array would make pages download
 * what hardly any needs. So decoding fails with what is missing, and whoever waits for the chunk loads it and
 * decodes again.
 */

import type { Awaitable } from "../../../base/awaitable.js";
import { UnsupportedError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";

export class MissingModule {
  readonly load: (kernels: Kernels) => Promise<void>;
  constructor(load: (kernels: Kernels) => Promise<void>) {
    this.load = load;
  }
}

/** Loads the module whose absence `error` reports. @throws `error` itself, if it reports something else */
export async function loadMissing(error: unknown, kernels: Kernels): Promise<void> {
  // Codecs that contain codecs wrap the error to add their place, and keep it as the cause.
  let cause = error;
  while (cause instanceof UnsupportedError) cause = cause.cause;
  if (!(cause instanceof MissingModule)) throw error;
  await cause.load(kernels);
}

/** Runs `task`; each time that it fails for a missing module, loads the module and runs `task` again. */
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
 * A decoder in JavaScript: loaded with its codec if WebAssembly is missing, and otherwise only when
 * WebAssembly memory has no room for a chunk. In that case `get` throws an error with a MissingModule as its
 * cause, and the chunk is decoded again once that is loaded.
 */
export interface LazyFallback<T> {
  load(): Promise<void>;
  /** @throws UnsupportedError whose cause is a MissingModule, if the decoder is not loaded */
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
