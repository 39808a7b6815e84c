/**
 * Chunk grids that earlier versions of zarr-python wrote although no specification allows them, read as zarr-python 3.4 reads them: a length of
 * 0 (or `false`) is the shortest there is, for nothing can have been stored in chunks of that length; `true` is 1; a `regular` grid in
 * which some dimensions have lists of lengths is a rectilinear one. Loaded for such documents.
 */
import { isJsonArray, type Json } from "./json.js";
import type { Member } from "./member.js";
import type { ChunkGrid, CodecMetadata } from "./model.js";

/**
 * Chunk lengths, by dimension.
 * @param shortest the shortest length that chunks can have, by dimension; 1 unless given
 */
export function readLengths(lengths: readonly Json[], shortest: readonly number[] = []): readonly Json[] {
  return lengths.map((length, d) => {
    if (length === 0 || length === false) return shortest[d] ?? 1;
    return length === true ? 1 : length;
  });
}

/** @param lengths `chunk_shape` of a regular grid @throws InvalidMetadataError */
export async function parseEarlyGrid(
  lengths: Member,
  shape: readonly number[],
  codecs: readonly CodecMetadata[],
): Promise<ChunkGrid> {
  const stored = isJsonArray(lengths.json) ? lengths.json : [];
  const read = lengths.as(readLengths(stored, innerLengths(codecs)));
  const isList = stored.map(isFlatList);
  // zarr-python 3.2 wrote these, but never for all dimensions at once.
  if (isList.includes(true) && isList.includes(false))
    return (await import("./rectilinear.js")).parseChunkShapes(read, shape);
  return { name: "regular", chunkShape: read.integers(1, shape.length) };
}

function isFlatList(json: Json): boolean {
  return isJsonArray(json) && !json.some((item) => isJsonArray(item));
}

/** Lengths of the inner chunks of shards: shards are made of them. */
function innerLengths(codecs: readonly CodecMetadata[]): readonly number[] {
  const sharding = codecs.find(({ name }) => name === "sharding_indexed");
  const lengths = sharding?.configuration.chunk_shape;
  return isJsonArray(lengths) ? readLengths(lengths).map(Number) : [];
}
