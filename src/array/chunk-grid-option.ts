/** Chunk grids as users give them. */

import type { ZarrFormat } from "../data-types/data-type.js";
import { InvalidArgumentError, isZarrError } from "../errors.js";
import { chunkRuns } from "../grid/chunk-grid.js";
import type { ChunkGrid, ChunkLengths, RegularChunkGrid } from "../metadata/model.js";
import { checkIsList, checkLengths } from "./check-lengths.js";

/**
 * A regular grid, or a rectilinear one where a dimension has a list of lengths: a list says so itself, as in zarr-python, also when all
 * its lengths are alike.
 * @param name of the argument, for the message
 * @throws InvalidArgumentError
 */
export async function chunkGridOf(
  lengths: readonly ChunkLengths[],
  shape: readonly number[],
  name: string,
): Promise<ChunkGrid> {
  checkIsList(lengths, name);
  if (isShape(lengths)) {
    checkLengths(lengths, 1, shape.length, name);
    return { name: "regular", chunkShape: [...lengths] };
  }
  const { rectilinearGrid } = await import("../metadata/rectilinear.js");
  try {
    return rectilinearGrid(lengths, shape, name);
  } catch (cause) {
    if (!isZarrError(cause, "InvalidMetadataError")) throw cause;
    throw new InvalidArgumentError(`${cause.member}: ${cause.reason}`, { cause });
  }
}

function isShape(lengths: readonly ChunkLengths[]): lengths is readonly number[] {
  return !lengths.some((length) => Array.isArray(length));
}

/** @throws InvalidArgumentError for a grid that the format does not have */
export function checkGrid({ name }: ChunkGrid, zarrFormat: ZarrFormat): void {
  if (name === "regular" || zarrFormat === 3) return;
  throw new InvalidArgumentError(
    "chunkShape: only v3 has chunks of different lengths; use zarrFormat: 3, or one length for each dimension",
  );
}

/** @throws InvalidArgumentError for chunks inside of shards that differ in length */
export function checkRegular(inner: ChunkGrid): asserts inner is RegularChunkGrid {
  if (inner.name === "regular") return;
  throw new InvalidArgumentError(
    "chunkShape: expected one length for each dimension, as the chunks inside of shards have one shape; lists of lengths are for shards, then",
  );
}

/** @throws InvalidArgumentError for shards that the chunks inside do not fill */
export function checkInnerChunks(shards: ChunkGrid, inner: ChunkGrid): asserts inner is RegularChunkGrid {
  checkRegular(inner);
  const { chunkShape } = inner;
  const odd = chunkRuns(shards).flatMap((runs, d) =>
    runs.filter(({ length }) => length % (chunkShape[d] ?? 1) !== 0).map(({ length }) => length),
  );
  if (odd.length === 0) return;
  throw new InvalidArgumentError(
    `shards: expected multiples of the chunk shape [${chunkShape.join(", ")}], got lengths of ${odd.slice(0, 8).join(", ")}`,
  );
}
