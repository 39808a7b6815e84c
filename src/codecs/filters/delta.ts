/**
 * numcodecs' `delta` (array -> array): the first element, then the difference of each element from the one before it, in C order.
 * https://numcodecs.readthedocs.io/en/stable/filter/delta.html
 * `dtype` is the type of the subtraction, `astype` the stored type (by default `dtype`), in numpy's notation. Also `numcodecs.delta`.
 * Integers wrap, so that any difference can be undone. NaNs keep sign and payload. Deviations: writing integers that `astype` cannot
 * restore is an error (numcodecs stores wrong ones), and so are dtypes that numpy cannot restore or that are not numbers (bool, dates).
 * `{"id": "delta", "dtype": "<i4", "astype": "<i2"}`
 */

import { decodeFloat, type FloatFormat } from "../../data-types/small-float.js";
import { UnsupportedError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { ArrayToArrayCodec, CodecEntry } from "../codec.js";
import { readNumcodecs } from "../configuration.js";
import { checkRestored, convert, convertInto, refuse } from "./astype.js";
import { loadFilters, runFilter } from "./kernels.js";
import { keepNaNsOfDifferences, keepNaNsOfSums } from "./nan.js";
import {
  aligned,
  type FloatType,
  type IntegerType,
  plainNaN32,
  plainNaN64,
  smallPattern,
  words,
} from "./numbers.js";
import { numpyFilter, readDtype } from "./numpy-types.js";

const CODEC = "delta";

const entry: CodecEntry = {
  kind: "array_to_array",
  load: loadFilters,
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["dtype", "astype"]);
    const stated = readDtype(CODEC, configuration, "dtype");
    const encodedAs = readDtype(CODEC, configuration, "astype", stated);
    const filter = numpyFilter(CODEC, spec, stated, encodedAs, ["integer", "float"]);
    const { type, encodedType, enter, leave } = filter;
    const encoded = filter.encoded((target, source) =>
      convertInto(target, encodedType, source, type, refuse(CODEC, encodedType)),
    );
    const restore = (elements: Uint8Array, kernels: Kernels): Uint8Array => {
      const differences = convert(
        kernels,
        aligned(elements, encodedType.itemSize),
        encodedType,
        type,
        refuse(CODEC, type),
      );
      return run(kernels, "Decode", type, differences);
    };
    return {
      kind: "array_to_array",
      encoded,
      decode: (elements, { kernels }) => leave(restore(elements, kernels), kernels),
      encode(elements, { kernels }) {
        const source = enter(elements, kernels);
        const differences = run(kernels, "Encode", type, source);
        const stored = convert(kernels, differences, type, encodedType, refuse(CODEC, encodedType));
        if (stored !== differences && type.kind === "integer") {
          checkRestored(CODEC, source, restore(stored, kernels), type);
        }
        return stored;
      },
    };
  },
};
export default entry;

function run(
  kernels: Kernels,
  direction: "Encode" | "Decode",
  type: IntegerType | FloatType,
  source: Uint8Array,
): Uint8Array {
  const target = kernels.allocate(source.length);
  runDelta(kernels, direction, type, target, source);
  if (type.kind === "float")
    (direction === "Encode" ? keepNaNsOfDifferences : keepNaNsOfSums)(target, source, type);
  return target;
}

function runDelta(
  kernels: Kernels,
  direction: "Encode" | "Decode",
  type: IntegerType | FloatType,
  target: Uint8Array,
  source: Uint8Array,
): void {
  if (type.kind === "float" && type.format !== undefined) {
    (direction === "Encode" ? deltaEncodeHalf : deltaDecodeHalf)(type.format, target, source);
    return;
  }
  const name = `delta${direction}${type.kind === "float" ? "F" : ""}${type.bits}`;
  if (runFilter(kernels, name, target, source, source.length / type.itemSize) !== undefined) return;
  const twin = deltaTwins[name];
  if (twin === undefined) throw new UnsupportedError(`no kernel ${name}`, { codec: CODEC });
  twin(target, source);
}

/** `target` and `source` are aligned and do not overlap. */
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

/** The JavaScript code for each WASM kernel, by the kernel's name. */
const deltaTwins: Readonly<Record<string, Run>> = {
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

/** Half floats have no kernel: each difference is rounded to the format. */
function deltaEncodeHalf(format: FloatFormat, target: Uint8Array, source: Uint8Array): void {
  const [to, from] = [halves(target), halves(source)];
  let before = decodeFloat(format, from[0] ?? 0);
  if (from.length > 0) to[0] = smallPattern(format, before);
  for (let i = 1; i < from.length; i++) {
    const value = decodeFloat(format, from[i] ?? 0);
    to[i] = smallPattern(format, value - before);
    before = value;
  }
}
function deltaDecodeHalf(format: FloatFormat, target: Uint8Array, source: Uint8Array): void {
  const [to, from] = [halves(target), halves(source)];
  let sum = decodeFloat(format, from[0] ?? 0);
  if (from.length > 0) to[0] = smallPattern(format, sum);
  for (let i = 1; i < from.length; i++) {
    const pattern = smallPattern(format, sum + decodeFloat(format, from[i] ?? 0));
    to[i] = pattern;
    sum = decodeFloat(format, pattern);
  }
}
