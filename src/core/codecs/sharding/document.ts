/**
 * What the metadata of an array say of its shards: read from the configuration of `sharding_indexed` alone,
 * before the codec is loaded (layout.ts).
 */
import { at } from "../../../base/at.js";
import type { RangeQuery } from "../../../base/byte-range.js";
import { product } from "../../../base/shape.js";
import { isJsonObject } from "../../../metadata/json.js";
import type { ArrayMetadata } from "../../../metadata/model.js";

export const SHARDING = "sharding_indexed";

/** An index of 1 GiB: 16 bytes for each inner chunk. */
export const MOST_INNER_CHUNKS = 2 ** 26;

/**
 * Shape of the inner chunks of an array, by dimension of the array; undefined if the array is not sharded.
 */
export function innerChunkShape({ codecs, shape }: ArrayMetadata): readonly number[] | undefined {
  let order: readonly (number | undefined)[] = shape.map((_, dimension) => dimension);
  for (const { name, configuration } of codecs) {
    if (name === SHARDING) {
      const inner = configuration.chunk_shape;
      if (!Array.isArray(inner)) return undefined;
      const lengths = shape.map((_, dimension) => Number(inner[order.indexOf(dimension)]));
      // The sharding codec reports a malformed shape.
      return lengths.every((length) => length >= 1) ? lengths : undefined;
    }
    if (name !== "transpose") return undefined;
    const permutation = configuration.order;
    // Early writers wrote "F" and "C" instead of a permutation.
    if (permutation === "F") order = order.toReversed();
    if (Array.isArray(permutation)) order = permutation.map((dimension) => order[Number(dimension)]);
  }
  return undefined;
}

/** Bytes of an index entry, and of the checksum after the entries. */
const ENTRY_BYTES = 16;
const CHECKSUM_BYTES = 4;

/**
 * The byte range of a shard's index. Undefined if any codec follows the sharding codec, or if the index has
 * codecs other than `bytes` and `crc32c`.
 */
export function indexPlace(
  { codecs }: ArrayMetadata,
  chunkShape: readonly number[],
  innerShape: readonly number[],
): RangeQuery | undefined {
  const last = codecs.at(-1);
  if (last?.name !== SHARDING) return undefined;
  const { index_codecs: indexCodecs, index_location: location = "end" } = last.configuration;
  const names = Array.isArray(indexCodecs)
    ? indexCodecs.map((codec) => isJsonObject(codec) && codec.name)
    : [];
  const hasChecksum = names[1] === "crc32c";
  if (names[0] !== "bytes" || names.length !== (hasChecksum ? 2 : 1)) return undefined;
  const innerCount = product(chunkShape.map((length, d) => length / at(innerShape, d)));
  const length = innerCount * ENTRY_BYTES + (hasChecksum ? CHECKSUM_BYTES : 0);
  // The sharding codec reports such a shape.
  if (!(Number.isInteger(innerCount) && innerCount <= MOST_INNER_CHUNKS)) return undefined;
  return location === "start" ? { offset: 0, length } : { suffixLength: length };
}
