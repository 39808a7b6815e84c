// The two copies every LZ77 decoder makes. Callers have checked that `length` bytes fit on both sides; these decide
// whether there is room to move 16 bytes at a time past the end, and never touch a byte outside [.., dstEnd) or [.., srcEnd).

/** For distance d < 16: the bytes i % d, and the largest multiple of d that is <= 16. */
const PATTERNS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
  0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0,
  0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0,
  0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1,
  0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 1, 2,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0,
]);
const STEPS: usize = memory.data<u8>([0, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15]);

/** Copies literals; source and target do not overlap. */
@inline
export function copyLiterals(dst: usize, dstEnd: usize, src: usize, srcEnd: usize, length: usize): void {
  if (length + 16 > dstEnd - dst || length + 16 > srcEnd - src) {
    memory.copy(dst, src, length);
    return;
  }
  const end = dst + length;
  do {
    v128.store(dst, v128.load(src));
    dst += 16;
    src += 16;
  } while (dst < end);
}

/** Repeats `length` bytes from `distance` back; distances below `length` repeat what is being written. */
@inline
export function copyMatch(dst: usize, dstEnd: usize, distance: usize, length: usize): void {
  const end = dst + length;
  /** 16 bytes may be written while dst is below this. */
  const wideEnd = min(end, dstEnd - 15);
  if (distance >= 16) {
    for (; dst < wideEnd; dst += 16) v128.store(dst, v128.load(dst - distance));
  } else if (dst < wideEnd) {
    // The bytes that are not written yet are among the 16 loaded, but no index of the pattern selects them.
    const pattern = i8x16.swizzle(v128.load(dst - distance), v128.load(PATTERNS + (distance << 4)));
    const step: usize = load<u8>(STEPS + distance);
    for (; dst < wideEnd; dst += step) v128.store(dst, pattern);
  }
  for (; dst < end; dst++) store<u8>(dst, load<u8>(dst - distance));
}
