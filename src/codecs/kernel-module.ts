/**
 * WASM modules of codecs. Decoding is synchronous and loading a module is not, so a codec entry's `load` loads it
 * and its codecs look it up; where there is none (no WebAssembly, or nobody called `load`) they run their twin.
 */
import { exportOf, type KernelModule, type Kernels, type PackedModule } from "../kernels/kernels.js";
import { ARENA_MAXIMUM } from "../kernels/memory.js";

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

/** What `make` makes of a module's exports, made once for each module. */
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

/** `bytes` where a kernel can reach them, copied into the arena when they are elsewhere; as they are when the arena has no room left. */
export function intoArena(kernels: Kernels, module: KernelModule, bytes: Uint8Array): Uint8Array {
  if (module.pointer(bytes) !== undefined) return bytes;
  const copy = kernels.allocate(bytes.length);
  if (module.pointer(copy) === undefined) return bytes;
  copy.set(bytes);
  return copy;
}

/** The address of `bytes` brought into the arena; undefined when it has no room left, in which case the caller takes its twin. */
export function inArena(kernels: Kernels, module: KernelModule, bytes: Uint8Array): number | undefined {
  return module.pointer(intoArena(kernels, module, bytes));
}

/**
 * Makes sure that the arena has room for `byteLength` bytes more, where nothing in it but `bytes` is needed any longer.
 * @returns `bytes`, moved out of the arena if that had to grow
 */
export function ensureRoom(kernels: Kernels, bytes: Uint8Array, byteLength: number): Uint8Array {
  // The arena never grows to that, and asking would allocate ordinary memory.
  if (byteLength > ARENA_MAXIMUM) return bytes;
  const mark = kernels.mark();
  const hasRoom = kernels.allocate(byteLength).buffer === kernels.allocate(0).buffer;
  kernels.release(mark);
  if (hasRoom) return bytes;
  const own = bytes.slice();
  kernels.begin(byteLength);
  return own;
}
