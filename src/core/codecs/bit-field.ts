/** Fields of bits, most significant bit first, for decoders in JavaScript. */
import { byteOrZero } from "./byte-or-zero.js";

/** The field of `width` bits, 0 to 32, from `bit` on; bits after the end are 0. */
export function fieldAt(source: Uint8Array, bit: number, width: number): number {
  let at = Math.floor(bit / 8);
  const skipped = bit % 8;
  let field = byteOrZero(source, at++) & (0xff >> skipped);
  let bits = 8 - skipped;
  for (; bits < width; bits += 8) field = field * 256 + byteOrZero(source, at++);
  return Math.floor(field / 2 ** (bits - width));
}

/** The number of bits in whole bytes. */
export const wholeBytes = (bits: number): number => 8 * Math.ceil(bits / 8);
