/**
 * WASM modules of codecs. Decoding is synchronous and loading a module is not, so a codec entry's `load` loads the module
 * and its codecs look it up. Without a module (no WebAssembly, or no call of `load`) they run the same code in JavaScript.
 */

import { UnsupportedError } from "../errors.js";
import { exportOf, type KernelModule, type Kernels, type PackedModule } from "../kernels/kernels.js";
import type { Awaitable } from "../stores/store.js";

export interface LazyKernelModule {
  load(kernels: Kernels): Promise<KernelModule | undefined>;
  of(kernels: Kernels): KernelModule | undefined;
}

export function lazyKernelModule(name: string, packed: PackedModule): LazyKernelModule {
  const loaded = new WeakMap<Kernels, KernelModule>();
  return {
    async load(kernels) {
      const module = await kernels.loadModule(name, packed);
      if (module !== undefined) loaded.set(kernels, module);
      return module;
    },
    of: (kernels) => loaded.get(kernels),
  };
}

/** Caches the result of `make` for each module. */
export function functionsOf<T>(
  make: (module: KernelModule, find: (name: string) => KernelModule["exports"][string]) => T,
): (module: KernelModule) => T {
  const made = new WeakMap<KernelModule, T>();
  return (module) => {
    let functions = made.get(module);
    if (functions === undefined) {
      functions = make(module, (name) => exportOf(module, name));
      made.set(module, functions);
    }
    return functions;
  };
}

/** Copies `bytes` into the arena, where kernels can read them. Returns `bytes` itself if they are there, or if the arena is full. */
export function intoArena(kernels: Kernels, module: KernelModule, bytes: Uint8Array): Uint8Array {
  if (module.pointer(bytes) !== undefined) return bytes;
  const copy = kernels.allocate(bytes.length);
  if (module.pointer(copy) === undefined) return bytes;
  copy.set(bytes);
  return copy;
}

/** The address of `bytes`, copied into the arena if necessary. Undefined if the arena is full: the caller then runs its JavaScript code. */
export function inArena(kernels: Kernels, module: KernelModule, bytes: Uint8Array): number | undefined {
  return module.pointer(intoArena(kernels, module, bytes));
}

// Modules that a codec turns out to need while it decodes a chunk

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
 * A decoder in JavaScript: loaded with its codec if WebAssembly is missing, and otherwise only when WebAssembly memory has no room for a
 * chunk. In that case `get` throws an error with a MissingModule as its cause, and the chunk is decoded again once that is loaded.
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

// Modules that codecs need only for writing: loaded before the first write, so that pages that only read do not download them.
type Load = (kernels: Kernels) => Promise<void>;

const loads = new Set<Load>();

/** For a codec entry's `load`: registers `load` to be awaited before anything is encoded. `load` runs before every write, so it must cache. */
export function loadBeforeWriting(load: Load): void {
  loads.add(load);
}

/** Callers await this after they prepare the codecs and before the first one encodes. */
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
