/** A million numbers that pcodec wrote at its default level. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Python } from "../peers/python.js";
import { type Care, race } from "../race.js";
import { against, figure, milliseconds, type Table } from "../table.js";
import { decoders, noise } from "./archives-decoder.js";

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
export async function compareNumbers(
  python: Python,
  folder: string,
  { isQuick, effort }: Care,
): Promise<Table> {
  const [data, encoded] = [join(folder, "numbers"), join(folder, "pco")];
  const rows: string[][] = [];
  for (const { name, dtype, make } of isQuick ? NUMBERS.slice(0, 1) : NUMBERS) {
    const values = make();
    writeFileSync(data, values);
    await python.run({ kind: "encodeNumbers", dtype, data, encoded });
    const stored = new Uint8Array(readFileSync(encoded));
    const own = { codecs: [{ name: "pcodec" }], dtype, shape: [COUNT], encoded: stored };
    const [mine, fallback, theirs] = await race(
      [...(await decoders(own)), python.rival({ kind: "decodeNumbers", dtype, count: COUNT, encoded })],
      effort,
    );
    const compression = values.byteLength / stored.length;
    rows.push([
      name,
      figure(compression),
      ...[mine, fallback, theirs].map(milliseconds),
      against(theirs, mine),
    ]);
  }
  return { header: ["pcodec", "compressed", "wazarr", "its fallback", "pcodec", "of pcodec"], rows };
}
