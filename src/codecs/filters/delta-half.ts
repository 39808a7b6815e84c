/** Delta of half floats, which has no kernel: each difference is rounded to the format. */
import { decodeFloat, type FloatFormat } from "../../data-types/float-format.js";
import { smallPattern } from "./tiles.js";

const halves = (bytes: Uint8Array): Uint16Array =>
  new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);

export function deltaEncodeHalf(format: FloatFormat, target: Uint8Array, source: Uint8Array): void {
  const [to, from] = [halves(target), halves(source)];
  let before = decodeFloat(format, from[0] ?? 0);
  if (from.length > 0) to[0] = smallPattern(format, before);
  for (let i = 1; i < from.length; i++) {
    const value = decodeFloat(format, from[i] ?? 0);
    to[i] = smallPattern(format, value - before);
    before = value;
  }
}
export function deltaDecodeHalf(format: FloatFormat, target: Uint8Array, source: Uint8Array): void {
  const [to, from] = [halves(target), halves(source)];
  let sum = decodeFloat(format, from[0] ?? 0);
  if (from.length > 0) to[0] = smallPattern(format, sum);
  for (let i = 1; i < from.length; i++) {
    const pattern = smallPattern(format, sum + decodeFloat(format, from[i] ?? 0));
    to[i] = pattern;
    sum = decodeFloat(format, pattern);
  }
}
