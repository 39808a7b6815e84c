/** Cost of chunks of different lengths: compares rectilinear grids with regular grids of as many chunks. */

import type { ChunkLengths } from "../../src/extend.js";
import { create, get, set } from "../../src/index.js";
import { type Care, here, race } from "../race.js";
import { against, milliseconds, type Section } from "../table.js";

interface Grids {
  readonly name: string;
  readonly shape: readonly number[];
  readonly regular: readonly number[];
  readonly rectilinear: readonly ChunkLengths[];
}

/** Alternates two lengths with this mean. */
const inTurn = (count: number, mean: number): number[] =>
  Array.from({ length: count }, (_, i) => mean + (i % 2 === 0 ? -1 : 1));

/** 3000 chunks of 1500 different lengths, the longest 14,991. */
const many = Array.from({ length: 3000 }, (_, i) => 1 + 10 * (i % 1500));
const total = many.reduce((sum, length) => sum + length, 0);

const CASES: readonly Grids[] = [
  {
    name: "29 and 31 in turn, 128, 128",
    shape: [360, 256, 256],
    regular: [30, 128, 128],
    rectilinear: [inTurn(12, 30), 128, 128],
  },
  {
    name: "255 and 257 in turn, both ways",
    shape: [4096, 4096],
    regular: [256, 256],
    rectilinear: [inTurn(16, 256), inTurn(16, 256)],
  },
  {
    name: "127 and 129 in turn, both ways",
    shape: [4096, 4096],
    regular: [128, 128],
    rectilinear: [inTurn(32, 128), inTurn(32, 128)],
  },
  {
    name: "16383 and 16385 in turn",
    shape: [2 ** 24],
    regular: [2 ** 14],
    rectilinear: [inTurn(1024, 2 ** 14)],
  },
  {
    name: "3000 chunks of 1500 lengths",
    shape: [total],
    regular: [Math.round(total / many.length)],
    rectilinear: [many],
  },
];

export async function benchGrids({ effort, isQuick }: Care): Promise<Section> {
  const rows: string[][] = [];
  for (const { name, shape, regular, rectilinear } of isQuick ? CASES.slice(-1) : CASES) {
    const count = shape.reduce((product, length) => product * length, 1);
    const data = Float32Array.from({ length: count }, (_, i) => i + 1);
    const out = new Float32Array(count);
    const arrays = await Promise.all(
      [regular, rectilinear].map((chunkShape) =>
        create(new Map<string, Uint8Array>(), { shape, dtype: "float32", chunkShape, codecs: [] }),
      ),
    );
    const written = await race(
      arrays.map((array) => here(() => set(array, null, { data, shape }))),
      effort,
    );
    const read = await race(
      arrays.map((array) => here(() => get(array, null, { out }))),
      effort,
    );
    rows.push([shape.join(" x "), name, ...cells(read), ...cells(written)]);
  }
  return {
    title: "Chunks of different lengths",
    text: "The arrays are float32 without compression, in a `Map`: one with a rectilinear grid, and one with a regular grid of as many chunks. They are read into existing memory, and written.",
    tables: [
      {
        header: ["array", "chunks", "read ms", "regular ms", "ratio", "write ms", "regular ms", "ratio"],
        rows,
      },
    ],
  };
}

function cells([regular, rectilinear]: readonly (readonly number[])[]): string[] {
  return [milliseconds(rectilinear), milliseconds(regular), against(regular, rectilinear)];
}
