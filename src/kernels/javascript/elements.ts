/** The fallback of assembly/elements.ts: gives the same bits for the same arguments, in ordinary memory. */
import { byteAt, uint16At, uint32At } from "../../base/at.js";

/**
 * A typed array over bytes at any address. Unaligned bytes are copied first; `finish` writes that copy back.
 */
function halves(bytes: Uint8Array): Uint16Array {
  return bytes.byteOffset % 2 === 0
    ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    : new Uint16Array(bytes.slice().buffer);
}
function words(bytes: Uint8Array): Uint32Array {
  return bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    : new Uint32Array(bytes.slice().buffer);
}

/** Writes the copy back if `halves` or `words` made one. */
function finish(target: Uint8Array, written: Uint16Array | Uint32Array): void {
  if (written.buffer !== target.buffer) target.set(new Uint8Array(written.buffer));
}

function widen(half: number): number {
  const sign = (half & 0x8000) << 16;
  const magnitude = half & 0x7fff;
  if (magnitude >= 0x400) return sign | ((magnitude << 13) + (magnitude < 0x7c00 ? 0x38000000 : 0x70000000));
  if (magnitude === 0) return sign;
  // The leading one moves to bit 23, where it is implied; the exponent becomes smaller by the shift.
  const shift = Math.clz32(magnitude) - 8;
  return sign | (((126 - shift) << 23) + ((magnitude << shift) & 0x7fffff));
}

export function halfToFloat(target: Uint8Array, source: Uint8Array): void {
  const [from, to] = [halves(source), words(target)];
  for (let i = 0; i < from.length; i++) to[i] = widen(uint16At(from, i));
  finish(target, to);
}

function narrow(float: number): number {
  const sign = (float >>> 16) & 0x8000;
  const magnitude = float & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00 | ((magnitude >> 13) & 0x3ff);
  if (magnitude >= 0x47800000) return sign | 0x7c00;
  if (magnitude >= 0x38800000) return sign | ((magnitude - 0x37fff001 + ((magnitude >> 13) & 1)) >> 13);
  const shift = 126 - (magnitude >> 23);
  // Less than half of the smallest subnormal becomes zero. Shift counts count modulo 32, so shifts of 32 and
  // more must end here.
  if (shift > 24) return sign;
  const mantissa = (magnitude & 0x7fffff) | 0x800000;
  const quotient = mantissa >> shift;
  const rest = mantissa - (quotient << shift);
  const half = 1 << (shift - 1);
  return sign | (quotient + (rest > half || (rest === half && quotient % 2 === 1) ? 1 : 0));
}

export function floatToHalf(target: Uint8Array, source: Uint8Array): void {
  const [from, to] = [words(source), halves(target)];
  for (let i = 0; i < from.length; i++) to[i] = narrow(uint32At(from, i));
  finish(target, to);
}

export function bfloat16ToFloat(target: Uint8Array, source: Uint8Array): void {
  const [from, to] = [halves(source), words(target)];
  for (let i = 0; i < from.length; i++) to[i] = uint16At(from, i) << 16;
  finish(target, to);
}

export function floatToBfloat16(target: Uint8Array, source: Uint8Array): void {
  const [from, to] = [words(source), halves(target)];
  for (let i = 0; i < from.length; i++) {
    const float = uint32At(from, i);
    const nan = (float & 0x7fffffff) > 0x7f800000;
    to[i] = nan ? (float >>> 16) | 0x40 : (float + 0x7fff + ((float >>> 16) & 1)) >>> 16;
  }
  finish(target, to);
}

/** As the kernel: returns the units written, or -1 - index of the first string that is not UTF-32. */
export function utf32ToUtf16(
  target: Uint8Array,
  lengths: Uint8Array,
  source: Uint8Array,
  capacity: number,
): number {
  const [from, to, counts] = [words(source), halves(target), words(lengths)];
  let unit = 0;
  for (let i = 0; i < counts.length; i++) {
    const first = unit;
    const start = i * capacity;
    let end = start + capacity;
    while (end > start && from[end - 1] === 0) end--;
    for (let at = start; at < end; at++) {
      const point = uint32At(from, at);
      if (point < 0x10000) {
        if ((point & 0xf800) === 0xd800) return -1 - i;
        to[unit++] = point;
      } else {
        if (point > 0x10ffff) return -1 - i;
        to[unit++] = 0xd7c0 + (point >> 10);
        to[unit++] = 0xdc00 | (point & 0x3ff);
      }
    }
    counts[i] = unit - first;
  }
  finish(target, to);
  finish(lengths, counts);
  return unit;
}

export function unpackBits(
  target: Uint8Array,
  source: Uint8Array,
  width: number,
  mostSignificantFirst: boolean,
): void {
  const mask = (1 << width) - 1;
  let bits = 0;
  let available = 0;
  let at = 0;
  for (let i = 0; i < target.length; i++) {
    if (available < width) {
      const byte = byteAt(source, at++);
      bits = mostSignificantFirst ? (bits << 8) | byte : bits | (byte << available);
      available += 8;
    }
    available -= width;
    target[i] = (mostSignificantFirst ? bits >> available : bits) & mask;
    bits = mostSignificantFirst ? bits & 0xff : bits >> width;
  }
}

export function packBits(
  target: Uint8Array,
  source: Uint8Array,
  width: number,
  mostSignificantFirst: boolean,
): void {
  const mask = (1 << width) - 1;
  let bits = 0;
  let available = 0;
  let at = 0;
  for (let i = 0; i < source.length; i++) {
    const element = byteAt(source, i) & mask;
    bits = mostSignificantFirst ? ((bits & 0xff) << width) | element : bits | (element << available);
    available += width;
    if (available < 8) continue;
    available -= 8;
    target[at++] = mostSignificantFirst ? bits >> available : bits;
    if (!mostSignificantFirst) bits >>= 8;
  }
  if (available > 0) target[at] = mostSignificantFirst ? bits << (8 - available) : bits;
}

export function normaliseBooleans(target: Uint8Array, source: Uint8Array): void {
  for (let i = 0; i < source.length; i++) target[i] = source[i] === 0 ? 0 : 1;
}
