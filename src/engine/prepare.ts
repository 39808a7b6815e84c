/** Prepares an array: its codecs loaded and checked, and where its chunks are. */

import { preparePipeline } from "../codecs/prepare-pipeline.js";
import { innerChunkShape } from "../codecs/sharding/layout.js";
import { fillPattern } from "../data-types/data-type.js";
import { chunkKey } from "../grid/chunk-grid.js";
import type { BasicSelection } from "../grid/selection.js";
import { loadKernels } from "../kernels/load.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { chunkPrefix } from "../metadata/path.js";
import { product } from "../shape.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import { type BandPlan, eachBand, planBands } from "./bands.js";
import { type Concurrency, requestsAtOnce } from "./concurrency.js";
import type { PreparedArray, ReadOptions } from "./prepared.js";
import { sharedGets } from "./shared-gets.js";

export async function prepareArray(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  if (metadata.chunkGrid.name !== "regular") {
    return (await import("./rectilinear/prepare.js")).prepareRectilinear(store, prefix, metadata);
  }
  const kernels = await loadKernels();
  return {
    store,
    sharedGet: sharedGets(store)?.get,
    metadata,
    kernels,
    pipeline: await preparePipeline(metadata, kernels),
    fillPattern: fillPattern(metadata.dataType, metadata.fillValue),
    locate: (chunk) => ({ key: `${prefix}${chunkKey(metadata.chunkKeyEncoding, chunk)}`, chunk }),
  };
}

// Chunks that are asked for while the code of an array's codecs is on its way: behind a slow link the first read waits for one of them less.
/** Encoded bytes for one decoded, before the codecs are known, which say it better; and of chunks whose elements may be of any length. */
const ROOM = 16;
const SMALLEST = 1 << 20;
const LARGEST = 1 << 30;

interface Unprepared {
  readonly store: Store;
  readonly path: AbsolutePath;
  readonly metadata: ArrayMetadata;
}

/**
 * Asks for the first chunks of a selection, as many as a read has under way at once; for none of arrays in shards, whose index says what
 * there is to ask for.
 * @returns what is to be called when the read has ended: until then it finds the answers
 */
export function askAhead(
  { store, path, metadata }: Unprepared,
  { dimensions }: BasicSelection,
  options: Concurrency & Pick<ReadOptions, "priority">,
): () => void {
  const { chunkGrid, chunkKeyEncoding, dataType, zarrFormat } = metadata;
  const shared = sharedGets(store);
  // The draft's key of a scalar is not known before one is read.
  const isKnown = chunkGrid.name === "regular" && !innerChunkShape(metadata) && zarrFormat !== "draft";
  // Where it pays, those are asked for parts of chunks.
  const isWhole = store.getRangeInto === undefined;
  if (shared === undefined || !isKnown || !isWhole) return () => {};
  const { chunkShape } = chunkGrid;
  const prefix = chunkPrefix(path, zarrFormat);
  const byteLength = product(chunkShape, dataType.itemSize);
  const most = requestsAtOnce(options, byteLength);
  const plan = planBands(dimensions, chunkShape, dataType.itemSize);
  const maximumBytes = byteLength > 0 ? ROOM * byteLength + SMALLEST : LARGEST;
  return shared.ahead(firstKeys(plan), maximumBytes, options.priority);

  function* firstKeys(plan: BandPlan): Generator<AbsolutePath> {
    let left = most;
    for (const { chunks } of eachBand(plan)) {
      for (const { chunk } of chunks) {
        if (left-- === 0) return;
        yield `${prefix}${chunkKey(chunkKeyEncoding, chunk)}`;
      }
    }
  }
}
