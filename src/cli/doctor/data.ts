/** What the metadata of arrays tell a page that reads them. */

import { layoutOf } from "../../extend.js";
import { type Node, registry, type Array as ZarrArray } from "../../index.js";
import { product } from "../product.js";
import { counted, size } from "../text/words.js";
import { advise, type Finding, ok, problem } from "./finding.js";

export function formatFindings({ kind, metadata: { zarrFormat } }: Node): Finding[] {
  if (zarrFormat !== "draft") return [ok(`format: ${kind}, Zarr v${zarrFormat}`)];
  return [
    advise(
      `format: ${kind}, the v3 draft of 2020, which few programs read`,
      "convert it with wazarr copy --zarr-format 3",
    ),
  ];
}

/** Codecs that take a browser many times as long as zstd, for the same bytes. */
const SLOW = ["bz2", "lzma", "json", "json2", "msgpack2"];

export function codecFindings(array: ZarrArray): Finding[] {
  const { path } = array;
  return layoutOf(array).codecNames.flatMap((name): Finding[] => {
    if (!registry.has(name))
      return [
        problem(
          `codecs: ${path} uses ${name}, which wazarr does not read`,
          "rewrite the array with a codec that wazarr has, or give your application a decoder (registry.set)",
        ),
      ];
    if (!SLOW.includes(name.replace(/^numcodecs\./, ""))) return [];
    return [
      advise(
        `codecs: ${path} uses ${name}, which is slow to decode`,
        "use a fast codec: wazarr copy --codecs zstd",
      ),
    ];
  });
}

const SMALL_CHUNK = 16 * 1024;
const LARGE_CHUNK = 16 * 1024 * 1024;
const MANY_INNER_CHUNKS = 10_000;
/** Bytes of an entry of the index of a shard, and of the checksum after the entries. */
const ENTRY_BYTES = 16;
const CHECKSUM_BYTES = 4;

/** Lengths of the chunks that are decoded at once: of inner chunks, if there are shards. */
function decodedShape(array: ZarrArray): readonly number[] {
  const { innerShape, chunkShape } = layoutOf(array);
  return innerShape ?? chunkShape;
}

/** Bytes of a decoded chunk; 0 for elements of variable length, which are known after they are read. */
export const decodedBytes = (array: ZarrArray): number =>
  product(decodedShape(array)) * array.dataType.itemSize;

export const isSharded = (array: ZarrArray): boolean => layoutOf(array).innerShape !== undefined;

/** Inner chunks of a shard; 0 without shards. */
function innerCount(array: ZarrArray): number {
  if (!isSharded(array)) return 0;
  return product(layoutOf(array).chunkShape) / product(decodedShape(array));
}

/** Bytes of the index of a shard; 0 without shards. */
export function indexBytes(array: ZarrArray): number {
  const count = innerCount(array);
  return count === 0 ? 0 : count * ENTRY_BYTES + CHECKSUM_BYTES;
}

/** @param encoded bytes of a chunk as it is stored; undefined if that is not known */
export function chunkFindings(array: ZarrArray, encoded?: number): Finding[] {
  const { path } = array;
  const decoded = decodedBytes(array);
  const count = innerCount(array);
  const isSeveral = product(layoutOf(array).grid) > 1 || count > 1;
  const found: Finding[] = [];
  const stored = encoded ?? decoded;
  const sizes = encoded === undefined ? `${size(decoded)} decoded` : `${size(encoded)} encoded`;
  if (isSeveral && stored > 0 && stored < SMALL_CHUNK)
    found.push(
      advise(
        `chunks: ${path} has chunks of ${sizes}: their requests take longer than their bytes`,
        isSharded(array)
          ? "wazarr copy --chunks writes larger ones"
          : "wazarr copy --chunks writes larger ones, --shards puts many into one value",
      ),
    );
  if (decoded > LARGE_CHUNK)
    found.push(
      advise(
        `chunks: ${path} has chunks of ${size(decoded)} decoded, which a page downloads and decodes for one pixel`,
        "wazarr copy --chunks writes smaller ones, of about 1 MiB",
      ),
    );
  if (count > MANY_INNER_CHUNKS)
    found.push(
      advise(
        `shards: ${path} has ${counted(count, "inner chunk")} in a shard: an index of ${size(indexBytes(array))} comes before the first`,
        "wazarr copy writes smaller --shards, or larger --chunks",
      ),
    );
  return found;
}
