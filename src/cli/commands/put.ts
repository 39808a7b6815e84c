/** `wazarr put`: creates an array from an npy file. */

import { type NpyFile, withNpyFile } from "../../formats/for-cli.js";
import { create, isZarrError, set, slice, type Array as ZarrArray } from "../../index.js";
import type { CopyOptions } from "../../main/copy.js";
import type { DataTypeDefinition } from "../../main/data-types.js";
import { type Command, type CommandLine, UsageError } from "../command.js";
import { QUIET } from "../common-options.js";
import { LAYOUT, parseLayout } from "../layout.js";
import { product } from "../product.js";
import { nodeOfOperands, withTarget } from "../stores.js";
import { createProgress, noProgress, type Progress } from "../text/progress.js";

export const put: Command = {
  name: "put",
  summary: "writes an array from an npy file",
  operands: ["FILE.npy", "STORE", "[PATH]"],
  description: [
    "Creates an array with the elements of an npy file, compressed with zstd unless --codecs says otherwise.",
  ],
  options: { ...LAYOUT, quiet: QUIET },
  examples: ["wazarr put heights.npy terrain.zarr heights --chunks 128,128 --dimension-names y,x"],
  run: putFile,
};

async function putFile(line: CommandLine): Promise<void> {
  const [file = "", ...target] = line.operands;
  const { concurrency, ...layout } = await parseLayout(line);
  const progress = line.flag("quiet") ? noProgress : createProgress("elements");
  try {
    await withNpyFile(file, (npy) =>
      withTarget(nodeOfOperands(target), async (location) => {
        const { dataType, shape } = npy;
        const array = await create(location, {
          ...layout,
          shape,
          dtype: dataType,
          fillValue: fillValue(layout, dataType),
        });
        await writeElements(npy, array, concurrency, progress);
      }),
    );
  } finally {
    progress.end();
  }
}

/**
 * Writes slabs along the slowest dimension of the file: the first one in order C, the last one in order F.
 */
async function writeElements(
  npy: NpyFile,
  array: ZarrArray<DataTypeDefinition>,
  concurrency: number | undefined,
  progress: Progress,
): Promise<void> {
  const { shape, order, dataType } = npy;
  const total = product(shape);
  if (total === 0) return;
  const slowest = order === "C" ? 0 : shape.length - 1;
  // An array without dimensions is one row of one element.
  const rows = shape[slowest] ?? 1;
  const rowCount = total / rows;
  for (const { start, count } of slabs(
    rows,
    rowCount * dataType.itemSize,
    array.metadata.chunkGrid.chunkShape[slowest] ?? 1,
  )) {
    const data = dataType.view(await npy.read(start * rowCount, count * rowCount));
    const selection = shape.map((_, d) => (d === slowest ? slice(start, start + count) : null));
    const extent = shape.map((length, d) => (d === slowest ? count : length));
    await set(array, selection, { data, shape: extent, stride: strides(extent, order) }, { concurrency });
    progress.update((start + count) * rowCount, total);
  }
}

/** Largest slab in bytes, unless the rows of one chunk have more. */
const SLAB_BYTES = 32 << 20;

/** Divides the rows into slabs of whole chunks, so that each chunk is written once. */
function* slabs(
  rows: number,
  rowBytes: number,
  chunkLength: number,
): Generator<{ readonly start: number; readonly count: number }, void, undefined> {
  const most = Math.max(1, Math.floor(SLAB_BYTES / (rowBytes * chunkLength))) * chunkLength;
  for (let start = 0; start < rows; start += most) yield { start, count: Math.min(most, rows - start) };
}

/** The strides of a shape, in elements. */
function strides(shape: readonly number[], order: "C" | "F"): number[] {
  return shape.map((_, d) => product(order === "C" ? shape.slice(d + 1) : shape.slice(0, d)));
}

function fillValue(
  { fillValue: json, zarrFormat, endian }: CopyOptions,
  dataType: DataTypeDefinition,
): unknown {
  if (json === undefined || json === null) return json;
  try {
    return dataType.scalarFromJson(json, zarrFormat ?? 3, endian);
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    throw new UsageError(`--fill-value: ${error.message}`);
  }
}
