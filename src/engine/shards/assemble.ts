/** Assembles the bands of one shard, in batches that one request can bring. */
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import type { ShardIndex } from "../../codecs/sharding/index-table.js";
import type { DimensionSelection } from "../../grid/selection.js";
import type { Extent } from "../../stores/keys-and-ranges.js";
import { type Assembler, assembleBand, type ChunkDecoder, type ResultWindow } from "../assembler.js";
import { assemblerFor } from "../band-assembler.js";
import { type Band, type BandPlan, type ChunkProjection, eachBand } from "../bands.js";
import { createTurns, settleAll } from "../concurrency.js";
import type { PreparedArray, RemoteBand } from "../prepared.js";
import { knownRows } from "../rows.js";
import { Lease, type Room } from "./buffers.js";
import { moment } from "./freshness.js";
import { checkLength, extentOf, innerLocation, type ShardSource } from "./source.js";
import type { Requests } from "./store-source.js";

/** Most batches of one shard under way: while one is decoded, others arrive. */
const WORKERS = 4;

/** The selected part of one shard, and its place in the result. */
export interface ShardPart {
  readonly layout: ShardLayout;
  readonly selection: readonly DimensionSelection[];
  readonly plan: BandPlan;
  readonly window: ResultWindow;
  readonly at: ChunkLocation;
}

export interface OpenShard {
  readonly source: ShardSource;
  readonly index: ShardIndex;
}

/**
 * @param shard undefined if the shard is missing, and all of it is the fill value
 * @param room limits the encoded bytes under way; undefined if the caller holds them already
 */
export async function assembleBands(
  array: PreparedArray,
  part: ShardPart,
  shard: OpenShard | undefined,
  { signal, coalesce }: Requests,
  room?: Room,
): Promise<void> {
  const { layout, selection, plan, at } = part;
  const { kernels, fillPattern } = array;
  const { inner } = layout;
  const decoder: ChunkDecoder = { pipeline: inner, kernels, fillPattern };
  const window = knownRows(part.window, decoder);
  const assembler = await assemblerFor(decoder, selection, window);
  const locate = (chunk: ChunkProjection): ChunkLocation => innerLocation(layout, chunk, at);
  const flush = async (batch: readonly Band[]): Promise<void> => {
    const lease = new Lease();
    const pending: Promise<void>[] = [];
    try {
      const elsewhere = new Map<Band, RemoteBand>();
      for (const band of shard === undefined ? [] : batch) {
        const remote = array.remote?.open(layout.inner, band);
        if (remote !== undefined) elsewhere.set(band, remote);
      }
      const left = shard ? await readElsewhere(part, shard, batch, elsewhere, locate) : batch;
      const values = shard && (await valuesOf(array, layout, shard, left, elsewhere, at, lease));
      signal.throwIfAborted();
      for (const band of left) {
        const remote = elsewhere.get(band);
        const encoded = band.chunks.map((chunk) => values?.get(chunk));
        if (remote !== undefined && encoded.some((bytes) => bytes !== undefined)) {
          pending.push(remote.assemble(encoded, selection, window, locate));
          continue;
        }
        assembleBand(assembler, band, encoded, locate);
      }
      await Promise.all(pending);
    } finally {
      // The lease is released only when no worker reads its bytes any more.
      await Promise.allSettled(pending);
      lease.release();
    }
  };
  const turns = createTurns();
  const atOnce = shard !== undefined && isReadAtOnce(array, part);
  const bands = eachBand(plan);
  /** Several calls run at once and share the iterator of bands. After a failure, which closes it, the others find no more bands. */
  const work = async (): Promise<void> => {
    let batch: Band[] = [];
    let held = 0;
    for (const band of bands) {
      signal.throwIfAborted();
      if (atOnce && assembleAtOnce(array, { ...part, window }, shard, assembler, band, locate)) {
        const turn = turns();
        if (turn !== undefined) await turn;
        continue;
      }
      let length = 0;
      for (const chunk of band.chunks) length += (shard && extentOf(layout, shard.index, chunk)?.length) ?? 0;
      batch.push(band);
      held += length;
      // Assumes that the next band is as long as this one.
      if (held + length <= coalesce.maximumSize) continue;
      await flush(batch);
      batch = [];
      held = 0;
    }
    if (batch.length > 0) await flush(batch);
  };
  if (room === undefined) return work();
  // Decoded lengths, because encoded ones are not known yet: encoding mostly makes chunks shorter.
  const all = plan.chunkCount * inner.byteLength;
  const most = Math.max(coalesce.maximumSize, plan.chunksPerBand * inner.byteLength);
  const workers = Math.max(1, Math.min(WORKERS, Math.ceil(all / most)));
  await settleAll(Array.from({ length: workers }, () => room.hold(Math.min(all, most), work)));
}

