// Indexes of shards: converts 64-bit offsets and lengths between their stored form and JavaScript's doubles. Called from
// src/codecs/sharding/index-table.ts, whose twin gives identical bits. The export list is the ABI.
// Measured on indexes of 512 to 100,000 entries: decoding 1.2 to 1.7 ns an entry (10 to 13 GB/s of index), encoding 1.7 to 2.4 ns. Entry by
// entry, without the pairs of vectors, decoding took 3 to 4 ns.

/** Both numbers of a missing inner chunk: all ones. */
const MISSING: i64 = -1;
/** The exponent bits of 2^52. With a whole number below 2^52 as the mantissa they are the double of 2^52 plus that number. */
const EXPONENT: i64 = 0x4330000000000000;
const TWO_TO_52: f64 = 4503599627370496;
/** Bits that no whole number below 2^52 has. */
const BEYOND: i64 = 0xfff0000000000000;

/**
 * Decodes entries of a shard's index (uint64 offset, uint64 length) to doubles. The length is -1 for an inner chunk that is missing or has
 * no bytes. Every entry that is not missing must have `first` <= offset and offset + length <= `end`, both below 2^53.
 * @returns the position of the first entry that does not, whose numbers are stored all the same; `count` when all do
 */
export function decodeEntries(
  offsets: usize,
  lengths: usize,
  entries: usize,
  count: usize,
  first: f64,
  end: f64,
): usize {
  let i: usize = 0;
  if (ASC_FEATURE_SIMD) {
    const exponent = i64x2.splat(EXPONENT);
    const base = f64x2.splat(TWO_TO_52);
    const beyond = i64x2.splat(BEYOND);
    const start = f64x2.splat(first);
    const stop = f64x2.splat(end);
    const absent = f64x2.splat(-1);
    for (const pairs = count & ~1; i < pairs; i += 2, entries += 32) {
      const one = v128.load(entries);
      const other = v128.load(entries, 16);
      if (v128.any_true(v128.and(v128.or(one, other), beyond))) {
        // An entry is missing, or has a number of 2^52 or more.
        if (!decodeEntry(offsets, lengths, entries, i, first, end)) return i;
        if (!decodeEntry(offsets, lengths, entries + 16, i + 1, first, end)) return i + 1;
        continue;
      }
      const a = f64x2.sub(v128.or(one, exponent), base);
      const b = f64x2.sub(v128.or(other, exponent), base);
      const offset = v128.shuffle<f64>(a, b, 0, 2);
      const length = v128.shuffle<f64>(a, b, 1, 3);
      v128.store(offsets + (i << 3), offset);
      v128.store(lengths + (i << 3), v128.bitselect(absent, length, f64x2.eq(length, f64x2.splat(0))));
      const wrong = v128.or(f64x2.lt(offset, start), f64x2.gt(f64x2.add(offset, length), stop));
      if (v128.any_true(wrong)) return i + usize(!(i64x2.extract_lane(wrong, 0) != 0));
    }
  }
  for (; i < count; i++, entries += 16) {
    if (!decodeEntry(offsets, lengths, entries, i, first, end)) return i;
  }
  return count;
}

@inline
function decodeEntry(offsets: usize, lengths: usize, entry: usize, i: usize, first: f64, end: f64): bool {
  const offset = load<i64>(entry);
  const length = load<i64>(entry, 8);
  const isMissing = (offset & length) == MISSING;
  const offsetNumber: f64 = isMissing ? 0 : f64(u64(offset));
  const lengthNumber = f64(u64(length));
  store<f64>(offsets + (i << 3), offsetNumber);
  store<f64>(lengths + (i << 3), isMissing || length == 0 ? -1 : lengthNumber);
  return isMissing || (offsetNumber >= first && offsetNumber + lengthNumber <= end);
}

/** The reverse of `decodeEntries`. A negative length stands for a missing inner chunk. */
export function encodeEntries(entries: usize, offsets: usize, lengths: usize, count: usize): void {
  for (let i: usize = 0; i < count; i++, entries += 16) {
    const length = load<f64>(lengths + (i << 3));
    store<i64>(entries, length < 0 ? MISSING : i64(load<f64>(offsets + (i << 3))));
    store<i64>(entries, length < 0 ? MISSING : i64(length), 8);
  }
}
