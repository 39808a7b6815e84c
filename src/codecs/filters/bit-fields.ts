/** Fields of any width within elements of any size, to one packed sequence of bits and back, least significant bit first. */

export interface BitField {
  /** Bytes of a component in memory, least significant first. */
  readonly bytes: number;
  /** Bits of a component that count. */
  readonly bits: number;
  /** The field: `width` bits from bit `first`. */
  readonly first: number;
  readonly width: number;
  /** Whether bits above the field repeat its sign when it is unpacked. */
  readonly signed: boolean;
}

/** ORs `count` (1 to 8) bits of `source` from bit `from` into `target` at bit `to`; both may straddle a byte. */
function moveBits(target: Uint8Array, to: number, source: Uint8Array, from: number, count: number): void {
  const byte = Math.floor(from / 8);
  const shift = from % 8;
  const pair = (source[byte] ?? 0) | ((shift + count > 8 ? (source[byte + 1] ?? 0) : 0) << 8);
  const bits = ((pair >> shift) & (2 ** count - 1)) << (to % 8);
  const at = Math.floor(to / 8);
  target[at] = (target[at] ?? 0) | bits;
  if (bits > 0xff) target[at + 1] = (target[at + 1] ?? 0) | (bits >> 8);
}

/** @param target as long as the fields of all components of `source` are, rounded up to whole bytes */
export function packComponents(target: Uint8Array, source: Uint8Array, field: BitField): void {
  const { bytes, first, width } = field;
  target.fill(0);
  let to = 0;
  for (let from = first; from < 8 * source.length; from += 8 * bytes) {
    for (let done = 0; done < width; done += 8) {
      moveBits(target, to + done, source, from + done, Math.min(8, width - done));
    }
    to += width;
  }
}

/** @param target components in memory; the bits that are not in the field become zero, or its sign */
export function unpackComponents(target: Uint8Array, source: Uint8Array, field: BitField): void {
  const { bytes, bits, first, width, signed } = field;
  target.fill(0);
  let from = 0;
  for (let at = 0; at < target.length; at += bytes) {
    for (let done = 0; done < width; done += 8) {
      moveBits(target, 8 * at + first + done, source, from + done, Math.min(8, width - done));
    }
    from += width;
    const top = first + width - 1;
    const isNegative = signed && ((target[at + (top >> 3)] ?? 0) >> (top & 7)) & 1;
    if (isNegative) setBits(target, 8 * at + top + 1, 8 * at + bits);
  }
}

function setBits(target: Uint8Array, from: number, to: number): void {
  for (let bit = from; bit < to; bit++) target[bit >> 3] = (target[bit >> 3] ?? 0) | (1 << (bit & 7));
}
