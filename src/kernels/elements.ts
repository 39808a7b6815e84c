/**
 * Conversions of elements that JavaScript has no typed array for: the WASM module `elements`, or its
 * JavaScript fallback. Lengths are in bytes and checked by the caller; all numbers are little-endian, at any
 * address.
 */
import * as fallback from "./javascript/elements.js";
import { exportOf, type KernelModule, type Kernels } from "./kernels.js";
import elementsModule from "./modules/elements.generated.js";

export interface Elements {
  /**
   * Converts halves to floats, bit for bit; NaNs keep their payload. `target` is twice as long as `source`.
   */
  halfToFloat(target: Uint8Array, source: Uint8Array): void;
  /**
   * Converts floats to halves, to nearest, ties to even; 65520 and more becomes Infinity. `source` is twice
   * as long as `target`.
   */
  floatToHalf(target: Uint8Array, source: Uint8Array): void;
  bfloat16ToFloat(target: Uint8Array, source: Uint8Array): void;
  floatToBfloat16(target: Uint8Array, source: Uint8Array): void;
  /**
   * Converts strings of `capacity` code points to joined UTF-16, without the zeros at their ends.
   * @param target has room for as many bytes as `source`
   * @param lengths u32: receives the UTF-16 units of each string
   * @returns units in all, or -1 - index of the first string that is not UTF-32
   */
  utf32ToUtf16(target: Uint8Array, lengths: Uint8Array, source: Uint8Array, capacity: number): number;
  /**
   * Unpacks elements of `width` bits (1 to 8) to one byte each, with zeros as upper bits.
   * @param source at least ceil(target.length * width / 8) bytes
   * @param mostSignificantFirst bit order within a byte: true as numpy's packbits, false from the least
   * significant bit
   */
  unpackBits(target: Uint8Array, source: Uint8Array, width: number, mostSignificantFirst: boolean): void;
  /**
   * The reverse of `unpackBits`: packs the low `width` bits of each byte; unused bits of the last byte are
   * zero.
   */
  packBits(target: Uint8Array, source: Uint8Array, width: number, mostSignificantFirst: boolean): void;
  /** Makes every byte but 0 a 1; `target` may be `source`. */
  normaliseBooleans(target: Uint8Array, source: Uint8Array): void;
}

/**
 * Elements of a piece that is copied through the arena. A multiple of 8, so that pieces fill whole bytes at
 * any bit width.
 */
const PIECE = 16384;
/**
 * Arena bytes that the functions allocate. They make this room themselves, unless they are called inside of
 * other work.
 */
export const ELEMENTS_SCRATCH = 8 * PIECE;

const loaded = new WeakMap<Kernels, Elements>();

/** Loads the module; afterwards `elementsOf` returns its functions. */
export async function loadElements(kernels: Kernels): Promise<Elements> {
  const module = await kernels.loadModule("elements", elementsModule);
  if (module !== undefined && !loaded.has(kernels)) loaded.set(kernels, createElements(kernels, module));
  return elementsOf(kernels);
}

/** The functions for these kernels; the fallback until `loadElements` has loaded the module. */
export function elementsOf(kernels: Kernels): Elements {
  return loaded.get(kernels) ?? fallback;
}

type Run = (target: number, source: number, elements: number) => void;
type Conversion = (target: Uint8Array, source: Uint8Array) => void;

function createElements(kernels: Kernels, module: KernelModule): Elements {
  /**
   * Makes a conversion from elements of `sourceBits` bits to elements of `targetBits` bits: by the kernel, or
   * by the fallback without room.
   */
  function conversion(
    name: string,
    inJavaScript: Conversion,
    targetBits: number,
    sourceBits: number,
  ): Conversion {
    const run = exportOf(module, name);
    return (target, source) => {
      const to = { bytes: target, bits: targetBits };
      const from = { bytes: source, bits: sourceBits };
      const elements = (8 * source.length) / sourceBits;
      if (!runInPieces(kernels, module, to, from, elements, run)) inJavaScript(target, source);
    };
  }

  const utf32ToUtf16 = exportOf(module, "utf32ToUtf16");
  const [unpackBits, packBits] = [exportOf(module, "unpackBits"), exportOf(module, "packBits")];

  return {
    halfToFloat: conversion("halfToFloat", fallback.halfToFloat, 32, 16),
    floatToHalf: conversion("floatToHalf", fallback.floatToHalf, 16, 32),
    bfloat16ToFloat: conversion("bfloat16ToFloat", fallback.bfloat16ToFloat, 32, 16),
    floatToBfloat16: conversion("floatToBfloat16", fallback.floatToBfloat16, 16, 32),
    normaliseBooleans: conversion("normaliseBooleans", fallback.normaliseBooleans, 8, 8),
    utf32ToUtf16(target, lengths, source, capacity) {
      const pointers = [target, lengths, source].flatMap((bytes) => module.pointer(bytes) ?? []);
      return pointers.length === 3
        ? utf32ToUtf16(...pointers, lengths.length / 4, capacity)
        : fallback.utf32ToUtf16(target, lengths, source, capacity);
    },
    unpackBits(target, source, width, first) {
      const run: Run = (to, from, elements) => unpackBits(to, from, elements, width, first ? 1 : 0);
      const [to, from] = [
        { bytes: target, bits: 8 },
        { bytes: source, bits: width },
      ];
      if (!runInPieces(kernels, module, to, from, target.length, run))
        fallback.unpackBits(target, source, width, first);
    },
    packBits(target, source, width, first) {
      const run: Run = (to, from, elements) => packBits(to, from, elements, width, first ? 1 : 0);
      const [to, from] = [
        { bytes: target, bits: width },
        { bytes: source, bits: 8 },
      ];
      if (!runInPieces(kernels, module, to, from, source.length, run))
        fallback.packBits(target, source, width, first);
    },
  };
}

/** Elements of `bits` bits each. */
interface Operand {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/** Runs a kernel over all elements, through the arena for operands outside it; false if it has no room. */
function runInPieces(
  kernels: Kernels,
  module: KernelModule,
  target: Operand,
  source: Operand,
  elements: number,
  run: Run,
): boolean {
  const [to, from] = [module.pointer(target.bytes), module.pointer(source.bytes)];
  if (to !== undefined && from !== undefined) {
    run(to, from, elements);
    return true;
  }
  return kernels.within(ELEMENTS_SCRATCH, () => {
    const targetPiece = kernels.allocate((PIECE * target.bits) / 8);
    const sourcePiece = kernels.allocate((PIECE * source.bits) / 8);
    const [toPiece, fromPiece] = [module.pointer(targetPiece), module.pointer(sourcePiece)];
    if (toPiece === undefined || fromPiece === undefined) return false;
    for (let first = 0; first < elements; first += PIECE) {
      const count = Math.min(PIECE, elements - first);
      const read = (first * source.bits) / 8;
      const length = Math.ceil((count * target.bits) / 8);
      sourcePiece.set(source.bytes.subarray(read, read + Math.ceil((count * source.bits) / 8)));
      run(toPiece, fromPiece, count);
      target.bytes.set(targetPiece.subarray(0, length), (first * target.bits) / 8);
    }
    return true;
  });
}
