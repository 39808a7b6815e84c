/**
 * The inner chunks of several shards, read while the store answers at once: a shard is a store over a store,
 * and bands run across shards as across chunks. So a band is contiguous in the result where the selection is,
 * and short inner chunks that are neighbours in a shard come in one read.
 *
 * Stores that answer later are read shard by shard (requested-shards.ts): there a shard is what requests are
 * merged in.
 */
import { at, noItem } from "../../base/at.js";
import { isZarrError } from "../../base/errors.js";
import type { ChunkLocation, ShardLayout } from "../../core/codecs/pipeline.js";
import type { ShardIndex } from "../../core/codecs/sharding/index-table.js";
import type { Extent } from "../../core/stores/keys-and-ranges.js";
import { type CoalesceOptions, mergeExtents } from "../../core/stores/merged-requests.js";
import type { OpenValue } from "../../core/stores/store.js";
import type { DimensionSelection } from "../../grid/selection.js";
import { offsetOf, type ResultWindow } from "../assembler.js";
import { assemblerFor } from "../band-assembler.js";
import { type Band, type BandPlan, type ChunkProjection, planBands, planShard } from "../bands.js";
import { Lease, ownMemory } from "../buffers.js";
import type { PreparedArray, ValueLocation } from "../prepared.js";
import { withRowViewCache } from "../row-views.js";
import { bandLoops, type ChunkSource, type OpenChunks } from "../run.js";
import { ShardChanged } from "./freshness.js";
import { innerLocation } from "./inner-location.js";
import { checkLength, keepIndex, knownIndex } from "./read-index.js";
import { type Requests, StoreSource } from "./store-source.js";

/**
 * Most shards that are open at once: a process may have some thousand files. One that is opened again has to
 * be of the same version.
 */
const MOST_OPEN = 64;
/** Longer inner chunks are read by themselves, into the arena, where they are decoded while in a cache. */
const LONGEST_TOGETHER = 64 << 10;
/**
 * At most what is read together: a read takes 4 us, in which the page cache gives more than such a gap; half
 * of a second-level cache.
 */
const TOGETHER: CoalesceOptions = { maximumGap: 8 << 10, maximumSize: 256 << 10 };
/** Most bytes of a band that are read together; the inner chunks of other bands are read one by one. */
const MOST_TOGETHER = 8 << 20;

/**
 * Thrown when the store does not answer at once any more: one object, because a stack costs more than a read.
 */
const answersLater = new Error("the store answers later");

interface OpenShard {
  readonly at: ValueLocation;
  readonly source: StoreSource;
  /** Undefined if it was closed since, and if the shard is missing. */
  value: OpenValue | undefined;
  /** Undefined if the shard is missing. */
  readonly index: ShardIndex | undefined;
}

/**
 * Reads the selected part of a box of shards.
 * @param group the shards: a band of the plan of `selected`
 * @returns false if they have to be read in another way; parts of the window may be written by then
 */
export async function readOpenShards(
  array: PreparedArray,
  layout: ShardLayout,
  group: Band,
  selected: readonly DimensionSelection[],
  given: ResultWindow,
  requests: Requests,
  began: number,
): Promise<boolean> {
  const { kernels, fillPattern } = array;
  const { inner } = layout;
  const { selection, plan } = planGroup(group, selected, layout, array.metadata.dataType.itemSize);
  const offset = given.offset + offsetOf(startOf(group), given.strides);
  const decoder = { pipeline: inner, kernels, fillPattern };
  const window = withRowViewCache({ ...given, offset }, decoder);
  const made = assemblerFor(decoder, selection, window);
  const assembler = made instanceof Promise ? await made : made;
  const shards = new OpenShards(array, layout, requests, began);
  const check = (): void => requests.signal.throwIfAborted();
  const target = { assembler, selection, window, pipeline: inner, kernels, check };
  try {
    await bandLoops(plan, shards, target)();
    return true;
  } catch (error) {
    const isStale = shards.isDoubtful && isZarrError(error, "CodecError", "StoreError");
    if (error === answersLater || error instanceof ShardChanged || isStale) return false;
    throw error;
  } finally {
    shards.close();
  }
}

/** Where the box of a group begins in the result. */
function startOf({ chunks }: Band): readonly number[] {
  return at(chunks, 0).parts.map(({ target }) => target);
}

