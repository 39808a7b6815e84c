// Bit planes of a block of zfp (https://zfp.readthedocs.io, "Algorithm"): the bits of all coefficients at one
// place, from the highest place down. Of a plane come first the bits of the `n` coefficients that had a bit
// in a plane before; then groups, each a bit that says whether there are more ones, and the zeros up to the
// next of them. Bits come from the lowest of a byte on. Reads reach at most 2,120 bytes beyond the place at
// which a block begins: what was read counts only if `reached` is not after the end of the source.

/** The place of the next bit to read: 8 times the address of a byte, and the bit in it. */
let place: u64 = 0;

export function seek(address: usize, bit: u32): void {
  place = (<u64>address << 3) + bit;
}

export function position(): u64 {
  return place;
}

export function skip(bits: u32): void {
  place += bits;
}

/** The address after the last byte of which a bit was read. */
export function reached(): usize {
  return <usize>((place + 7) >> 3);
}

/** The next 57 bits; those above them do not count. */
@inline
function peek(at: u64): u64 {
  return load<u64>(<usize>(at >> 3)) >> (at & 7);
}

/** @param count 1 to 31 */
export function readBits(count: u32): u32 {
  const value = <u32>peek(place) & ((1 << count) - 1);
  place += count;
  return value;
}

/** Adds `one` to the coefficients whose bit of `plane` is set. */
@inline
function deposit<T>(block: usize, plane: u64, one: T): void {
  for (; plane != 0; plane &= plane - 1) {
    const to = block + <usize>ctz(plane) * sizeof<T>();
    store<T>(to, load<T>(to) | one);
  }
}

/**
 * Reads the coefficients of a block of one dimension as `readPlanes` does, and makes integers of them. Its
 * planes are so short that they gather in registers, each from the highest place down: a plane doubles what
 * there is, and adds its bits.
 */
@inline
export function readFour<T>(block: usize, precision: u32, budget: u32): void {
  const width: u32 = 8 * sizeof<T>();
  const lowest = width > precision ? width - precision : 0;
  let at = place, plane = width, left = budget, n: u32 = 0;
  let first = i64x2.splat(0), second = first;
  let ahead: u64 = 0, known: u32 = 0;
  while (plane > lowest && left > 0) {
    plane--;
    // A plane has up to 7 bits.
    if (known < 7) {
      ahead = peek(at);
      known = 57;
      // Bits after the end are zeros.
      if (left < 57) ahead &= (<u64>1 << left) - 1;
    }
    let word = <u32>ahead;
    let ones = word & ((1 << n) - 1), read = min(n, left);
    word >>= n;
    while (n < 4 && read < left) {
      read++;
      if ((word & 1) == 0) break;
      word >>= 1;
      // The last coefficient needs no bit: a group has a one.
      const rest = min<u32>(3 - n, left - read), zeros = <u32>ctz(word | (1 << rest));
      const passed = zeros + u32(zeros < rest);
      read += passed;
      word >>= passed;
      n += zeros;
      ones |= 1 << n;
      n++;
    }
    ahead >>= read;
    known -= read;
    at += read;
    left -= read;
    if (sizeof<T>() == 4) {
      const bits = i32x4.splat(ones), places = i32x4(1, 2, 4, 8);
      first = i32x4.sub(i32x4.add(first, first), i32x4.eq(v128.and(bits, places), places));
    } else {
      const bits = i64x2.splat(ones), places = i64x2(1, 2), others = i64x2(4, 8);
      first = i64x2.sub(i64x2.add(first, first), i64x2.eq(v128.and(bits, places), places));
      second = i64x2.sub(i64x2.add(second, second), i64x2.eq(v128.and(bits, others), others));
    }
  }
  // Their order is that of the frequencies: they are in place, out of negabinary.
  const mask = v128.splat<T>(<T>0xaaaaaaaaaaaaaaaa);
  v128.store(block, v128.sub<T>(v128.xor(v128.shl<T>(first, plane), mask), mask));
  if (sizeof<T>() == 8) v128.store(block, v128.sub<T>(v128.xor(v128.shl<T>(second, plane), mask), mask), 16);
  place = at;
}

/**
 * Reads the coefficients of a block.
 * @param block `size` of them, in the order of frequencies, in negabinary
 * @param precision how many planes there are at most
 * @param budget how many bits there are at most: a plane may end anywhere
 */
@inline
export function readPlanes<T>(block: usize, size: u32, precision: u32, budget: u32): void {
  for (let i: usize = 0; i < <usize>size * sizeof<T>(); i += 16) v128.store(block + i, i64x2.splat(0));
  const width: u32 = 8 * sizeof<T>();
  const end = place + budget, lowest = width > precision ? width - precision : 0;
  let at = place, plane = width, n: u32 = 0;
  // Of up to 16 coefficients a plane is in one word: a bit of those that are known, two at most of each other
  // one, and one that says that there are no more.
  const most = 2 * size + 1;
  if (size <= 16) {
    while (plane > lowest && end >= at + (most - n)) {
      const one = <T>1 << <T>--plane;
      let word = peek(at);
      deposit<T>(block, word & ((<u64>1 << n) - 1), one);
      at += n;
      word >>= n;
      while (n < size) {
        at++;
        if ((word & 1) == 0) break;
        word >>= 1;
        // The last coefficient needs no bit: a group has a one.
        const rest = size - 1 - n, zeros = <u32>ctz(word | (<u64>1 << rest));
        const read = zeros + u32(zeros < rest);
        at += read;
        word >>= read;
        n += zeros;
        const to = block + <usize>n * sizeof<T>();
        store<T>(to, load<T>(to) | one);
        n++;
      }
    }
  }
  while (plane > lowest && at < end) {
    const one = <T>1 << <T>--plane;
    const known = <u32>min<u64>(n, end - at);
    for (let i: u32 = 0; i < known; i += 56) {
      const count = min<u32>(known - i, 56);
      deposit<T>(block + <usize>i * sizeof<T>(), peek(at) & ((<u64>1 << count) - 1), one);
      at += count;
    }
    while (n < size && at < end) {
      if ((peek(at++) & 1) == 0) break;
      // The last coefficient needs no bit: a group has a one.
      let rest = min<u64>(size - 1 - n, end - at);
      for (;;) {
        const zeros = min<u64>(ctz(peek(at) | (<u64>1 << 56)), rest);
        at += zeros;
        rest -= zeros;
        n += <u32>zeros;
        if (zeros < 56) break;
      }
      if (rest > 0) at++;
      const to = block + <usize>n * sizeof<T>();
      store<T>(to, load<T>(to) | one);
      n++;
    }
  }
  place = at;
}
