/**
 * Elements of variable length: kernels beside their twins, and whole reads and writes of one chunk of a million short strings
 * beside zarrita (and, where it is installed, zarr-python): `node scripts/run-ts.mjs bench/strings.ts`.
 */
import { execFileSync } from "node:child_process";
import * as zarrita from "zarrita";
import { create, get, open, set } from "../src/index.js";
import { loadKernels, setKernels } from "../src/kernels/load.js";
import { loadStrings, STRINGS_SCRATCH, type Strings } from "../src/kernels/strings.js";
import { readOracles } from "../test/setup/oracles.js";
import { formatTable, type MeasureOptions, measure, measureAsync, rate } from "./harness.js";

const COUNT = 1_000_000;

/** ASCII, 5 to 30 characters; the same ones every time. */
function shortStrings(): string[] {
  let state = 12345;
  return Array.from({ length: COUNT }, (_, i) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    const length = 5 + ((state >> 8) % 26);
    return `${i}-station-of-somewhere-in-the-world`.slice(0, length);
  });
}

interface Kernel {
  readonly name: string;
  /** Bytes that count. */
  readonly bytes: number;
  readonly run: (strings: Strings) => unknown;
}

function kernelCases(): Kernel[] {
  const lengths = Int32Array.from({ length: COUNT }, (_, i) => 5 + (i % 26));
  const offsets = new Int32Array(COUNT + 1);
  for (let i = 0; i < COUNT; i++) offsets[i + 1] = (offsets[i] ?? 0) + (lengths[i] ?? 0);
  const wide = BigInt64Array.from(offsets, BigInt);
  const data = new Uint8Array(offsets[COUNT] ?? 0).fill(97);
  const total = data.length + 4 * COUNT;
  const interleaved = new Uint8Array(total);
  const target = {
    offsets: new Int32Array(COUNT + 1),
    wide: new BigInt64Array(COUNT + 1),
    data: data.slice(),
  };
  const indices = Int32Array.from(lengths, (_, i) => (i * 7919) % COUNT);
  return [
    {
      name: "prefix sum, 32 bits",
      bytes: 4 * COUNT,
      run: (s) => s.lengthsToOffsets(target.offsets, lengths),
    },
    { name: "prefix sum, 64 bits", bytes: 8 * COUNT, run: (s) => s.lengthsToOffsets64(target.wide, lengths) },
    { name: "offsets to lengths", bytes: 4 * COUNT, run: (s) => s.offsetsToLengths(lengths, offsets) },
    { name: "check offsets, 32 bits", bytes: 4 * COUNT, run: (s) => s.checkOffsets(offsets) },
    { name: "check offsets, 64 bits", bytes: 8 * COUNT, run: (s) => s.checkOffsets(wide) },
    { name: "interleave", bytes: total, run: (s) => s.interleave(interleaved, data, offsets) },
    {
      name: "deinterleave",
      bytes: total,
      run: (s) => s.deinterleave(target.data, target.offsets, interleaved),
    },
    { name: "is ASCII", bytes: data.length, run: (s) => s.isAscii(data) },
    {
      name: "gather, shuffled",
      bytes: data.length,
      run(s) {
        s.gatherOffsets(target.offsets, offsets, indices);
        s.gatherElements(target.data, data, offsets, indices);
      },
    },
  ];
}

async function benchKernels(options: MeasureOptions): Promise<string> {
  const cases = kernelCases();
  const rates: Record<"wasm" | "javascript", number[]> = { wasm: [], javascript: [] };
  for (const choice of ["wasm", "javascript"] as const) {
    setKernels(choice);
    const kernels = await loadKernels();
    const strings = await loadStrings(kernels);
    kernels.begin(STRINGS_SCRATCH + 2 ** 27);
    for (const { bytes, run } of cases)
      rates[choice].push(
        rate(
          bytes,
          measure([1], () => run(strings), options),
        ),
      );
  }
  // The prefix sum on operands in the arena: the kernel alone.
  setKernels("wasm");
  const kernels = await loadKernels();
  const strings = await loadStrings(kernels);
  kernels.begin(2 ** 24);
  const n = 2 ** 18;
  const [to, from] = [kernels.allocate(4 * (n + 1)), kernels.allocate(4 * n)];
  const offsets = new Int32Array(to.buffer, to.byteOffset, n + 1).fill(0);
  const lengths = new Int32Array(from.buffer, from.byteOffset, n).fill(17);
  const inArena = rate(
    4 * n,
    measure([1], () => strings.lengthsToOffsets(offsets, lengths), options),
  );
  const check = rate(
    4 * n,
    measure([1], () => strings.checkOffsets(offsets), options),
  );
  setKernels("auto");
  const rows = cases.map(({ name }, i) => row(name, rates.wasm[i] ?? 0, rates.javascript[i] ?? 0));
  return formatTable(
    ["operands outside the arena", "WASM GB/s", "TypeScript GB/s", "ratio"],
    [
      ...rows,
      ["in the arena: prefix sum", inArena.toFixed(2), "", ""],
      ["in the arena: check offsets", check.toFixed(2), "", ""],
    ],
  );
}

