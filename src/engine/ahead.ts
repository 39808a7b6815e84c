/**
 * Requests of a first read that begin while the code of the array's codecs is on its way: for chunks, or for the indexes of shards. Behind a
 * slow link such a read waits one round trip less.
 */

import { indexPlace, innerChunkShape } from "../codecs/sharding/layout.js";
import { chunkKey } from "../grid/chunk-grid.js";
import type { BasicSelection } from "../grid/selection.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { chunkPrefix } from "../metadata/path.js";
import { product } from "../shape.js";
import { ignoredRanges } from "../stores/keys-and-ranges.js";
import { placeOf } from "../stores/storage-identity.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import { type ChunkProjection, eachChunk, planBands } from "./bands.js";
import { type Concurrency, requestsAtOnce } from "./concurrency.js";
import type { ReadOptions } from "./prepared.js";
import { AnswersAhead } from "./shards/freshness.js";
import { indexesOf } from "./shards/index-cache.js";
import { sharedGets } from "./shared-gets.js";

/** Encoded bytes for one decoded, before the codecs are known, which say it better; and of chunks whose elements may be of any length. */
const ROOM = 16;
const SMALLEST = 1 << 20;
const LARGEST = 1 << 30;

interface Unprepared {
  readonly store: Store;
  readonly path: AbsolutePath;
  readonly metadata: ArrayMetadata;
}

interface Ahead {
  /** Indexes of shards, for the read to take. */
  readonly answers?: AnswersAhead;
  /** To be called when the read has ended: until then it finds the answers. */
  release(): void;
}

const NOTHING: Ahead = { release() {} };

/** Asks for the first chunks of a selection, as many as a read has under way at once; of shards for their indexes, where parts of them are selected. */
export function askAhead(
  { store, path, metadata }: Unprepared,
  { dimensions }: BasicSelection,
  options: Concurrency & Pick<ReadOptions, "priority">,
): Ahead {
  const { chunkGrid, chunkKeyEncoding, dataType, zarrFormat } = metadata;
  const shared = sharedGets(store);
  // The draft's key of a scalar is not known before one is read. Where it pays, stores with `getRangeInto` are asked for parts of chunks.
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
  if (place === undefined || getRange === undefined || ignoredRanges.has(placeOf(store))) return NOTHING;
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

  /** Whether some inner chunk is not wanted: a shard of which all are may be asked for whole, without its index. */
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
