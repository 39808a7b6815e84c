/**
 * Tests whether a chunk contains only the fill value, before it is written: only writing loads this module.
 */
import type { KernelModule, Kernels } from "./kernels.js";
import filledModule from "./modules/filled.generated.js";
import { checkPattern } from "./operands.js";

/** Bytes from outside WASM memory that are copied in and tested at a time. */
const PIECE_LENGTH = 64 * 1024;

const loaded = new WeakMap<Kernels, KernelModule>();

/** Loads the kernel of `isFilledWith`. Without it `isFilledWith` works too, but takes more time. */
export async function loadFilled(kernels: Kernels): Promise<void> {
  const module = await kernels.loadModule("filled", filledModule);
  if (module !== undefined) loaded.set(kernels, module);
}

/**
 * Whether `source` is `pattern` repeated, bit for bit. Stops at the first difference.
 * @throws RangeError for a partial last pattern
 */
export function isFilledWith(kernels: Kernels, source: Uint8Array, pattern: Uint8Array): boolean {
  checkPattern(source.length, pattern);
  const period = pattern.length;
  for (let i = 0; i < Math.min(period, source.length); i++) if (source[i] !== pattern[i]) return false;
  const module = loaded.get(kernels);
  const repeats = module?.exports.repeats;
  if (module === undefined || repeats === undefined || period > PIECE_LENGTH / 2) {
    return repeatsInJavaScript(source, period);
  }
  const address = module.pointer(source);
  if (address !== undefined) return repeats(address, source.length, period) !== 0;
  const length = Math.min(PIECE_LENGTH, source.length);
  return kernels.within(length, () => {
    const piece = kernels.allocate(length);
    const pieceAddress = module.pointer(piece);
    if (pieceAddress === undefined) return repeatsInJavaScript(source, period);
    // Pieces overlap by one period, so that each piece is compared with the piece before it.
    for (let at = 0; at + period < source.length; at += PIECE_LENGTH - period) {
      const part = source.subarray(at, at + PIECE_LENGTH);
      piece.set(part);
      if (repeats(pieceAddress, part.length, period) === 0) return false;
    }
    return true;
  });
}

function repeatsInJavaScript(source: Uint8Array, period: number): boolean {
  for (let i = period; i < source.length; i++) if (source[i] !== source[i - period]) return false;
  return true;
}
