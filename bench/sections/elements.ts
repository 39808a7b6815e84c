/** Conversions of elements: WebAssembly and JavaScript fallback, on operands in the arena. */
import { planStoredCopy, runStoredCopy } from "../../src/core/codecs/stored-copy.js";
import type { DataType } from "../../src/data-types/data-type.js";
import { type Elements, loadElements } from "../../src/kernels/elements.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../src/kernels/load.js";
import { fillRandom } from "../fields.js";
import { type Care, measure, rate } from "../race.js";
import { figure, type Section, times } from "../table.js";

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

export async function benchElements({ isQuick }: Care): Promise<Section> {
  const [wasm, javascript] = [await rates("wasm", isQuick), await rates("javascript", isQuick)];
  setKernels("auto");
  return {
    title: "Conversions of elements",
    text: "Each conversion converts 2^18 elements in place. The figures are GB/s of the larger side, median.",
    tables: [
      {
        header: ["conversion", "WASM GB/s", "TypeScript GB/s", "ratio"],
        rows: CASES.map(({ name }, i) => [
          name,
          figure(wasm[i]),
          figure(javascript[i]),
          times(Number(wasm[i]) / Number(javascript[i])),
        ]),
      },
    ],
  };
}

/** GB/s of every case. */
async function rates(choice: "wasm" | "javascript", isQuick: boolean): Promise<number[]> {
  setKernels(choice);
  const kernels = await loadKernels();
  const elements = await loadElements(kernels);
  return CASES.map(({ source, target, prepare, run }) => {
    kernels.begin(2 * (source + target) + 4096);
    const operand = (seed: number) => {
      const from = fillRandom(kernels.allocate(source), seed);
      prepare?.(from);
      return { from, to: fillRandom(kernels.allocate(target), seed + 1) };
    };
    const call = ({ from, to }: ReturnType<typeof operand>) => run(elements, to, from, kernels);
    return rate(Math.max(source, target), measure([operand(1), operand(7)], call, isQuick));
  });
}
