/**
 * The function of assembly/zfp.ts on byte arrays: in WASM if its module is loaded and there is room in the
 * arena, else in JavaScript. Both give the same bits.
 */

import { functionsOf, type Kernels, lazyFallback, lazyKernelModule } from "../../../core/for-codecs.js";
import zfpModule from "../../../kernels/modules/zfp.generated.js";
import type { ZfpArray } from "./array.js";
import { orderOf } from "./order.js";

const kernelModule = lazyKernelModule("zfp", zfpModule);
const fallback = lazyFallback("zfp", () => import("./javascript/blocks.js"));

export async function loadZfp(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await fallback.load();
}

const inWasm = functionsOf((_, find) => ({ decode: find("decode") }));

/**
 * Kernels read a block before they compare its end with that of the source: 256 times 65 bits, and a word.
 */
const PADDING = 2120;

// The table of assembly/zfp.ts: words, the order of coefficients, room for two blocks.
const ORDER = 48;
const ROOM = ORDER + 256;
const TABLE_LENGTH = ROOM + 2 * 2048;

/** Arena bytes beside the encoded ones. */
export const SCRATCH_LENGTH = PADDING + TABLE_LENGTH;

function tableOf(kernels: Kernels, { type, shape, limits }: ZfpArray): Uint8Array {
  const table = kernels.allocate(TABLE_LENGTH);
  const [x = 1, y = 1, z = 1, w = 1] = [...shape].reverse();
  new Int32Array(table.buffer, table.byteOffset, 10).set([
    ...[Number(type.isFloat), shape.length, x, y, z, w],
    ...[limits.minimumBits, limits.maximumBits, limits.precision, limits.exponent],
  ]);
  table.set(orderOf(shape.length), ORDER);
  return table;
}

/**
 * Decodes all of an array to `target`, little-endian.
 * @returns how many bytes were read, or a failure (decoder-result.ts)
 */
export function decodeArray(
  kernels: Kernels,
  target: Uint8Array,
  bytes: Uint8Array,
  array: ZfpArray,
): number {
  const module = kernelModule.of(kernels);
  const to = module?.pointer(target);
  if (module !== undefined && to !== undefined) {
    const copy = kernels.allocate(bytes.length + PADDING);
    const source = module.pointer(copy);
    const table = module.pointer(tableOf(kernels, array));
    if (source !== undefined && table !== undefined) {
      copy.set(bytes);
      return inWasm(module).decode(to, source, bytes.length, array.start, array.type.width, table);
    }
  }
  return fallback.get().decode(target, bytes, array, orderOf(array.shape.length));
}