function row(name: string, a: number, b: number): string[] {
  return [name, a.toFixed(2), b.toFixed(2), `${(a / b).toFixed(1)}x`];
}

const milliseconds = async (run: () => Promise<unknown>, options: MeasureOptions): Promise<number> =>
  1000 * (await measureAsync(run, options));

async function benchChunks(options: MeasureOptions): Promise<string> {
  const texts = shortStrings();
  const make = async (codecs: readonly string[]) => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { shape: [COUNT], chunkShape: [COUNT], dtype: "string", codecs });
    await set(array, null, texts);
    return store;
  };
  const [legacy, zep7] = [await make(["vlen-utf8"]), await make(["bytes"])];
  const [array, zep7Array] = [await open(legacy, { kind: "array" }), await open(zep7, { kind: "array" })];
  const theirs = await zarrita.open.v3(legacy, { kind: "array" });
  const peer = await milliseconds(() => zarrita.get(theirs), options);
  const rows: string[][] = [["zarrita: vlen-utf8 to string[]", peer.toFixed(1), ""]];
  const against = async (name: string, run: () => Promise<unknown>, other = peer): Promise<void> => {
    const time = await milliseconds(run, options);
    rows.push([name, time.toFixed(2), `${(other / time).toFixed(1)}x`]);
  };
  await against("wazarr: vlen-utf8 to string[]", () => get(array));
  await against("wazarr: vlen-utf8 to column", () => get(array, null, { as: "column" }));
  await against("wazarr: ZEP 7 to string[]", () => get(zep7Array));
  await against("wazarr: ZEP 7 to column", () => get(zep7Array, null, { as: "column" }));
  const python = benchPython();
  if (python !== undefined) rows.push(["zarr-python: string to vlen-utf8", python.write.toFixed(1), ""]);
  const target = await create(new Map(), { shape: [COUNT], chunkShape: [COUNT], dtype: "string" });
  await against("wazarr: string[] to vlen-utf8", () => set(target, null, texts), python?.write);
  const column = (await get(array, null, { as: "column" })).data;
  await against("wazarr: column to vlen-utf8", () => set(target, null, column), python?.write);
  return formatTable(["a million strings, one chunk", "ms", "ratio"], rows);
}

const PYTHON = `
import json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy, zarr
from zarr.storage import MemoryStore
texts = numpy.array(json.load(sys.stdin), dtype=numpy.dtypes.StringDType())
array = zarr.create_array(MemoryStore(), shape=len(texts), chunks=len(texts), dtype="string", compressors=None)
times = []
for _ in range(5):
    start = time.perf_counter()
    array[:] = texts
    times.append(time.perf_counter() - start)
print(json.dumps({"write": sorted(times)[2] * 1000}))
`;

function benchPython(): { readonly write: number } | undefined {
  const { python } = readOracles();
  if (python?.zarr == null) return undefined;
  const output = execFileSync(python.executable, ["-c", PYTHON], {
    input: JSON.stringify(shortStrings()),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  });
  const times: { readonly write: number } = JSON.parse(output);
  return times;
}

export async function benchStrings(options: MeasureOptions = {}): Promise<string> {
  return `${await benchKernels({ warmUp: 40, batch: 5, batches: 7, ...options })}\n\n${await benchChunks({ warmUp: 300, batch: 1, batches: 7, ...options })}`;
}

if (process.argv[1]?.includes("strings") === true) console.log(await benchStrings());
