/**
 * Runs the WASM kernels of assembly/filters.ts and filters-encode.ts. If a module is not loaded or has no
 * room, the caller runs the same code in JavaScript.
 */

import { inArena, type Kernels, lazyKernelModule, loadBeforeWriting } from "../../core/for-codecs.js";
import filtersModule from "../../kernels/modules/filters.generated.js";
import filtersEncodeModule from "../../kernels/modules/filters-encode.generated.js";

const kernelModule = lazyKernelModule("filters", filtersModule);
const encodeModule = lazyKernelModule("filters-encode", filtersEncodeModule);

async function loadEncoders(kernels: Kernels): Promise<void> {
  await encodeModule.load(kernels);
}

/**
 * Loads the WASM modules, the one for encoding before the first write. Without WebAssembly the filters run in
 * JavaScript.
 */
export async function loadFilters(kernels: Kernels): Promise<void> {
  loadBeforeWriting(loadEncoders);
  await kernelModule.load(kernels);
}

/**
 * Runs the kernel `name` on `count` elements.
 * @returns the kernel's result, 0 if it has none; undefined without a module, such a kernel, or room: the
 * caller then runs JavaScript
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
  const kernel = module?.exports[name] ?? encodeModule.of(kernels)?.exports[name];
  const to = module?.pointer(target);
  if (module === undefined || kernel === undefined || to === undefined) return undefined;
  const mark = kernels.mark();
  const from = inArena(kernels, module, source);
  const result = from === undefined ? undefined : (kernel(to, from, count, ...parameters) ?? 0);
  kernels.release(mark);
  return result;
}
