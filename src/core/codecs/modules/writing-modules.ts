/**
 * Modules that codecs need only for writing: loaded before the first write, so that pages that only read do
 * not download them.
 */
import type { Kernels } from "../../../kernels/kernels.js";

type Load = (kernels: Kernels) => Promise<void>;

const loads = new Set<Load>();

/**
 * For a codec entry's `load`: registers `load` to be awaited before anything is encoded. `load` runs before
 * every write, so it must cache.
 */
export function loadBeforeWriting(load: Load): void {
  loads.add(load);
}

/** Callers await this after they prepare the codecs and before the first one encodes. */
export async function loadForWriting(kernels: Kernels): Promise<void> {
  await Promise.all(Array.from(loads, (load) => load(kernels)));
}

/**
 * A module that only writing needs: `announce` it in a codec entry's `load`, `get` it when something is
 * encoded.
 */
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
