/** The twins of assembly/filters-delta.ts, keyed by width. Operands are aligned and do not overlap. */

import { plainNaN32, plainNaN64, words } from "../tiles.js";

type Run = (target: Uint8Array, source: Uint8Array) => void;

const halves = (bytes: Uint8Array): Uint16Array =>
  new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
const floats = (bytes: Uint8Array): Float32Array =>
  new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
const doubles = (bytes: Uint8Array): Float64Array =>
  new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);

const encode8: Run = (target, source) => {
  for (let i = 0, before = 0; i < source.length; i++) {
    const value = source[i] ?? 0;
    target[i] = value - before;
    before = value;
  }
};
const decode8: Run = (target, source) => {
  for (let i = 0, sum = 0; i < source.length; i++) target[i] = sum = (sum + (source[i] ?? 0)) & 0xff;
};
const encode16: Run = (target, source) => {
  const [to, from] = [halves(target), halves(source)];
  for (let i = 0, before = 0; i < from.length; i++) {
    const value = from[i] ?? 0;
    to[i] = value - before;
    before = value;
  }
};
const decode16: Run = (target, source) => {
  const [to, from] = [halves(target), halves(source)];
  for (let i = 0, sum = 0; i < from.length; i++) to[i] = sum = (sum + (from[i] ?? 0)) & 0xffff;
};
const encode32: Run = (target, source) => {
  const [to, from] = [words(target), words(source)];
  for (let i = 0, before = 0; i < from.length; i++) {
    const value = from[i] ?? 0;
    to[i] = value - before;
    before = value;
  }
};
const decode32: Run = (target, source) => {
  const [to, from] = [words(target), words(source)];
  for (let i = 0, sum = 0; i < from.length; i++) to[i] = sum = (sum + (from[i] ?? 0)) | 0;
};
const encode64: Run = (target, source) => {
  const [to, from] = [words(target), words(source)];
  for (let i = 0, low = 0, high = 0; i < from.length; i += 2) {
    const nextLow = from[i] ?? 0;
    const nextHigh = from[i + 1] ?? 0;
    to[i] = nextLow - low;
    to[i + 1] = nextHigh - high - (nextLow < low ? 1 : 0);
    low = nextLow;
    high = nextHigh;
  }
};
const decode64: Run = (target, source) => {
  const [to, from] = [words(target), words(source)];
  for (let i = 0, low = 0, high = 0; i < from.length; i += 2) {
    low += from[i] ?? 0;
    const carry = low > 0xffffffff ? 1 : 0;
    low >>>= 0;
    high = (high + (from[i + 1] ?? 0) + carry) | 0;
    to[i] = low;
    to[i + 1] = high;
  }
};
const encodeF32: Run = (target, source) => {
  const [to, from] = [floats(target), floats(source)];
  if (from.length > 0) to[0] = from[0] ?? 0;
  for (let i = 1; i < from.length; i++) to[i] = (from[i] ?? 0) - (from[i - 1] ?? 0);
  plainNaN32(to);
};
const decodeF32: Run = (target, source) => {
  const [to, from] = [floats(target), floats(source)];
  let sum = from[0] ?? 0;
  if (from.length > 0) to[0] = sum;
  for (let i = 1; i < from.length; i++) to[i] = sum = Math.fround(sum + (from[i] ?? 0));
  plainNaN32(to);
};
const encodeF64: Run = (target, source) => {
  const [to, from] = [doubles(target), doubles(source)];
  if (from.length > 0) to[0] = from[0] ?? 0;
  for (let i = 1; i < from.length; i++) to[i] = (from[i] ?? 0) - (from[i - 1] ?? 0);
  plainNaN64(to);
};
const decodeF64: Run = (target, source) => {
  const [to, from] = [doubles(target), doubles(source)];
  let sum = from[0] ?? 0;
  if (from.length > 0) to[0] = sum;
  for (let i = 1; i < from.length; i++) to[i] = sum = sum + (from[i] ?? 0);
  plainNaN64(to);
};

/** By the name of the kernel. */
export const deltaTwins: Readonly<Record<string, Run>> = {
  deltaEncode8: encode8,
  deltaEncode16: encode16,
  deltaEncode32: encode32,
  deltaEncode64: encode64,
  deltaEncodeF32: encodeF32,
  deltaEncodeF64: encodeF64,
  deltaDecode8: decode8,
  deltaDecode16: decode16,
  deltaDecode32: decode32,
  deltaDecode64: decode64,
  deltaDecodeF32: decodeF32,
  deltaDecodeF64: decodeF64,
};
