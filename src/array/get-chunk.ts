/** Reading one whole chunk. */

import { innerChunkShape } from "../codecs/inner-chunk-shape.js";
import { describe, InvalidSelectionError } from "../errors.js";
import { chunkBoxOf, gridShapeOf } from "../grid/chunk-grid.js";
import type { BasicSelection } from "../grid/selection.js";
import type { ChunkGrid } from "../metadata/model.js";
import { cOrderStrides } from "../shape.js";
import type { Store } from "../stores/store.js";
import { checkArray } from "./check-array.js";
import { readBytes, readOptions } from "./get.js";
import type { GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";

/**
 * Reads one whole chunk by its coordinates in the grid of chunks (inner chunks of a sharded array), the part beyond the array's
 * edge included. C order.
 * @throws InvalidSelectionError for coordinates outside of the grid, and what `get` throws
 */
export async function getChunk<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: readonly number[],
  options?: GetOptions<D>,
): Promise<Chunk<D>>;
export async function getChunk(
  array: ZarrArray<unknown>,
  coordinates: readonly number[],
  options?: GetOptions<unknown>,
): Promise<unknown> {
  checkArray(array);
  const inner = innerChunkShape(array.metadata);
  const grid =
    inner === undefined ? array.metadata.chunkGrid : ({ name: "regular", chunkShape: inner } as const);
  return readChunk(array, grid, coordinates, options);
}

/** `getChunk` of what is one value of the store: a shard of a sharded array. */
export function getStoredChunk(
  array: ZarrArray<unknown>,
  coordinates: readonly number[],
  options?: GetOptions<unknown>,
): Promise<unknown> {
  return readChunk(array, array.metadata.chunkGrid, coordinates, options);
}

async function readChunk(
  array: ZarrArray<unknown>,
  chunkGrid: ChunkGrid,
  coordinates: readonly number[],
  options: GetOptions<unknown> = {},
): Promise<unknown> {
  const { metadata } = array;
  if (!Array.isArray(coordinates))
    throw new InvalidSelectionError(`expected a list of chunk coordinates, got ${describe(coordinates)}`);
  const grid = gridShapeOf({ ...metadata, chunkGrid });
  const inGrid = grid.every((count, d) => Number.isInteger(coordinates[d]) && isBelow(coordinates[d], count));
  if (coordinates.length !== grid.length || !inGrid) {
    throw new InvalidSelectionError(
      `expected ${grid.length} chunk coordinates below [${grid.join(", ")}], got [${coordinates.join(", ")}]`,
    );
  }
  const box = chunkBoxOf(chunkGrid, coordinates);
  const dimensions = box.shape.map((count, d) => ({
    start: box.start[d] ?? 0,
    step: 1,
    count,
    drop: false,
  }));
  const basic: BasicSelection = { dimensions, shape: box.shape };
  const prepared = await array.prepare();
  if (metadata.dataType.variable !== undefined) {
    const { getVariableChunk } = await import("./get-variable.js");
    return getVariableChunk(prepared, basic, options, readOptions(options));
  }
  const result = await readBytes(array, prepared, basic, options);
  return {
    data: options.out ?? metadata.dataType.view(result),
    shape: [...box.shape],
    stride: cOrderStrides(box.shape, 1),
  };
}

function isBelow(value: number | undefined, end: number): boolean {
  return value !== undefined && value >= 0 && value < end;
}