/** Cuts the selected part of a group at the boundaries of inner chunks, whose coordinates are the array's. */
function planGroup(
  group: Band,
  selected: readonly DimensionSelection[],
  { innerShape, gridShape }: ShardLayout,
  itemSize: number,
): { readonly selection: readonly DimensionSelection[]; readonly plan: BandPlan } {
  const shard = at(group.chunks, 0);
  if (shard.picked === undefined) {
    const start = startOf(group);
    const selection = selected.map((one, d) => {
      const first = start[d] ?? noItem(start, d);
      const count = group.shape[d] ?? noItem(group.shape, d);
      return { ...one, start: one.start + first * one.step, count };
    });
    return { selection, plan: planBands(selection, innerShape, itemSize) };
  }
  // Every shard is a group.
  const { selection, plan } = planShard(shard, selected, innerShape, itemSize);
  const first = shard.chunk.map((index, d) => index * (gridShape[d] ?? noItem(gridShape, d)));
  const inArray = ({ chunk, ...rest }: ChunkProjection): ChunkProjection => ({
    ...rest,
    chunk: chunk.map((index, d) => index + (first[d] ?? noItem(first, d))),
  });
  const band = (index: number): Band => {
    const { chunks, ...box } = plan.band(index);
    return { ...box, chunks: chunks.map(inArray) };
  };
  return { selection, plan: { ...plan, band } };
}

class OpenShards implements ChunkSource {
  readonly isLending = true;
  readonly #array: PreparedArray;
  readonly #layout: ShardLayout;
  readonly #requests: Requests;
  readonly #began: number;
  /** By coordinates. */
  readonly #shards = new Map<string, OpenShard>();
  /** The open ones of `#shards`, the one that was opened last at the end. */
  readonly #open = new Set<OpenShard>();
  /** The chunks of the band that is read, with the bytes of those that were read together. */
  readonly #together = new Map<ChunkProjection, Uint8Array | undefined>();
  /** Memory for these bytes. */
  readonly #lease = new Lease();
  /** The shard of the last chunk, and its coordinates: neighbours in a band are mostly of one shard. */
  #last: { readonly place: readonly number[]; readonly shard: OpenShard } | undefined;

  constructor(array: PreparedArray, layout: ShardLayout, requests: Requests, began: number) {
    this.#array = array;
    this.#layout = layout;
    this.#requests = requests;
    this.#began = began;
  }

