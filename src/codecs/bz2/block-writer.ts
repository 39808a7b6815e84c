/** The way out of a block: undoes the Burrows-Wheeler transform and the run lengths, and sums up what comes out. */

/** CRC-32 from the most significant bit on, which is not the one of gzip. */
const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  return crc;
});

export class BlockWriter {
  readonly #output: Uint8Array;
  written = 0;
  checksum = 0;

  constructor(output: Uint8Array) {
    this.#output = output;
  }

  /**
   * @param block bytes of the transform in the low 8 bits; the upper 24 take the links
   * @param origin where the chain of links begins, below `length`
   * @returns false when the output is too short
   */
  write(block: Uint32Array, length: number, origin: number): boolean {
    link(block, length);
    const output = this.#output;
    let entry = length === 0 ? 0 : (block[(block[origin] ?? 0) >>> 8] ?? 0);
    let written = 0;
    let crc = -1;
    let run = 0;
    let last = -1;
    for (let i = 0; i < length; i++) {
      const byte = entry & 0xff;
      entry = block[entry >>> 8] ?? 0;
      // After four equal bytes comes the number of further ones.
      const copies = run === 4 ? byte : 1;
      const value = run === 4 ? last : byte;
      if (written + copies > output.length) return false;
      for (let copy = 0; copy < copies; copy++) {
        output[written++] = value;
        crc = (crc << 8) ^ (TABLE[((crc >>> 24) ^ value) & 0xff] ?? 0);
      }
      run = run === 4 ? 0 : byte === last ? run + 1 : 1;
      if (run === 0) last = -1;
      else last = byte;
    }
    this.written = written;
    this.checksum = ~crc >>> 0;
    return true;
  }
}

/** Puts into the upper 24 bits of each entry where the byte after it stands. */
function link(block: Uint32Array, length: number): void {
  const starts = new Uint32Array(256);
  for (let i = 0; i < length; i++) {
    const byte = (block[i] ?? 0) & 0xff;
    starts[byte] = (starts[byte] ?? 0) + 1;
  }
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    const count = starts[byte] ?? 0;
    starts[byte] = sum;
    sum += count;
  }
  for (let i = 0; i < length; i++) {
    const byte = (block[i] ?? 0) & 0xff;
    const at = starts[byte] ?? 0;
    starts[byte] = at + 1;
    block[at] = (block[at] ?? 0) | (i << 8);
  }
}
