/** XXH64 with seed 0, of which a zstd frame keeps the low 32 bits. */
const PRIME1: u64 = 0x9e3779b185ebca87;
const PRIME2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME3: u64 = 0x165667b19e3779f9;
const PRIME4: u64 = 0x85ebca77c2b2ae63;
const PRIME5: u64 = 0x27d4eb2f165667c5;

// @ts-ignore: decorator
@inline
function round(accumulator: u64, lane: u64): u64 {
  return rotl(accumulator + lane * PRIME2, 31) * PRIME1;
}

// @ts-ignore: decorator
@inline
function merge(hash: u64, accumulator: u64): u64 {
  return (hash ^ round(0, accumulator)) * PRIME1 + PRIME4;
}

export function xxh64(src: usize, n: usize): u64 {
  let hash = PRIME5;
  const end = src + n;
  if (n >= 32) {
    let a = PRIME1 + PRIME2;
    let b = PRIME2;
    let c: u64 = 0;
    let d: u64 = 0 - PRIME1;
    for (const stripes = src + (n & ~31); src < stripes; src += 32) {
      a = round(a, load<u64>(src));
      b = round(b, load<u64>(src, 8));
      c = round(c, load<u64>(src, 16));
      d = round(d, load<u64>(src, 24));
    }
    hash = rotl(a, 1) + rotl(b, 7) + rotl(c, 12) + rotl(d, 18);
    hash = merge(merge(merge(merge(hash, a), b), c), d);
  }
  hash += n;
  for (; end - src >= 8; src += 8) hash = rotl(hash ^ round(0, load<u64>(src)), 27) * PRIME1 + PRIME4;
  if (end - src >= 4) {
    hash = rotl(hash ^ (<u64>load<u32>(src) * PRIME1), 23) * PRIME2 + PRIME3;
    src += 4;
  }
  for (; src < end; src++) hash = rotl(hash ^ (<u64>load<u8>(src) * PRIME5), 11) * PRIME1;
  hash = (hash ^ (hash >>> 33)) * PRIME2;
  hash = (hash ^ (hash >>> 29)) * PRIME3;
  return hash ^ (hash >>> 32);
}
