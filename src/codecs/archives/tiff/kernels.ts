/**
 * The functions of assembly/tiff.ts on byte arrays: in WASM if its module is loaded and there is room in the
 * arena, else in JavaScript. Both give the same bits.
 */

import {
  functionsOf,
  inArena,
  type KernelModule,
  type Kernels,
  lazyFallback,
  lazyKernelModule,
} from "../../../core/for-codecs.js";
import tiffModule from "../../../kernels/modules/tiff.generated.js";
import type { Rows } from "./rows.js";

const kernelModule = lazyKernelModule("tiff", tiffModule);
const fallback = lazyFallback("tiff", async () => ({
  ...(await import("./javascript/compressors.js")),
  ...(await import("./javascript/predictors.js")),
}));

export async function loadTiff(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await fallback.load();
}

const inWasm = functionsOf((_, find) => ({
  lzw: find("lzw"),
  packbits: find("packbits"),
  sums: { 1: find("sum8"), 2: find("sum16"), 4: find("sum32"), 8: find("sum64") },
  joins: { 2: find("join16"), 4: find("join32"), 8: find("join64") },
}));
type Functions = ReturnType<typeof inWasm>;

/** The table of LZW, as assembly/tiff-lzw.ts has it. */
export const TABLE_LENGTH = 4097 * 8 + 272;

/** Runs `run` on the addresses of target and source; undefined without a module, or if there is no room. */
function onPointers<Result>(
  kernels: Kernels,
  target: Uint8Array,
  source: Uint8Array,
  run: (functions: Functions, to: number, from: number, module: KernelModule) => Result,
): Result | undefined {
  const module = kernelModule.of(kernels);
  const to = module?.pointer(target);
  if (module === undefined || to === undefined) return undefined;
  const mark = kernels.mark();
  const from = inArena(kernels, module, source);
  const result = from === undefined ? undefined : run(inWasm(module), to, from, module);
  kernels.release(mark);
  return result;
}

export type Compressor = "lzw" | "packbits";

/** @returns bytes written, or a failure (decoder-result.ts) */
export function decompress(
  kernels: Kernels,
  name: Compressor,
  target: Uint8Array,
  source: Uint8Array,
): number {
  const result = onPointers(kernels, target, source, ({ lzw, packbits }, to, from, module) => {
    if (name === "packbits") return packbits(to, target.length, from, source.length);
    const table = module.pointer(kernels.allocate(TABLE_LENGTH));
    return table === undefined ? undefined : lzw(to, target.length, from, source.length, table);
  });
  return result ?? fallback.get()[name](target, source);
}

/** Sums of numbers of `size` bytes: each group of a row and the one before it. */
export function sumRows(
  kernels: Kernels,
  target: Uint8Array,
  source: Uint8Array,
  size: 1 | 2 | 4 | 8,
  { count, length, inner }: Rows,
): void {
  const isDone = onPointers(kernels, target, source, ({ sums }, to, from) => {
    sums[size](to, from, count, length, inner);
    return true;
  });
  if (isDone === undefined) fallback.get().sumRows(target, source, size, { count, length, inner });
}

/**
 * Rows of `length` numbers of `size` bytes from their bytes: first the highest of all, then the next ones.
 */
export function joinRows(
  kernels: Kernels,
  target: Uint8Array,
  source: Uint8Array,
  size: 2 | 4 | 8,
  count: number,
  length: number,
): void {
  const isDone = onPointers(kernels, target, source, ({ joins }, to, from) => {
    joins[size](to, from, count, length);
    return true;
  });
  if (isDone === undefined) fallback.get().joinRows(target, source, size, count, length);
}
