/** The kernels of assembly/filters.ts: in WASM where the module is loaded and has room, else the caller runs the twin. */
import type { Kernels } from "../../kernels/kernels.js";
import { inArena, lazyKernelModule } from "../kernel-module.js";

const kernelModule = lazyKernelModule("filters", () => import("../../kernels/modules/filters.generated.js"));

/** Loads the WASM module; the filters work without. */
export async function loadFilters(kernels: Kernels): Promise<void> {
  await kernelModule.load(kernels);
}

/**
 * Runs the kernel of this name on `count` elements.
 * @returns what it returns, 0 for nothing; undefined when the twin has to do it: no module, no such kernel, or no room in the arena
 */
export function runFilter(
  kernels: Kernels,
  name: string,
  target: Uint8Array,
  source: Uint8Array,
  count: number,
  ...parameters: number[]
): number | undefined {
  const module = kernelModule.of(kernels);
  const kernel = module?.exports[name];
  const to = module?.pointer(target);
  if (module === undefined || kernel === undefined || to === undefined) return undefined;
  const mark = kernels.mark();
  const from = inArena(kernels, module, source);
  const result = from === undefined ? undefined : (kernel(to, from, count, ...parameters) ?? 0);
  kernels.release(mark);
  return result;
}
