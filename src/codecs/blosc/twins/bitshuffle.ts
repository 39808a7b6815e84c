/** The bit shuffle: twin of assembly/bitshuffle.ts. Target and source have equal length. */

/** Rows of bits to elements. */
export function bitunshuffle(target: Uint8Array, source: Uint8Array, typesize: number): void {
  const elements = shuffledElements(source.length, typesize);
  const row = elements >> 3;
  for (let j = 0; j < typesize; j++) {
    const rows = 8 * j * row;
    for (let i = 0; i < row; i++) {
      const at = rows + i;
      const low = word(source, at, row);
      const high = word(source, at + 4 * row, row);
      const [first, last] = transposeBits(low, high);
      scatter(target, 8 * i * typesize + j, typesize, first);
      scatter(target, (8 * i + 4) * typesize + j, typesize, last);
    }
  }
  target.set(source.subarray(elements * typesize), elements * typesize);
}

/** Elements to rows of bits. */
export function bitshuffle(target: Uint8Array, source: Uint8Array, typesize: number): void {
  const elements = shuffledElements(source.length, typesize);
  const row = elements >> 3;
  for (let j = 0; j < typesize; j++) {
    const rows = 8 * j * row;
    for (let i = 0; i < row; i++) {
      const low = word(source, 8 * i * typesize + j, typesize);
      const high = word(source, (8 * i + 4) * typesize + j, typesize);
      const [first, last] = transposeBits(low, high);
      scatter(target, rows + i, row, first);
      scatter(target, rows + i + 4 * row, row, last);
    }
  }
  target.set(source.subarray(elements * typesize), elements * typesize);
}

/** Only a multiple of 8 elements is shuffled. */
function shuffledElements(byteLength: number, typesize: number): number {
  const elements = Math.floor(byteLength / typesize);
  return elements % 8 === 0 ? elements : 0;
}

/** Four bytes, `stride` apart, as one word. */
function word(source: Uint8Array, at: number, stride: number): number {
  return (
    (source[at] ?? 0) |
    ((source[at + stride] ?? 0) << 8) |
    ((source[at + 2 * stride] ?? 0) << 16) |
    ((source[at + 3 * stride] ?? 0) << 24)
  );
}

function scatter(target: Uint8Array, at: number, stride: number, value: number): void {
  target[at] = value;
  target[at + stride] = value >>> 8;
  target[at + 2 * stride] = value >>> 16;
  target[at + 3 * stride] = value >>> 24;
}

/** Transposes an 8x8 bit matrix whose rows are the bytes of two words: single bits, then 2x2 blocks, then 4x4. */
function transposeBits(low: number, high: number): readonly [number, number] {
  let t = (low ^ (low >>> 7)) & 0x00aa00aa;
  low ^= t ^ (t << 7);
  t = (high ^ (high >>> 7)) & 0x00aa00aa;
  high ^= t ^ (t << 7);
  t = (low ^ (low >>> 14)) & 0x0000cccc;
  low ^= t ^ (t << 14);
  t = (high ^ (high >>> 14)) & 0x0000cccc;
  high ^= t ^ (t << 14);
  t = ((low >>> 4) ^ high) & 0x0f0f0f0f;
  return [low ^ (t << 4), high ^ t];
}
