/** TypeScript twin of assembly/shards.ts: a uint64 is two uint32 here, low before high, for a BigInt per entry costs ten times as much. */

const ONES = 0xffffffff;
const HIGH = 2 ** 32;

/** @returns the position of the first entry outside `first` to `end`, whose numbers are stored all the same; or their count */
export function decodeEntries(
  offsets: Float64Array,
  lengths: Float64Array,
  words: Uint32Array,
  first: number,
  end: number,
): number {
  const count = offsets.length;
  for (let i = 0, word = 0; i < count; i++, word += 4) {
    const offsetLow = words[word] ?? 0;
    const offsetHigh = words[word + 1] ?? 0;
    const lengthLow = words[word + 2] ?? 0;
    const lengthHigh = words[word + 3] ?? 0;
    if ((offsetLow & offsetHigh & lengthLow & lengthHigh) === -1) {
      offsets[i] = 0;
      lengths[i] = -1;
      continue;
    }
    const offset = offsetHigh * HIGH + offsetLow;
    const length = lengthHigh * HIGH + lengthLow;
    offsets[i] = offset;
    lengths[i] = length === 0 ? -1 : length;
    if (offset < first || offset + length > end) return i;
  }
  return count;
}

export function encodeEntries(words: Uint32Array, offsets: Float64Array, lengths: Float64Array): void {
  for (let i = 0, word = 0; i < lengths.length; i++, word += 4) {
    const offset = offsets[i] ?? 0;
    const length = lengths[i] ?? 0;
    const isMissing = length < 0;
    words[word] = isMissing ? ONES : offset;
    words[word + 1] = isMissing ? ONES : offset / HIGH;
    words[word + 2] = isMissing ? ONES : length;
    words[word + 3] = isMissing ? ONES : length / HIGH;
  }
}
