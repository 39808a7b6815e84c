/** The chunk grid that the options for a new array describe, and the keys of its chunks. */

import { at } from "../../base/at.js";
import { InvalidArgumentError, isZarrError } from "../../base/errors.js";
import type { ZarrFormat } from "../../data-types/data-type.js";
import { chunkRuns } from "../../grid/chunk-grid.js";
import { parseChunkKeyEncoding } from "../../metadata/chunk-key-encodings.js";
import { Member } from "../../metadata/member.js";
import type { ArrayMetadata, ChunkGrid, ChunkLengths, RegularChunkGrid } from "../../metadata/model.js";
import { type CreateArrayOptions, checkIsList, checkLengths } from "./create-options.js";

/**
 * Makes a regular grid, or a rectilinear grid if any dimension has a list of lengths, even a list of equal
 * lengths. zarr-python does the same.
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
  const { rectilinearGrid } = await import("../../metadata/rectilinear.js");
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

/** @throws InvalidArgumentError for a rectilinear grid outside v3 */
export function checkGrid({ name }: ChunkGrid, zarrFormat: ZarrFormat): void {
  if (name === "regular" || zarrFormat === 3) return;
  throw new InvalidArgumentError(
    "chunkShape: only v3 has chunks of different lengths; use zarrFormat: 3, or one length for each dimension",
  );
}

/** @throws InvalidArgumentError for inner chunks of different lengths */
export function checkRegular(inner: ChunkGrid): asserts inner is RegularChunkGrid {
  if (inner.name === "regular") return;
  throw new InvalidArgumentError(
    "chunkShape: expected one length for each dimension, because the chunks in a shard have one shape; `shards` takes the lists of lengths",
  );
}

/** @throws InvalidArgumentError for shards whose lengths are not multiples of the inner chunks' */
export function checkInnerChunks(shards: ChunkGrid, inner: ChunkGrid): asserts inner is RegularChunkGrid {
  checkRegular(inner);
  const { chunkShape } = inner;
  const odd = chunkRuns(shards).flatMap((runs, d) =>
    runs.filter(({ length }) => length % at(chunkShape, d) !== 0).map(({ length }) => length),
  );
  if (odd.length === 0) return;
  throw new InvalidArgumentError(
    `shards: expected multiples of the chunk shape [${chunkShape.join(", ")}], got lengths of ${odd.slice(0, 8).join(", ")}`,
  );
}

/** The encoding of chunk keys: the format's default unless the options set another. */
export function keyEncodingOf(
  options: Pick<CreateArrayOptions<unknown>, "chunkKeyEncoding" | "chunkSeparator">,
  zarrFormat: ZarrFormat,
  rank: number,
): ArrayMetadata["chunkKeyEncoding"] {
  const { chunkKeyEncoding = "default" } = options;
  if (typeof chunkKeyEncoding === "object") {
    if (zarrFormat !== 3 || options.chunkSeparator !== undefined)
      throw new InvalidArgumentError(
        "chunkKeyEncoding: an encoding with a configuration needs zarrFormat: 3, and cannot be combined with chunkSeparator",
      );
    const { name, configuration = {} } = chunkKeyEncoding;
    return parseChunkKeyEncoding(new Member({ name, configuration }, {}, "chunkKeyEncoding"), rank);
  }
  const name = zarrFormat === 3 ? chunkKeyEncoding : zarrFormat === 2 ? "v2" : "draft";
  return { name, separator: options.chunkSeparator ?? (name === "v2" ? "." : "/") };
}
