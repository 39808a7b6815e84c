/**
 * The functions of assembly/pcodec.ts on byte arrays: in WASM if its module is loaded and there is room in
 * the arena, else in JavaScript. Both give the same bits.
 */

import { functionsOf, type Kernels, lazyFallback, lazyKernelModule } from "../../../core/for-codecs.js";
import pcodecModule from "../../../kernels/modules/pcodec.generated.js";

const kernelModule = lazyKernelModule("pcodec", pcodecModule);
const fallback = lazyFallback("pcodec", () => import("./javascript/page.js"));

export async function loadPcodec(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await fallback.load();
}

const inWasm = functionsOf((_, find) => ({ page: find("page") }));

/**
 * Kernels read a variable of a batch before they compare its end with that of the source: 256 times 64 and 14
 * bits.
 */
const PADDING = 2560;

/**
 * Decodes a page that begins at byte `start` to all of `target`.
 * @returns the byte after the page, or a failure (decoder-result.ts)
 */
export type DecodePage = (target: Uint8Array, start: number, count: number, plan: Uint32Array) => number;

/** @param bytes the encoded chunk */
export function pageDecoder(kernels: Kernels, bytes: Uint8Array): DecodePage {
  const module = kernelModule.of(kernels);
  const copy = module && kernels.allocate(bytes.length + PADDING);
  copy?.set(bytes);
  const source = copy && module?.pointer(copy);
  return (target, start, count, plan) => {
    const table = module?.pointer(new Uint8Array(plan.buffer, plan.byteOffset, plan.byteLength));
    const to = module?.pointer(target);
    if (module === undefined || source === undefined || table === undefined || to === undefined) {
      return fallback.get().page(target, bytes, start, count, plan);
    }
    return inWasm(module).page(to, source, bytes.length, start, count, table);
  };
}
