/** Whether a chunk is all fill value: asked before a chunk is written, so that only writing loads this module. */
import { checkPattern, type KernelModule, type Kernels } from "./kernels.js";
import filledModule from "./modules/filled.generated.js";

/** Bytes from outside WASM memory that are tested at a time. */
const PIECE_LENGTH = 64 * 1024;

const loaded = new WeakMap<Kernels, KernelModule>();

/** Loads the kernel of `isFilledWith`, which works without it, more slowly. */
export async function loadFilled(kernels: Kernels): Promise<void> {
  const module = await kernels.loadModule("filled", filledModule);
  if (module !== undefined) loaded.set(kernels, module);
}

/** Whether `source` is `pattern` repeated, bit for bit. Stops at the first difference. @throws RangeError for part of a pattern */
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
  const mark = kernels.mark();
  const piece = kernels.allocate(Math.min(PIECE_LENGTH, source.length));
  const pieceAddress = module.pointer(piece);
  kernels.release(mark);
  if (pieceAddress === undefined) return repeatsInJavaScript(source, period);
  // Pieces overlap by one period, which ties each to the one before.
  for (let at = 0; at + period < source.length; at += PIECE_LENGTH - period) {
    const part = source.subarray(at, at + PIECE_LENGTH);
    piece.set(part);
    if (repeats(pieceAddress, part.length, period) === 0) return false;
  }
  return true;
}

function repeatsInJavaScript(source: Uint8Array, period: number): boolean {
  for (let i = period; i < source.length; i++) if (source[i] !== source[i - period]) return false;
  return true;
}
