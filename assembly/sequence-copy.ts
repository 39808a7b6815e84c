// The two copies that every LZ77 decoder makes. Callers have checked that `length` bytes fit on both sides.
// copyLiterals and copyMatch write 16 bytes at a time past the end where there is room, and never touch a
// byte outside [.., dstEnd) or [.., srcEnd).

/** For a distance d of 1 to 16: the bytes i % d; and (STEPS) the largest multiple of d that is <= 16. */
export const PATTERNS: usize = memory.data<u8>([
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
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
]);
export const STEPS: usize = memory.data<u8>([0, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15, 16]);

/** Copies literals; source and target do not overlap. */
@inline
export function copyLiterals(dst: usize, dstEnd: usize, src: usize, srcEnd: usize, length: usize): void {
  if (length + 32 > dstEnd - dst || length + 32 > srcEnd - src) {
    memory.copy(dst, src, length);
    return;
  }
  const end = dst + length;
  do {
    v128.store(dst, v128.load(src));
    v128.store(dst, v128.load(src, 16), 16);
    dst += 32;
    src += 32;
  } while (dst < end);
}

/**
 * Copies at least 25 bytes from `distance` back, in two stores and without a branch on the distance, which is
 * unpredictable; writes up to 32. Returns the largest multiple of the distance that is <= 16, or 16 for
 * longer distances.
 */
@inline
export function copyShortMatch(dst: usize, distance: usize): usize {
  const clamped = min<usize>(distance, 16);
  const step: usize = load<u8>(STEPS + clamped);
  v128.store(dst, i8x16.swizzle(v128.load(dst - distance), v128.load(PATTERNS + (clamped << 4))));
  v128.store(dst + step, v128.load(distance < 16 ? dst : dst + 16 - distance));
  return step;
}

/**
 * As copyMatch, but callers guarantee that 32 bytes from `dst`, and 16 bytes beyond the match, may be
 * written.
 */
@inline
export function copyMatchFreely(dst: usize, distance: usize, length: usize): void {
  const end = dst + length;
  const step = copyShortMatch(dst, distance);
  const pattern = v128.load(dst);
  for (dst += step << 1; dst < end; dst += step) {
    v128.store(dst, distance < 16 ? pattern : v128.load(dst - distance));
  }
}

/**
 * As copyMatchFreely, for many long matches: callers guarantee that 32 bytes beyond the match may be written.
 * A distance of up to 32 repeats what is in registers, since loading what was just stored would wait for it.
 */
@inline
export function copyMatchWidely(dst: usize, distance: usize, length: usize): void {
  const end = dst + length;
  const from = dst - distance;
  if (distance > 32) {
    do {
      const low = v128.load(dst - distance);
      const high = v128.load(dst - distance, 16);
      v128.store(dst, low);
      v128.store(dst, high, 16);
      dst += 32;
    } while (dst < end);
  } else if (distance >= 16) {
    const low = v128.load(from);
    const high = v128.load(dst - 16);
    do {
      v128.store(dst, low);
      v128.store(dst + distance - 16, high);
      dst += distance;
    } while (dst < end);
  } else {
    const step: usize = load<u8>(STEPS + distance);
    const pattern = i8x16.swizzle(v128.load(from), v128.load(PATTERNS + (distance << 4)));
    do {
      v128.store(dst, pattern);
      v128.store(dst + step, pattern);
      dst += step << 1;
    } while (dst < end);
  }
}

/**
 * Copies `length` bytes from `distance` back. Distances below `length` repeat bytes that were just written.
 */
@inline
export function copyMatch(dst: usize, dstEnd: usize, distance: usize, length: usize): void {
  const end = dst + length;
  if (dstEnd - dst >= 32) {
    const start = dst;
    const step = copyShortMatch(dst, distance);
    dst += step << 1;
    if (dst < end) {
      const wideEnd = min(end, dstEnd - 15);
      if (distance < 16) {
        const pattern = v128.load(start);
        for (; dst < wideEnd; dst += step) v128.store(dst, pattern);
      } else {
        for (; dst < wideEnd; dst += 16) v128.store(dst, v128.load(dst - distance));
      }
    }
  }
  for (; dst < end; dst++) store<u8>(dst, load<u8>(dst - distance));
}
