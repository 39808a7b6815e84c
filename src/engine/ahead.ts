/**
 * Sends the first requests of a read while the code of the array's codecs is loading: for chunks, or for the indexes of shards. On a
 * slow link such a read waits one round trip less.
 */

import { indexPlace, innerChunkShape } from "../codecs/sharding/layout.js";
import { chunkKey } from "../grid/chunk-key.js";
import type { BasicSelection } from "../grid/selection.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { chunkPrefix } from "../metadata/path.js";
import { product } from "../shape.js";
import { ignoredRanges } from "../stores/keys-and-ranges.js";
import { storageOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import { type ChunkProjection, eachChunk, planBands } from "./bands.js";
import { type Concurrency, requestsAtOnce } from "./concurrency.js";
import type { ReadOptions } from "./prepared.js";
import { AnswersAhead } from "./shards/freshness.js";
import { indexesOf } from "./shards/index-cache.js";
import { sharedGets } from "./shared-gets.js";

/** Limits of a value's length before the codecs are known: encoded bytes for each decoded byte, and limits for elements of variable length. */
const ROOM = 16;
const SMALLEST = 1 << 20;
const LARGEST = 1 << 30;

interface Unprepared {
  readonly store: Store;
  readonly path: AbsolutePath;
  readonly metadata: ArrayMetadata;
}

interface Ahead {
  /** Answers with indexes of shards; the read takes them. */
  readonly answers?: AnswersAhead;
  /** Drops the answers. Called when the read has ended. */
  release(): void;
}

const NOTHING: Ahead = { release() {} };

/** Requests the first chunks of a selection, up to the concurrency of the read. Of shards that are selected in part it requests the indexes. */
export function askAhead(
  { store, path, metadata }: Unprepared,
  { dimensions }: BasicSelection,
  options: Concurrency & Pick<ReadOptions, "priority">,
): Ahead {
  const { chunkGrid, chunkKeyEncoding, dataType, zarrFormat } = metadata;
  const shared = sharedGets(store);
  // The draft's key of a scalar is not known before a chunk is read. Stores with `getRangeInto` may be asked for parts of chunks instead.
  const isKnown = chunkGrid.name === "regular" && zarrFormat !== "draft" && store.getRangeInto === undefined;
  if (shared === undefined || !isKnown) return NOTHING;
  const { chunkShape } = chunkGrid;
  const { itemSize } = dataType;
  const prefix = chunkPrefix(path, zarrFormat);
  const plan = planBands(dimensions, chunkShape, itemSize);
  const innerShape = innerChunkShape(metadata);
  const byteLength = product(chunkShape, itemSize);
  const maximumBytes = byteLength > 0 ? ROOM * byteLength + SMALLEST : LARGEST;
  if (innerShape === undefined) {
    const release = shared.ahead(
      firstKeys(requestsAtOnce(options, byteLength), () => true),
      maximumBytes,
      options.priority,
    );
    return { release };
  }
  const place = indexPlace(metadata, chunkShape, innerShape);
  const { getRange } = store;
  if (place === undefined || getRange === undefined || ignoredRanges.has(storageOf(store))) return NOTHING;
  const answers = new AnswersAhead(store, options.priority);
  const indexes = indexesOf(store);
  for (const key of firstKeys(options.concurrency, isPartial)) {
    if (indexes.find(key, {}) === undefined) answers.ask(key, place, maximumBytes);
  }
  return { answers, release: () => answers.release() };

  function* firstKeys(most: number, isWanted: (chunk: ChunkProjection) => boolean): Generator<AbsolutePath> {
    let left = most;
    for (const each of eachChunk(plan)) {
      if (left-- <= 0) return;
      if (isWanted(each)) yield `${prefix}${chunkKey(chunkKeyEncoding, each.chunk)}`;
    }
  }

  /** Whether some inner chunk is not selected. A shard that is selected completely may be requested whole, without its index. */
  function isPartial({ parts }: ChunkProjection): boolean {
    return parts.some(({ source, count }, d) => {
      const { step } = dimensions[d] ?? { step: 1 };
      const length = chunkShape[d] ?? 1;
      const inner = innerShape?.[d] ?? length;
      const end = source + (count - 1) * step;
      const between = Math.abs(Math.floor(end / inner) - Math.floor(source / inner));
      const touched = Math.abs(step) > inner ? count : between + 1;
      return touched * inner < length;
    });
  }
}
