/**
 * Sends the first requests of a read while the code of the array's codecs is loading: for chunks, or for the
 * indexes of shards. On a slow link such a read waits one round trip less.
 */
import { numberAt } from "../../base/at.js";
import { product } from "../../base/shape.js";
import type { DimensionProjection } from "../../grid/projection.js";
import type { BasicSelection } from "../../grid/selection.js";
import { advance } from "../../grid/walk.js";
import { chunkKeysOf } from "../../metadata/chunk-key-encodings.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import { chunkPrefix } from "../../metadata/path.js";
import { indexPlace, innerChunkShape } from "../codecs/sharding/document.js";
import { ignoredRanges } from "../stores/keys-and-ranges.js";
import { storageOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import { valuesOf } from "../stores/values.js";
import { knownIndexes } from "./known-indexes.js";
import { cutSelection } from "./plan.js";
import type { Concurrency } from "./shared/concurrency.js";
import { exchangesOf } from "./shared/exchange.js";
import { requestsAtOnce } from "./shared/held-bytes.js";
import type { ReadOptions } from "./shared/options.js";

/**
 * Limits of a value's length before the codecs are known: encoded bytes for each decoded byte, and limits for
 * elements of variable length.
 */
const ROOM = 16;
const SMALLEST = 1 << 20;
const LARGEST = 1 << 30;

/** What is selected of one chunk, by dimension. */
type Parts = readonly DimensionProjection[];

interface Unprepared {
  readonly store: Store;
  readonly path: AbsolutePath;
  readonly metadata: ArrayMetadata;
}

interface Ahead {
  /** Drops the answers. Called when the read has ended. */
  release(): void;
}

/**
 * Requests the first chunks of a selection, up to the concurrency of the read. Of shards that are selected in
 * part it requests the indexes.
 */
export function askAhead(
  { store, path, metadata }: Unprepared,
  { dimensions }: BasicSelection,
  options: Concurrency & Pick<ReadOptions, "priority">,
): Ahead {
  const { chunkGrid, chunkKeyEncoding, dataType, zarrFormat } = metadata;
  const exchanges = exchangesOf(store);
  // The draft's key of a scalar is not known before a chunk is read.
  const isKnown = chunkGrid.name === "regular" && zarrFormat !== "draft";
  if (!exchanges.sharesValues || !isKnown) return { release() {} };
  const { chunkShape } = chunkGrid;
  const { itemSize } = dataType;
  const prefix = chunkPrefix(path, zarrFormat);
  const cut = cutSelection(dimensions, chunkShape);
  const innerShape = innerChunkShape(metadata);
  const byteLength = product(chunkShape, itemSize);
  const maximumBytes = byteLength > 0 ? ROOM * byteLength + SMALLEST : LARGEST;
  const { priority } = options;
  const drops: (() => void)[] = [];
  if (innerShape === undefined) {
    for (const key of firstKeys(requestsAtOnce(options, byteLength), () => true))
      drops.push(exchanges.ahead(key, undefined, { priority, maximumBytes }));
  } else {
    const place = indexPlace(metadata, chunkShape, innerShape);
    const isRead = place !== undefined && valuesOf(store).readsRanges && !ignoredRanges.has(storageOf(store));
    for (const key of isRead ? firstKeys(options.concurrency, isPartial) : [])
      if (!knownIndexes(store)?.has(key)) drops.push(exchanges.ahead(key, place, { priority, maximumBytes }));
  }
  return {
    release() {
      for (const drop of drops) drop();
    },
  };

  function* firstKeys(most: number, isWanted: (parts: Parts) => boolean): Generator<AbsolutePath> {
    const keys = chunkKeysOf(chunkKeyEncoding, chunkShape.length);
    const lengths = cut.map(({ length }) => length);
    if (lengths.includes(0)) return;
    const place = lengths.map(() => 0);
    let left = most;
    do {
      if (left-- <= 0) return;
      const parts = cut.map((dimension, d) => dimension.at(numberAt(place, d)));
      if (isWanted(parts)) yield `${prefix}${keys.keyOf(parts.map(({ chunk }) => chunk))}`;
    } while (advance(place, lengths) >= 0);
  }

  /**
   * Whether some inner chunk is not selected. A shard that is selected completely may be requested whole,
   * without its index.
   */
  function isPartial(parts: Parts): boolean {
    return parts.some(({ source, count, step }, d) => {
      const length = numberAt(chunkShape, d);
      const inner = innerShape?.[d] ?? length;
      const end = source + (count - 1) * step;
      const between = Math.abs(Math.floor(end / inner) - Math.floor(source / inner));
      const touched = Math.abs(step) > inner ? count : between + 1;
      return touched * inner < length;
    });
  }
}
