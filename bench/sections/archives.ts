/**
 * Codecs of archives beside native libraries, on one core: GRIB messages beside eccodes (C) and gribberish
 * (Rust), pcodec beside its own wheel (Rust). All decode the same bytes, which the native libraries wrote.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { retryWithMissing } from "../../src/codecs/missing-modules.js";
import { loadCodec } from "../../src/codecs/registry.js";
import { dataTypeFromV3 } from "../../src/data-types/registry.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../src/kernels/load.js";
import { Python, shareCore } from "../peers/python.js";
import { type Care, type Effort, here, race } from "../race.js";
import { against, figure, milliseconds, type Section, type Table } from "../table.js";

const COLUMNS = 1440;
const ROWS = 721;
const COUNT = 2 ** 20;

function noise(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Temperatures of a quarter of a degree, smooth with noise. */
function temperatures(): Float64Array {
  const next = noise();
  return Float64Array.from({ length: COLUMNS * ROWS }, (_, i) => {
    const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
    return (
      300 - 60 * Math.abs(row / 360 - 1) ** 2 + 4 * Math.sin(column / 60) * Math.cos(row / 40) + 0.3 * next()
    );
  });
}

/** Precipitation: zeros, and some spots. */
const rain = (): Float64Array => temperatures().map((value) => Math.max(0, value - 296));

const PACKINGS = [
  { name: "simple, 12 bits", packing: "grid_simple", keys: { bitsPerValue: 12 } },
  { name: "simple, 16 bits", packing: "grid_simple", keys: { bitsPerValue: 16 } },
  {
    name: "simple, 12 bits, bitmap",
    packing: "grid_simple",
    keys: { bitsPerValue: 12, bitmapPresent: 1, missingValue: 0 },
  },
  { name: "complex, 12 bits", packing: "grid_complex", keys: { bitsPerValue: 12 } },
  {
    ...{ name: "complex with differences, 12 bits", packing: "grid_complex_spatial_differencing" },
    keys: { bitsPerValue: 12, orderOfSpatialDifferencing: 2 },
  },
  { name: "CCSDS, 12 bits", packing: "grid_ccsds", keys: { bitsPerValue: 12 } },
  { name: "CCSDS, 16 bits", packing: "grid_ccsds", keys: { bitsPerValue: 16 } },
  { name: "JPEG 2000, 12 bits (OpenJPEG in all)", packing: "grid_jpeg", keys: { bitsPerValue: 12 } },
  { name: "IEEE, 32 bits", packing: "grid_ieee", keys: { precision: 1 } },
] as const;

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

/** Decodes into the arena, and copies into an ordinary array. @param encoded bytes in ordinary memory */
async function decoder(kernels: Kernels, name: string, type: string, count: number, encoded: Uint8Array) {
  const entry = await loadCodec(name);
  if (entry.kind !== "array_to_bytes") throw new Error("expected a codec of arrays");
  await entry.load?.(kernels);
  const dataType = dataTypeFromV3(type);
  const codec = entry.fromConfig({}, { shape: [count], dataType, fillValue: 0 });
  if (codec.kind !== "array_to_bytes") throw new Error("expected a codec of arrays");
  const byteLength = count * dataType.itemSize;
  const out = new Uint8Array(byteLength).fill(1);
  const decode = (): void => {
    kernels.begin(3 * byteLength + 2 * encoded.length + 2 ** 20);
    const decoded = codec.decode?.(encoded, { kernels, byteLength, maximumByteLength: byteLength });
    if (decoded === undefined) throw new Error("expected elements");
    out.set(decoded);
  };
  await retryWithMissing(kernels, decode);
  return here(async () => decode());
}

async function kernelsOf(choice: "wasm" | "javascript"): Promise<Kernels> {
  setKernels(choice);
  const kernels = await loadKernels();
  setKernels("auto");
  return kernels;
}

/** @returns undefined without eccodes */
export async function benchArchives({ isQuick, effort }: Care): Promise<Section | undefined> {
  const python = Python.start("eccodes");
  if (python === undefined) return undefined;
  shareCore();
  const folder = mkdtempSync(join(tmpdir(), "archives-"));
  try {
    return {
      title: "Codecs of archives",
      text: `GRIB messages of ${COLUMNS} x ${ROWS} points, written by eccodes, to float64, and ${COUNT.toLocaleString("en")} numbers that pcodec wrote at its default level, in milliseconds, on one core. wazarr's figure includes
a copy into an ordinary array. "Of eccodes" is the speed as a part of that of eccodes; the goal is 0.6.`,
      tables: [await fields(python, folder, isQuick, effort), await numbers(python, folder, isQuick, effort)],
    };
  } finally {
    python.close();
    rmSync(folder, { recursive: true });
  }
}

async function fields(python: Python, folder: string, isQuick: boolean, effort: Effort): Promise<Table> {
  const [data, encoded] = [join(folder, "field"), join(folder, "message")];
  const [wasm, javascript] = [await kernelsOf("wasm"), await kernelsOf("javascript")];
  const rows: string[][] = [];
  for (const { name, packing, keys } of isQuick ? PACKINGS.slice(0, 1) : PACKINGS) {
    const values = name.includes("bitmap") ? rain() : temperatures();
    writeFileSync(data, values);
    await python.run({ kind: "encodeField", packing, keys, columns: COLUMNS, data, encoded });
    const message = new Uint8Array(readFileSync(encoded));
    const own = (kernels: Kernels) => decoder(kernels, "gribberish", "float64", values.length, message);
    const [mine, fallback, ...theirs] = await race(
      [
        ...[await own(wasm), await own(javascript)],
        python.rival({ kind: "decodeField", library: "eccodes", encoded }),
        // gribberish has no IEEE values.
        packing === "grid_ieee"
          ? undefined
          : python.rival({ kind: "decodeField", library: "gribberish", encoded }),
      ],
      effort,
    );
    const ratio = theirs.map((turns) => against(turns, mine));
    const compression = values.byteLength / message.length;
    rows.push([name, figure(compression), ...[mine, fallback, ...theirs].map(milliseconds), ...ratio]);
  }
  return {
    header: [
      "GRIB",
      "compressed",
      "wazarr",
      "its fallback",
      "eccodes",
      "gribberish",
      "of eccodes",
      "of gribberish",
    ],
    rows,
  };
}

async function numbers(python: Python, folder: string, isQuick: boolean, effort: Effort): Promise<Table> {
  const [data, encoded] = [join(folder, "numbers"), join(folder, "pco")];
  const [wasm, javascript] = [await kernelsOf("wasm"), await kernelsOf("javascript")];
  const rows: string[][] = [];
  for (const { name, dtype, make } of isQuick ? NUMBERS.slice(0, 1) : NUMBERS) {
    const values = make();
    writeFileSync(data, values);
    await python.run({ kind: "encodeNumbers", dtype, data, encoded });
    const stored = new Uint8Array(readFileSync(encoded));
    const own = (kernels: Kernels) => decoder(kernels, "pcodec", dtype, COUNT, stored);
    const [mine, fallback, theirs] = await race(
      [
        await own(wasm),
        await own(javascript),
        python.rival({ kind: "decodeNumbers", dtype, count: COUNT, encoded }),
      ],
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