  /** Whether an error may come from an outdated index, because the store tells no versions. */
  get isDoubtful(): boolean {
    for (const { source } of this.#shards.values()) if (source.freshness.isDoubtful) return true;
    return false;
  }

  close(): void {
    this.#lease.release();
    for (const shard of this.#open) shard.value?.close();
    this.#open.clear();
  }

  locate = (chunk: ChunkProjection): ChunkLocation => {
    const { at } = this.#shardOf(chunk.chunk);
    if (at.firstInner !== undefined) return innerLocation(this.#layout, this.#within(chunk), at);
    return { key: at.key, chunk: chunk.chunk, maximumDecodedBytes: at.maximumDecodedBytes };
  };

  openNow(band: Band): OpenChunks {
    const [first] = band.chunks;
    // The rest of a band that a turn of the event loop has split is there already.
    if (first !== undefined && !this.#together.has(first)) this.#readTogether(band);
    return {
      read: (chunk, at, allocate) => {
        const extent = this.#extentOf(chunk);
        if (extent === undefined) return undefined;
        const bytes =
          this.#together.get(chunk) ?? this.#valueOf(this.#shardOf(chunk.chunk)).read(extent, allocate);
        checkLength(bytes, extent, at);
        return bytes;
      },
      close() {},
    };
  }

  /** Reads what is short of a band, by shard, in few reads. */
  #readTogether(band: Band): void {
    this.#lease.release();
    this.#together.clear();
    if (band.chunks.length === 1) return;
    const wanted = new Map<OpenShard, { readonly chunks: ChunkProjection[]; readonly extents: Extent[] }>();
    let byteLength = 0;
    for (const chunk of band.chunks) {
      this.#together.set(chunk, undefined);
      const extent = this.#extentOf(chunk);
      if (extent === undefined || extent.length > LONGEST_TOGETHER) continue;
      byteLength += extent.length;
      const shard = this.#shardOf(chunk.chunk);
      let list = wanted.get(shard);
      if (list === undefined) {
        list = { chunks: [], extents: [] };
        wanted.set(shard, list);
      }
      list.chunks.push(chunk);
      list.extents.push(extent);
    }
    if (byteLength > MOST_TOGETHER) return;
    const { coalesce } = this.#requests;
    const limits = {
      maximumGap: Math.min(coalesce.maximumGap, TOGETHER.maximumGap),
      maximumSize: Math.min(coalesce.maximumSize, TOGETHER.maximumSize),
    };
    for (const [shard, { chunks, extents }] of wanted) {
      const value = this.#valueOf(shard);
      const { merged, place } = mergeExtents(extents, limits);
      const parts = merged.map((extent) => value.read(extent, this.#lease.allocate));
      for (const [i, chunk] of chunks.entries()) {
        const { request, start } = place[i] ?? noItem(place, i);
        const part = parts[request] ?? noItem(parts, request);
        const { length } = extents[i] ?? noItem(extents, i);
        this.#together.set(chunk, part.subarray(start, start + length));
      }
    }
  }

  /** Where an inner chunk is in its shard, by coordinates. */
  #within({ chunk }: ChunkProjection): Pick<ChunkProjection, "chunk"> {
    const { gridShape } = this.#layout;
    return { chunk: chunk.map((index, d) => index % (gridShape[d] ?? noItem(gridShape, d))) };
  }

  #extentOf({ chunk }: ChunkProjection): Extent | undefined {
    const { index } = this.#shardOf(chunk);
    if (index === undefined) return undefined;
    const { gridShape, gridStrides } = this.#layout;
    let position = 0;
    for (let d = 0; d < chunk.length; d++) {
      const inShard = (chunk[d] ?? noItem(chunk, d)) % (gridShape[d] ?? noItem(gridShape, d));
      position += inShard * (gridStrides[d] ?? noItem(gridStrides, d));
    }
    const length = index.lengths[position] ?? noItem(index.lengths, position);
    return length < 0
      ? undefined
      : { offset: index.offsets[position] ?? noItem(index.offsets, position), length };
  }

  #shardOf(chunk: readonly number[]): OpenShard {
    const { gridShape } = this.#layout;
    const last = this.#last;
    if (last !== undefined) {
      let d = 0;
      while (
        d < chunk.length &&
        Math.floor((chunk[d] ?? noItem(chunk, d)) / (gridShape[d] ?? noItem(gridShape, d))) === last.place[d]
      )
        d++;
      if (d === chunk.length) return last.shard;
    }
    const place = chunk.map((index, d) => Math.floor(index / (gridShape[d] ?? noItem(gridShape, d))));
    const name = place.join();
    let shard = this.#shards.get(name);
    if (shard === undefined) {
      shard = this.#find(place);
      this.#shards.set(name, shard);
    }
    this.#last = { place, shard };
    return shard;
  }

  #find(place: readonly number[]): OpenShard {
    const at = this.#array.locate(place);
    const source = new StoreSource(at.key, this.#requests, this.#began);
    const value = source.openNow();
    if (value === "later") throw answersLater;
    if (value === undefined) return { at, source, value, index: undefined };
    const shard = { at, source, value, index: this.#indexOf(source, value, at) };
    this.#keep(shard);
    return shard;
  }

  #indexOf(source: StoreSource, value: OpenValue, at: ValueLocation): ShardIndex {
    const { indexByteLength: length, indexLocation } = this.#layout;
    try {
      const known = knownIndex(source);
      if (known !== undefined) return known;
      const range = indexLocation === "start" ? { offset: 0, length } : { suffixLength: length };
      const { asked = this.#began } = source.freshness;
      return keepIndex(this.#layout, source, value.read(range, ownMemory), asked, at, this.#array);
    } catch (error) {
      value.close();
      throw error;
    }
  }

  #keep(shard: OpenShard): void {
    this.#open.add(shard);
    if (this.#open.size <= MOST_OPEN) return;
    for (const oldest of this.#open) {
      oldest.value?.close();
      oldest.value = undefined;
      this.#open.delete(oldest);
      return;
    }
  }

  #valueOf(shard: OpenShard): OpenValue {
    if (shard.value !== undefined) return shard.value;
    const value = shard.source.openNow();
    if (value === "later") throw answersLater;
    if (value === undefined) throw new ShardChanged();
    shard.value = value;
    this.#keep(shard);
    return value;
  }
}
