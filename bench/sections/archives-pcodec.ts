/** A million numbers that pcodec wrote at its default level. */
import type { Python } from "../peers/python.js";
import { noise } from "./archives-decoder.js";
import type { Trial } from "./archives-table.js";

const COUNT = 2 ** 20;

const NUMBERS: readonly {
  readonly name: string;
  readonly dtype: string;
  readonly make: () => Float32Array | Float64Array | Int32Array | Int16Array;
}[] = [
  {
    name: "float32, smooth with noise",
    dtype: "float32",
    make: () => Float32Array.from({ length: COUNT }, smooth()),
  },
  {
    name: "float64, smooth with noise",
    dtype: "float64",
    make: () => Float64Array.from({ length: COUNT }, smooth()),
  },
  {
    ...{ name: "float64 of two decimals", dtype: "float64" },
    make: () => Float64Array.from({ length: COUNT }, smooth()).map((value) => Math.round(value * 100) / 100),
  },
  { name: "int32, a walk", dtype: "int32", make: () => walk() },
  { name: "int16, noise", dtype: "int16", make: () => Int16Array.from({ length: COUNT }, spread()) },
];

function smooth(): (_: unknown, i: number) => number {
  const next = noise();
  return (_, i) => 280 + 20 * Math.sin(i / 97) + 0.05 * next();
}
function spread(): () => number {
  const next = noise();
  return () => 2000 * (next() + next() - 1);
}
function walk(): Int32Array {
  const next = noise();
  let at = 0;
  return Int32Array.from({ length: COUNT }, () => {
    at += Math.floor(40 * next()) - 20;
    return at;
  });
}

/** pcodec beside its own wheel (Rust). */
export const numberTrials = (python: Python): Trial[] =>
  NUMBERS.map(({ name, dtype, make }) => ({
    title: name,
    values: make,
    encode: (files) => ({ kind: "encodeNumbers", dtype, ...files }),
    chunk: { codecs: [{ name: "pcodec" }], dtype, shape: [COUNT] },
    rivals: (encoded) => [python.rival({ kind: "decodeNumbers", dtype, count: COUNT, encoded })],
  }));
