/**
 * WASM modules of codecs. Decoding is synchronous and loading a module is not, so a codec entry's `load`
 * loads the module and its codecs look it up. Without a module (no WebAssembly, or no call of `load`) they
 * run the same code in JavaScript.
 */

import { exportOf, type KernelModule, type Kernels, type PackedModule } from "../../../kernels/kernels.js";

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

/**
 * Copies `bytes` into the arena, where kernels can read them. Returns `bytes` itself if they are there, or if
 * the arena is full.
 */
export function intoArena(kernels: Kernels, module: KernelModule, bytes: Uint8Array): Uint8Array {
  if (module.pointer(bytes) !== undefined) return bytes;
  const copy = kernels.allocate(bytes.length);
  if (module.pointer(copy) === undefined) return bytes;
  copy.set(bytes);
  return copy;
}

/**
 * The address of `bytes`, copied into the arena if necessary. Undefined if the arena is full: the caller then
 * runs its JavaScript code.
 */
export function inArena(kernels: Kernels, module: KernelModule, bytes: Uint8Array): number | undefined {
  return module.pointer(intoArena(kernels, module, bytes));
}
