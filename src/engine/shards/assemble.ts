/** Puts the bands of one shard together, as many at a time as there is room for their encoded bytes. */
import type { ChunkLocation, ShardLayout } from "../../codecs/codec.js";
import { damaged, type ShardIndex } from "../../codecs/sharding/index-table.js";
import type { DimensionSelection } from "../../indexing/selection.js";
import type { Extent } from "../../stores/coalesce.js";
import { assemblerFor, type ResultWindow } from "../assembler.js";
import type { Band, BandPlan, ChunkProjection } from "../bands.js";
import type { PreparedArray } from "../prepared.js";
import { Lease } from "./buffers.js";
import { extentOf, innerLocation } from "./locate.js";
import type { ShardSource } from "./source.js";

/** Encoded bytes held for one shard while its bands are put together. */
export const BATCH_BYTES = 32 << 20;

/** What is selected of one shard, and where it goes. */
export interface ShardPart {
  readonly layout: ShardLayout;
  readonly selection: readonly DimensionSelection[];
  readonly plan: BandPlan;
  readonly window: ResultWindow;
  readonly at: ChunkLocation;
}

interface OpenShard {
  readonly source: ShardSource;
  readonly index: ShardIndex;
}

/** @param shard undefined: there is none, and everything is the fill value */
export async function assembleBands(
  array: PreparedArray,
  { layout, selection, plan, window, at }: ShardPart,
  shard: OpenShard | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { kernels, fillPattern } = array;
  const assembler = assemblerFor({ pipeline: layout.inner, kernels, fillPattern }, selection, window);
  let batch: Band[] = [];
  let held = 0;
  const flush = async (): Promise<void> => {
    const lease = new Lease();
    try {
      const values = shard && (await valuesOf(array, layout, shard, batch, at, lease));
      signal.throwIfAborted();
      for (const band of batch) {
        const open = assembler.open(band);
        for (const chunk of band.chunks) {
          assembler.place(open, chunk, values?.get(chunk), innerLocation(layout, chunk, at));
        }
        assembler.close(open);
      }
    } finally {
      lease.release();
    }
    batch = [];
    held = 0;
  };
  for (const band of plan.bands()) {
    batch.push(band);
    for (const chunk of band.chunks) held += (shard && extentOf(layout, shard.index, chunk)?.length) ?? 0;
    if (held >= BATCH_BYTES) await flush();
  }
  await flush();
}

/** Encoded bytes of the inner chunks of some bands, decoded as far as that is asynchronous. */
async function valuesOf(
  { kernels }: PreparedArray,
  layout: ShardLayout,
  { source, index }: OpenShard,
  bands: readonly Band[],
  at: ChunkLocation,
  lease: Lease,
): Promise<Map<ChunkProjection, Uint8Array>> {
  const values = new Map<ChunkProjection, Uint8Array>();
  const present: { chunk: ChunkProjection; extent: Extent }[] = [];
  for (const { chunks } of bands) {
    for (const chunk of chunks) {
      const extent = extentOf(layout, index, chunk);
      if (extent !== undefined) present.push({ chunk, extent });
    }
  }
  if (present.length === 0) return values;
  const parts = await source.parts(
    present.map(({ extent }) => extent),
    lease,
  );
  const { inner } = layout;
  await Promise.all(
    present.map(async ({ chunk, extent }, i) => {
      const part = parts[i];
      const location = innerLocation(layout, chunk, at);
      if (part?.length !== extent.length) {
        throw damaged(
          `expected ${extent.length} bytes at ${extent.offset} of the shard, got ${part?.length ?? 0}: it is truncated or changed`,
          location,
        );
      }
      values.set(chunk, inner.asynchronous ? await inner.decodeAhead(part, kernels, location) : part);
    }),
  );
  return values;
}
