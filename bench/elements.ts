/**
 * Converts elements with WASM and with the JavaScript fallback, on operands in the arena: `node scripts/run-ts.mjs bench/elements.ts`.
 */
import { basename } from "node:path";
import { planStoredCopy, runStoredCopy } from "../src/codecs/layout.js";
import type { DataType } from "../src/data-types/data-type.js";
import { type Elements, loadElements } from "../src/kernels/elements.js";
import type { Kernels } from "../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../src/kernels/load.js";
import { fillRandom, formatTable, type MeasureOptions, measure, rate } from "./harness.js";

interface ElementsCase {
  readonly name: string;
  /** Bytes of source and of target for 2^18 elements. */
  readonly source: number;
  readonly target: number;
  /** Fills the source with valid input. Default: random bytes. */
  readonly prepare?: (source: Uint8Array) => void;
  readonly run: (elements: Elements, target: Uint8Array, source: Uint8Array, kernels: Kernels) => unknown;
}

const N = 2 ** 18;
/** Code points per text element. */
const CAPACITY = 16;

function writeText(source: Uint8Array): void {
  const points = new Uint32Array(source.buffer, source.byteOffset, source.length / 4).fill(0);
  for (let i = 0; i < N / CAPACITY; i++) {
    Array.from(`station ${i}`).forEach((character, at) => {
      points[i * CAPACITY + at] = character.charCodeAt(0);
    });
  }
}

/** Swaps big-endian elements within a strided copy, as when a chunk is copied to the result. */
function byteOrder(
  name: string,
  itemSize: number,
  swapRuns: NonNullable<DataType["swapRuns"]>,
): ElementsCase {
  const copy = planStoredCopy([N], [itemSize], [itemSize], itemSize, { swapUnit: 1, swapRuns });
  const run: ElementsCase["run"] = (_, to, from, kernels) => runStoredCopy(copy, kernels, to, 0, from, 0);
  return { name, source: N * itemSize, target: N * itemSize, run };
}

const CASES: readonly ElementsCase[] = [
  { name: "half to float", source: 2 * N, target: 4 * N, run: (e, to, from) => e.halfToFloat(to, from) },
  { name: "float to half", source: 4 * N, target: 2 * N, run: (e, to, from) => e.floatToHalf(to, from) },
  {
    name: "bfloat16 to float",
    source: 2 * N,
    target: 4 * N,
    run: (e, to, from) => e.bfloat16ToFloat(to, from),
  },
  {
    name: "float to bfloat16",
    source: 4 * N,
    target: 2 * N,
    run: (e, to, from) => e.floatToBfloat16(to, from),
  },
  {
    name: "UTF-32 to UTF-16, 16 code points",
    source: 4 * N,
    target: 4 * N + (4 * N) / CAPACITY,
    prepare: writeText,
    run: (e, to, from) => e.utf32ToUtf16(to.subarray(0, 4 * N), to.subarray(4 * N), from, CAPACITY),
  },
  ...[1, 2, 4, 6].flatMap((width): ElementsCase[] => [
    {
      name: `unpack ${width} bits`,
      source: (N * width) / 8,
      target: N,
      run: (e, to, from) => e.unpackBits(to, from, width, false),
    },
    {
      name: `pack ${width} bits`,
      source: N,
      target: (N * width) / 8,
      run: (e, to, from) => e.packBits(to, from, width, false),
    },
  ]),
  { name: "normalise booleans", source: N, target: N, run: (e, to, from) => e.normaliseBooleans(to, from) },
  byteOrder("byte order of complex64", 8, [[0, 4, 2]]),
  byteOrder("byte order of struct i4, f8, S2", 14, [
    [0, 4, 1],
    [4, 8, 1],
    [12, 1, 2],
  ]),
  byteOrder("byte order of struct f4, f4, f4, u1", 13, [
    [0, 4, 3],
    [12, 1, 1],
  ]),
];

export interface ElementsResult {
  readonly name: string;
  /** GB/s, counted in bytes of the larger operand. */
  readonly wasm: number;
  readonly javascript: number;
}

export async function benchElements(options: MeasureOptions = {}): Promise<ElementsResult[]> {
  const rates: Record<"wasm" | "javascript", number[]> = { wasm: [], javascript: [] };
  for (const choice of ["wasm", "javascript"] as const) {
    setKernels(choice);
    const kernels = await loadKernels();
    const elements = await loadElements(kernels);
    for (const { source, target, prepare, run } of CASES) {
      kernels.begin(2 * (source + target) + 4096);
      const operand = (seed: number) => {
        const from = fillRandom(kernels.allocate(source), seed);
        prepare?.(from);
        return { from, to: fillRandom(kernels.allocate(target), seed + 1) };
      };
      const seconds = measure(
        [operand(1), operand(7)],
        ({ from, to }) => run(elements, to, from, kernels),
        options,
      );
      rates[choice].push(rate(Math.max(source, target), seconds));
    }
  }
  setKernels("auto");
  return CASES.map(({ name }, index) => ({
    name,
    wasm: rates.wasm[index] ?? Number.NaN,
    javascript: rates.javascript[index] ?? Number.NaN,
  }));
}

export function formatElements(results: readonly ElementsResult[]): string {
  return formatTable(
    ["conversion", "WASM GB/s", "TypeScript GB/s", "ratio"],
    results.map(({ name, wasm, javascript }) => [
      name,
      wasm.toFixed(2),
      javascript.toFixed(2),
      `${(wasm / javascript).toFixed(1)}x`,
    ]),
  );
}

if (basename(process.argv[1] ?? "").startsWith("elements."))
  console.log(formatElements(await benchElements()));
