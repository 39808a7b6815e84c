/** The chunks of one shard, read in batches that one request can bring. */
import { noItem } from "../../base/at.js";
import { dueTurn } from "../../base/turns.js";
import type { ChunkLocation, ShardLayout } from "../../core/codecs/pipeline.js";
import type { ShardIndex } from "../../core/codecs/sharding/index-table.js";
import type { Extent } from "../../core/stores/keys-and-ranges.js";
import type { DimensionSelection } from "../../grid/selection.js";
import type { ChunkDecoder, ChunkValue, ResultWindow } from "../assembler.js";
import { assemblerFor } from "../band-assembler.js";
import type { BandPlan, ChunkProjection } from "../bands.js";
import { settleAll } from "../concurrency.js";
import { moment } from "../exchange.js";
import type { PreparedArray } from "../prepared.js";
import { withRowViewCache } from "../row-views.js";
import { bandLoops, type ChunkSource, type LaterChunks } from "../run.js";
import type { ByteBudget } from "./byte-budget.js";
import { innerLocation } from "./inner-location.js";
import { checkLength, extentOf } from "./read-index.js";
import type { ShardSource } from "./source.js";
import type { Requests } from "./store-source.js";

/** Most loops of one shard: while one batch is decoded, others arrive. */
const LOOPS = 4;

/** The selected part of one shard, and its place in the result. */
export interface ShardPart {
  readonly layout: ShardLayout;
  readonly selection: readonly DimensionSelection[];
  readonly plan: BandPlan;
  readonly window: ResultWindow;
  readonly at: ChunkLocation;
}

/** A shard that is there. */
export interface IndexedShard {
  readonly source: ShardSource;
  readonly index: ShardIndex;
}

/**
 * Reads the selected inner chunks of a shard into its window.
 * @param shard undefined if the shard is missing, and all of it is the fill value
 * @param budget limits the encoded bytes under way; undefined if the caller holds them already
 */
export async function readInnerChunks(
  array: PreparedArray,
  part: ShardPart,
  shard: IndexedShard | undefined,
  { signal, coalesce }: Requests,
  budget?: ByteBudget,
): Promise<void> {
  const { layout, selection, plan, at } = part;
  const { kernels, fillPattern, remote } = array;
  const { inner } = layout;
  const decoder: ChunkDecoder = { pipeline: inner, kernels, fillPattern };
  const window = withRowViewCache(part.window, decoder);
  const assembler = await assemblerFor(decoder, selection, window);
  const check = (): void => signal.throwIfAborted();
  const target = { assembler, selection, window, pipeline: inner, kernels, remote, check };
  const locate = (chunk: ChunkProjection): ChunkLocation => innerLocation(layout, chunk, at);
  const source = shard
    ? innerChunks(array, layout, shard, locate, coalesce.maximumSize)
    : missingChunks(locate);
  // Indexes that arrive together have all these shards begin in one turn.
  for (let turn = dueTurn(); turn; turn = dueTurn()) await turn;
  check();
  const loop = bandLoops(plan, source, target);
  if (budget === undefined) return loop();
  // Decoded lengths, because encoded ones are not known yet: encoding mostly makes chunks shorter.
  const all = plan.chunkCount * inner.byteLength;
  const most = Math.max(coalesce.maximumSize, plan.chunksPerBand * inner.byteLength);
  const loops = Math.max(1, Math.min(LOOPS, Math.ceil(all / most)));
  await settleAll(Array.from({ length: loops }, () => budget.hold(Math.min(all, most), loop)));
}

/** The inner chunks of a shard that is missing: all of them are. */
function missingChunks(locate: ChunkSource["locate"]): ChunkSource {
  return {
    locate,
    openNow: () => ({ read: () => undefined, close() {} }),
    isLending: false,
  };
}

/** @param batchBytes most bytes that are requested together */
function innerChunks(
  { kernels }: PreparedArray,
  layout: ShardLayout,
  { source, index }: IndexedShard,
  locate: ChunkSource["locate"],
  batchBytes: number,
): ChunkSource {
  const { inner } = layout;
  const extent = (chunk: ChunkProjection): Extent | undefined => extentOf(layout, index, chunk);
  const later: LaterChunks = {
    batchBytes,
    byteLengthOf: ({ chunks }) => chunks.reduce((sum, chunk) => sum + (extent(chunk)?.length ?? 0), 0),

    async request(bands, { lease, workers }) {
      const present = bands.flatMap((band) => {
        const asynchronous = workers.has(band) ? undefined : inner.asynchronous;
        return band.chunks.flatMap((chunk) => {
          const own = extent(chunk);
          return own === undefined ? [] : { chunk, extent: own, asynchronous };
        });
      });
      const values = new Map<ChunkProjection, ChunkValue>();
      if (present.length > 0 && lease !== undefined) {
        const extents = present.map((each) => each.extent);
        const parts = await source.parts(extents, lease);
        await Promise.all(
          present.map(async ({ chunk, extent: own, asynchronous }, i) => {
            const part = parts[i] ?? noItem(parts, i);
            const at = locate(chunk);
            checkLength(part, own, at);
            values.set(chunk, asynchronous ? await asynchronous.decode(part, kernels, at) : part);
          }),
        );
      }
      return bands.map(({ chunks }) => chunks.map((chunk) => values.get(chunk)));
    },

    async readByWorker({ chunks }, worker, { selection, window }) {
      const extents = chunks.map(extent);
      if (extents.every((each) => each === undefined)) return false;
      const parts = source.stored(extents);
      const asked = moment();
      if (parts === undefined || !(await worker.readParts(parts, selection, window, locate))) return false;
      // Workers read only this version.
      source.freshness.agree({ version: parts.version }, asked);
      return true;
    },
  };
  // What answers at once is read across shards: open-shards.ts.
  return { locate, later, isLending: true };
}
