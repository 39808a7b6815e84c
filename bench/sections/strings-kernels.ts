/**
 * Kernels for elements of variable length and their fallbacks, on operands in the arena, and outside of it,
 * where kernels copy them in pieces.
 */
import type { Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../src/kernels/load.js";
import { loadStrings } from "../../src/kernels/strings.js";
import type { Strings } from "../../src/kernels/strings-kernels.js";
import { STRINGS_SCRATCH } from "../../src/kernels/strings-pieces.js";
import { measure, rate } from "../race.js";
import { figure, type Table, times } from "../table.js";

const COUNT = 1_000_000;
/** Number of elements whose operands stay in the L2 cache. */
const ARENA_COUNT = 2 ** 16;

interface Case {
  readonly name: string;
  /** Bytes of payload, for the rate. */
  readonly bytes: number;
  readonly run: (strings: Strings) => unknown;
}

/** @param allocate allocates memory of a number of bytes */
function cases(count: number, allocate: (byteLength: number) => Uint8Array): Case[] {
  const integers = (length: number): Int32Array => {
    const { buffer, byteOffset } = allocate(4 * length);
    return new Int32Array(buffer, byteOffset, length);
  };
  const wideIntegers = (length: number): BigInt64Array => {
    const { buffer, byteOffset } = allocate(8 * length);
    return new BigInt64Array(buffer, byteOffset, length);
  };
  const lengths = integers(count);
  for (let i = 0; i < count; i++) lengths[i] = 5 + (i % 26);
  const offsets = integers(count + 1);
  offsets[0] = 0;
  for (let i = 0; i < count; i++) offsets[i + 1] = (offsets[i] ?? 0) + (lengths[i] ?? 0);
  const wide = wideIntegers(count + 1);
  wide.set(Array.from(offsets, BigInt));
  const length = offsets[count] ?? 0;
  const data = allocate(length).fill(97);
  const total = length + 4 * count;
  // Extra room, because kernels write whole vectors beyond the last element.
  const [interleaved, copy] = [
    allocate(total + 32).subarray(0, total),
    allocate(length + 32).subarray(0, length),
  ];
  const sums = integers(count + 1).fill(0);
  const indices = integers(count);
  for (let i = 0; i < count; i++) indices[i] = (i * 7919) % count;
  return [
    { name: "lengths to offsets", bytes: 4 * count, run: (s) => s.lengthsToOffsets(sums, lengths) },
    { name: "offsets to lengths", bytes: 4 * count, run: (s) => s.offsetsToLengths(lengths, offsets) },
    { name: "check of offsets, 32 bits", bytes: 4 * count, run: (s) => s.checkOffsets(offsets) },
    { name: "check of offsets, 64 bits", bytes: 8 * count, run: (s) => s.checkOffsets(wide) },
    { name: "columnar to interleaved", bytes: total, run: (s) => s.interleave(interleaved, data, offsets) },
    { name: "interleaved to columnar", bytes: total, run: (s) => s.deinterleave(copy, sums, interleaved) },
    {
      name: "gather, shuffled",
      bytes: length,
      run(s) {
        s.gatherOffsets(sums, offsets, indices);
        s.gatherElements(copy, data, offsets, indices);
      },
    },
    { name: "is ASCII", bytes: length, run: (s) => s.isAscii(data) },
    { name: "UTF-16 offsets", bytes: length, run: (s) => s.utf16Offsets(sums.fill(0, 0, 1), data, offsets) },
  ];
}

/** GB/s of every case. @param outside whether operands are in JavaScript memory, outside of the arena */
async function rates(choice: "wasm" | "javascript", outside: boolean, isQuick: boolean): Promise<number[]> {
  setKernels(choice);
  const kernels: Kernels = await loadKernels();
  const strings = await loadStrings(kernels);
  kernels.begin(STRINGS_SCRATCH + 2 ** 27);
  const own = (byteLength: number): Uint8Array => new Uint8Array(byteLength);
  const list = outside ? cases(COUNT, own) : cases(ARENA_COUNT, (byteLength) => kernels.allocate(byteLength));
  return list.map(({ bytes, run }) =>
    rate(
      bytes,
      measure([1], () => run(strings), isQuick),
    ),
  );
}

/** Leaves the choice of kernels at "auto". */
export async function stringKernels(isQuick: boolean): Promise<Table> {
  const inArena = await rates("wasm", false, isQuick);
  const outside = await rates("wasm", true, isQuick);
  const fallback = await rates("javascript", true, isQuick);
  setKernels("auto");
  const names = cases(1, (byteLength) => new Uint8Array(byteLength)).map(({ name }) => name);
  return {
    header: ["kernel", "in the arena GB/s", "a million elements outside GB/s", "TypeScript GB/s", "ratio"],
    rows: names.map((name, i) => [
      name,
      figure(inArena[i]),
      figure(outside[i]),
      figure(fallback[i]),
      times(Number(outside[i]) / Number(fallback[i])),
    ]),
  };
}