/** Lets workers read and assemble bands, as far as they can. @returns the bands that are left */
async function readElsewhere(
  { layout, selection, window }: ShardPart,
  { source, index }: OpenShard,
  bands: readonly Band[],
  elsewhere: ReadonlyMap<Band, RemoteBand>,
  locate: (chunk: ChunkProjection) => ChunkLocation,
): Promise<readonly Band[]> {
  const reads = bands.map(async (band) => {
    const remote = elsewhere.get(band);
    const extents = band.chunks.map((chunk) => extentOf(layout, index, chunk));
    if (remote === undefined || extents.every((extent) => extent === undefined)) return false;
    const parts = source.stored(extents);
    const asked = moment();
    if (parts === undefined || !(await remote.readParts(parts, selection, window, locate))) return false;
    // Workers read only this version.
    source.freshness.agree({ version: parts.version }, asked);
    return true;
  });
  // After a failure the shard may be read again: by then no worker may still write bytes of the old version.
  const isRead = await settleAll(reads);
  return bands.filter((_, i) => !isRead[i]);
}

/** Reads the encoded inner chunks of some bands. Asynchronous decoders run here, except for bands of workers. */
async function valuesOf(
  { kernels }: PreparedArray,
  layout: ShardLayout,
  { source, index }: OpenShard,
  bands: readonly Band[],
  elsewhere: ReadonlyMap<Band, RemoteBand>,
  at: ChunkLocation,
  lease: Lease,
): Promise<Map<ChunkProjection, Uint8Array>> {
  const { inner } = layout;
  const values = new Map<ChunkProjection, Uint8Array>();
  const present: { chunk: ChunkProjection; extent: Extent; isAhead: boolean }[] = [];
  for (const band of bands) {
    const isAhead = inner.asynchronous && !elsewhere.has(band);
    for (const chunk of band.chunks) {
      const extent = extentOf(layout, index, chunk);
      if (extent !== undefined) present.push({ chunk, extent, isAhead });
    }
  }
  if (present.length === 0) return values;
  const parts = await source.parts(
    present.map(({ extent }) => extent),
    lease,
  );
  await Promise.all(
    present.map(async ({ chunk, extent, isAhead }, i) => {
      const part = parts[i] ?? new Uint8Array();
      const location = innerLocation(layout, chunk, at);
      checkLength(part, extent, location);
      values.set(chunk, isAhead ? await inner.decodeAhead(part, kernels, location) : part);
    }),
  );
  return values;
}

// For stores that answer at once: each inner chunk is read into the arena and decoded while it is in the second-level cache.
/** Limits of an inner chunk in bytes. Smaller ones are read together, to save calls; larger ones would hold up the event loop. */
const SMALLEST = 16 << 10;
const LARGEST = 16 << 20;

/** Whether inner chunks of a layout are read one by one into the arena, if the store can. */
export function isReadAtOnce({ remote }: PreparedArray, { layout: { inner } }: ShardPart): boolean {
  const { byteLength } = inner;
  return remote === undefined && !inner.asynchronous && byteLength >= SMALLEST && byteLength <= LARGEST;
}

/** @returns false, without doing anything, if the store does not answer at once */
function assembleAtOnce(
  { kernels }: PreparedArray,
  { layout, window }: ShardPart,
  { source, index }: OpenShard,
  assembler: Assembler,
  band: Band,
  locate: (chunk: ChunkProjection) => ChunkLocation,
): boolean {
  const value = source.openNow?.();
  if (value === undefined) return false;
  try {
    const open = assembler.open(band);
    for (const chunk of band.chunks) {
      const extent = extentOf(layout, index, chunk);
      const mark = kernels.mark();
      const bytes = extent && value.read(extent, window.allocate ?? kernels.allocate);
      const at = locate(chunk);
      if (extent !== undefined) checkLength(bytes, extent, at);
      assembler.place(open, chunk, bytes, at, mark);
    }
    assembler.close(open);
  } finally {
    value.close();
  }
  return true;
}
