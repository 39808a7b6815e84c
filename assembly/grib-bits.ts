// Fields of bits, most significant first. Sources have 16 bytes of zeros after their end, so that words may
// reach beyond it.

/** Bits that a word of `peek` has at least. */
export const PEEKED: u32 = 57;

/** The bits from `bit` on, at the top of the word. */
@inline
export function peek(src: usize, bit: u64): u64 {
  const bytes = v128.load64_zero(src + <usize>(bit >> 3));
  // Faster than `bswap`, which is ten instructions.
  const reversed = i8x16.shuffle(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return <u64>i64x2.extract_lane(reversed, 0) << (bit & 7);
}

/** The field of `width` bits, 0 to 32, from `bit` on. */
@inline
export function fieldAt(src: usize, bit: u64, width: u32): u32 {
  return width == 0 ? 0 : <u32>(peek(src, bit) >> (64 - width));
}
