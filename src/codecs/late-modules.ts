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

// What codecs need for writing alone: loaded before something is first written, so that pages that only read do not download it.
type Load = (kernels: Kernels) => Promise<void>;

const loads = new Set<Load>();

/** For a codec entry's `load`: `load` is to be awaited before anything is encoded. It is called often and remembers what it did. */
export function loadBeforeWriting(load: Load): void {
  loads.add(load);
}

/** To be awaited, once all codecs are prepared, before the first of them encodes. */
export async function loadForWriting(kernels: Kernels): Promise<void> {
  await Promise.all(Array.from(loads, (load) => load(kernels)));
}

/** A module that only writing needs: `announce` it in a codec entry's `load`, `get` it when something is encoded. */
export function lazyEncoder<T>(load: (kernels: Kernels) => Promise<T>): {
  announce(): void;
  get(): T;
} {
  let encoder: T | undefined;
  const remember: Load = async (kernels) => {
    encoder = await load(kernels);
  };
  return {
    announce: () => loadBeforeWriting(remember),
    get() {
      if (encoder === undefined) throw new TypeError("expected loadForWriting() before encode()");
      return encoder;
    },
  };
}
