/** A million numbers that zfp wrote, of one to four dimensions and in each mode. */
import { product } from "../../src/base/shape.js";
import type { Python } from "../peers/python.js";
import { noise } from "./archives-decoder.js";
import type { Trial } from "./archives-table.js";

const REVERSIBLE = {};

const FIELDS: readonly {
  readonly name: string;
  readonly dtype: "float32" | "float64" | "int32" | "int64";
  readonly shape: readonly number[];
  /** Of zfpy; none is the reversible mode. */
  readonly options: Readonly<Record<string, number>>;
}[] = [
  { name: "float64, rate 8", dtype: "float64", shape: [2 ** 20], options: { rate: 8 } },
  { name: "float32, rate 8", dtype: "float32", shape: [1024, 1024], options: { rate: 8 } },
  { name: "float32, accuracy 0.001", dtype: "float32", shape: [1024, 1024], options: { tolerance: 1e-3 } },
  { name: "float32, accuracy 0.001", dtype: "float32", shape: [64, 128, 128], options: { tolerance: 1e-3 } },
  { name: "float64, precision 32", dtype: "float64", shape: [64, 128, 128], options: { precision: 32 } },
  {
    name: "float32, accuracy 0.001",
    dtype: "float32",
    shape: [32, 32, 32, 32],
    options: { tolerance: 1e-3 },
  },
  { name: "float64, reversible", dtype: "float64", shape: [64, 128, 128], options: REVERSIBLE },
  { name: "int32, reversible", dtype: "int32", shape: [1024, 1024], options: REVERSIBLE },
  { name: "int64, reversible", dtype: "int64", shape: [1024, 1024], options: REVERSIBLE },
];

/** Waves along each dimension, with some noise. */
function field(dtype: string, shape: readonly number[]) {
  const next = noise();
  const values = Float64Array.from({ length: product(shape) }, (_, i) => {
    let rest = i;
    let value = 280;
    for (const [d, length] of shape.toReversed().entries()) {
      value += 5 * Math.sin((rest % length) / (17 + 9 * d));
      rest = Math.floor(rest / length);
    }
    return value + 0.02 * next();
  });
  if (dtype === "float64") return values;
  if (dtype === "float32") return Float32Array.from(values);
  if (dtype === "int32") return Int32Array.from(values, (value) => 1000 * value);
  return BigInt64Array.from(values, (value) => BigInt(Math.round(1000 * value)));
}

/** zfp beside zfpy (C), in one thread. */
export const zfpTrials = (python: Python): Trial[] =>
  FIELDS.map(({ name, dtype, shape, options }) => ({
    title: `${name}, ${shape.join(" x ")}`,
    values: () => field(dtype, shape),
    encode: (files) => ({ kind: "encodeZfp", dtype, shape, options, ...files }),
    chunk: { codecs: [{ name: "numcodecs.zfpy" }], dtype, shape },
    rivals: (encoded) => [python.rival({ kind: "decodeZfp", encoded })],
  }));
