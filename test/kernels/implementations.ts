import { loadFilled } from "../../src/kernels/filled.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels, setWasm } from "../../src/kernels/load.js";

export type NamedKernels = readonly [name: string, kernels: Kernels];

/** Bytes of modules by their names, for each build. */
export type Builds = Readonly<Record<string, Readonly<Record<string, Uint8Array<ArrayBuffer>>>>>;

/**
 * The release build as it is loaded, and the fallback; and each of `builds` with its transposition, on a
 * memory of its own.
 */
export async function implementations(builds: Builds = {}): Promise<NamedKernels[]> {
  setKernels("wasm");
  const wasm = await loadKernels();
  await loadFilled(wasm);
  const named: [string, Kernels][] = [["wasm", wasm]];
  for (const [name, modules] of Object.entries(builds)) {
    for (const [module, bytes] of Object.entries(modules)) setWasm(bytes, module);
    const kernels = await loadKernels();
    await Promise.all([kernels.loadTransposition(), loadFilled(kernels)]);
    named.push([name, kernels]);
  }
  setKernels("javascript");
  named.push(["javascript", await loadKernels()]);
  setKernels("auto");
  return named;
}

export const GUARD = 0xa5;
/** Guard bytes on both sides: more than any vector or tile overshoots. */
export const MARGIN = 80;

/**
 * Memory of `length` bytes at `skew` from a 16-byte boundary, between guard bytes, inside the kernels' arena
 * or outside. The whole array is what a test hands to the kernel, so that a stray store is a wrong guard byte
 * and not a fault.
 */
export function guarded(kernels: Kernels, inside: boolean, length: number, skew: number) {
  const total = MARGIN + skew + length + MARGIN;
  const whole = inside ? kernels.allocate(total) : new Uint8Array(total);
  whole.fill(GUARD);
  return { whole, offset: MARGIN + skew, bytes: whole.subarray(MARGIN + skew, MARGIN + skew + length) };
}
