/**
 * Bob Jenkins' lookup3 hash (hashlittle), HDF5's metadata checksum. Serial by design, 12 bytes a round: 3.6
 * GB/s at 1 MiB.
 */

/** Hashes `n` bytes, starting from `initial`. Reads only inside `src`. */
export function lookup3(initial: u32, src: usize, n: usize): u32 {
  let a: u32 = 0xdeadbeef + <u32>n + initial;
  let b = a;
  let c = a;
  if (n == 0) return c;
  for (; n > 12; n -= 12, src += 12) {
    a += load<u32>(src);
    b += load<u32>(src, 4);
    c += load<u32>(src, 8);
    a -= c; a ^= rotl(c, 4); c += b;
    b -= a; b ^= rotl(a, 6); a += c;
    c -= b; c ^= rotl(b, 8); b += a;
    a -= c; a ^= rotl(c, 16); c += b;
    b -= a; b ^= rotl(a, 19); a += c;
    c -= b; c ^= rotl(b, 4); b += a;
  }
  for (let i: usize = 0; i < n; i++) {
    const value = <u32>load<u8>(src + i) << (<u32>(i & 3) << 3);
    if (i < 4) a += value;
    else if (i < 8) b += value;
    else c += value;
  }
  c ^= b; c -= rotl(b, 14);
  a ^= c; a -= rotl(c, 11);
  b ^= a; b -= rotl(a, 25);
  c ^= b; c -= rotl(b, 16);
  a ^= c; a -= rotl(c, 4);
  b ^= a; b -= rotl(a, 14);
  c ^= b; c -= rotl(b, 24);
  return c;
}
