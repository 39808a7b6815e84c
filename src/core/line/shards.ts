/**
 * A shard is a source of inner chunks over a source of shards. Where shards nest, this source is over itself.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html
 *
 * Another program may replace a shard while it is read, or after its index was read. So an index and the
 * bytes that it points to are of one version, or both are read again.
 */
import { noItem, numberAt } from "../../base/at.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { ShardLayout } from "../codecs/pipeline.js";
import { damaged } from "../codecs/sharding/index-table.js";
import { type Extent, sliceRange } from "../stores/keys-and-ranges.js";
import { type CoalesceOptions, mergeExtents } from "../stores/requests/merged-requests.js";
import type { Store } from "../stores/store.js";
import { after, each } from "./awaitable.js";
import { LARGEST_WHOLE } from "./plan.js";
import type {
  Awaitable,
  ChunkLocation,
  ChunkSource,
  Coordinates,
  Encoded,
  Memory,
  Parts,
  RangeQuery,
  Requests,
  Wanted,
} from "./ports.js";
import { Replaced } from "./requests.js";
import { CHANGED, extentOf, indexesOf, isOfVersion, type ShardIndexes, shardIndexes } from "./shard-index.js";

/**
 * What is read together of a shard that is near: a read of a file takes 4 us, in which the page cache gives
 * more than such a gap, and half of a second-level cache has room for the rest.
 */
const NEAR: CoalesceOptions = { maximumGap: 8 << 10, maximumSize: 256 << 10 };

/** @param depth how many shards are around these */
export function shardChunks(
  shards: ChunkSource,
  layout: ShardLayout,
  kernels: Kernels,
  store: Store,
  depth: number,
): ChunkSource {
  return new ShardChunks(shards, layout, shardIndexes(shards, layout, kernels, indexesOf(store), depth));
}

/** The wanted inner chunks of one shard, by their positions in what is wanted. */
interface Group {
  readonly shard: Coordinates;
  readonly positions: number[];
}

/** One call of `chunks`. */
interface Reading {
  readonly wanted: readonly Wanted[];
  readonly found: Encoded[];
  readonly requests: Requests;
  readonly memory: Memory | undefined;
}

class ShardChunks implements ChunkSource {
  readonly #shards: ChunkSource;
  readonly #layout: ShardLayout;
  readonly #indexes: ShardIndexes;

  constructor(shards: ChunkSource, layout: ShardLayout, indexes: ShardIndexes) {
    this.#shards = shards;
    this.#layout = layout;
    this.#indexes = indexes;
  }

  isFar(): boolean {
    return this.#shards.isFar();
  }
  get rangeSupport(): ChunkSource["rangeSupport"] {
    return this.#shards.rangeSupport;
  }

  locate(chunk: Coordinates): ChunkLocation {
    const { gridShape } = this.#layout;
    const { key, firstInner, maximumDecodedBytes } = this.#shards.locate(shardOf(this.#layout, chunk));
    const inArray = firstInner?.map((first, d) => first + (numberAt(chunk, d) % numberAt(gridShape, d)));
    return { key, chunk: inArray ?? chunk, maximumDecodedBytes };
  }

  forget(chunk: Coordinates, requests: Requests): boolean {
    const shard = shardOf(this.#layout, chunk);
    const isForgotten = this.#indexes.forget(shard, requests);
    return this.#shards.forget(shard, requests) || isForgotten;
  }

  chunks(wanted: readonly Wanted[], requests: Requests, memory?: Memory): Awaitable<readonly Encoded[]> {
    const reading: Reading = {
      wanted,
      found: new Array<Encoded>(wanted.length).fill(undefined),
      requests,
      memory,
    };
    const wholes: Group[] = [];
    const reads: (() => Awaitable<unknown>)[] = [];
    for (const group of byShard(this.#layout, wanted)) {
      if (this.#isReadWhole(group)) wholes.push(group);
      else reads.push(() => this.#readParts(group, reading));
    }
    // Together: nested shards that are read as wholes may be of one shard.
    if (wholes.length > 0) reads.push(() => this.#readWholes(wholes, reading));
    const later = each(reads, (read) => read(), undefined);
    if (!(later instanceof Promise)) return reading.found;
    for (const [position, bytes] of reading.found.entries())
      if (bytes !== undefined && memory !== undefined) reading.found[position] = memory.keep(bytes);
    return later.then(() => reading.found);
  }

  parts(
    chunk: Coordinates,
    ranges: readonly RangeQuery[] | undefined,
    requests: Requests,
    how?: Parameters<ChunkSource["parts"]>[3],
  ): Awaitable<Parts | undefined> {
    const shard = shardOf(this.#layout, chunk);
    return this.#indexes.with<Parts | undefined>(
      shard,
      requests,
      (known) => {
        const extent = extentOf(this.#layout, known.index, chunk);
        if (extent === undefined) return known.isKept ? CHANGED : undefined;
        const { version, isCertain } = known.of;
        if (ranges?.length === 0) return { parts: [], version, isCertain, byteLength: extent.length };
        const inShard = ranges?.map((range) => within(range, extent)) ?? [extent];
        return after(this.#shards.parts(shard, inShard, requests, how), (answer) => {
          if (answer === undefined || !isOfVersion(known, answer)) return CHANGED;
          const { parts, version, isCertain } = answer;
          return { parts, version, isCertain, byteLength: extent.length };
        });
      },
      () => {
        throw new Replaced(this.#shards.locate(shard).key);
      },
    );
  }

  #isReadWhole({ shard, positions }: Group): boolean {
    const { inner, innerCount } = this.#layout;
    const { rangeSupport } = this.#shards;
    if (rangeSupport === "none" || positions.length < innerCount) return rangeSupport === "none";
    if (rangeSupport === "ignored") return true;
    const isShort = inner.byteLength * innerCount <= LARGEST_WHOLE;
    return isShort && !this.#indexes.has(shard) && this.#shards.isFar();
  }

  /** Reads inner chunks from the whole of their shards: always of one version. */
  #readWholes(groups: readonly Group[], { wanted, found, requests, memory }: Reading): Awaitable<unknown> {
    const [shards, layout] = [this.#shards, this.#layout];
    const take = ({ shard, positions }: Group, whole: Parts | undefined): void => {
      const [bytes] = whole?.parts ?? [];
      if (whole === undefined || bytes === undefined) return;
      this.#expectSame(shard, whole, requests);
      const index = this.#indexes.keep(shard, whole, requests);
      for (const position of positions) {
        const { chunk } = wanted[position] ?? noItem(wanted, position);
        const extent = extentOf(layout, index, chunk);
        if (extent !== undefined) found[position] = sliceRange(bytes, extent);
      }
    };
    if (shards.rangeSupport !== "none") {
      return each(
        groups,
        (group) =>
          after(shards.parts(group.shard, undefined, requests, { memory, isShared: true }), (whole) =>
            take(group, whole),
          ),
        undefined,
      );
    }
    const all = groups.map(({ shard }) => ({ chunk: shard }));
    return after(shards.chunks(all, requests, memory), (encoded) =>
      groups.forEach((group, i) => {
        const bytes = encoded[i];
        if (bytes === undefined) return;
        // Whoever reads this shard again reads all of it: the version does not matter.
        take(group, { parts: [bytes], byteLength: bytes.length, version: Number.NaN, isCertain: true });
      }),
    );
  }

  /** Reads inner chunks of one shard by the ranges that its index gives. */
  #readParts(group: Group, reading: Reading): Awaitable<unknown> {
    const { wanted, found, requests, memory } = reading;
    const shards = this.#shards;
    return this.#indexes.with(
      group.shard,
      requests,
      (known) => {
        // The request for the index may have shown that ranges are ignored.
        const isIgnored = !known.isKept && shards.rangeSupport === "ignored";
        if (isIgnored) return this.#readWholes([group], reading);
        const there: number[] = [];
        const extents: Extent[] = [];
        for (const position of group.positions) {
          const { chunk } = wanted[position] ?? noItem(wanted, position);
          const extent = extentOf(this.#layout, known.index, chunk);
          // As it was in a shard that another one has replaced since, perhaps.
          found[position] = undefined;
          if (extent === undefined) continue;
          there.push(position);
          extents.push(extent);
        }
        // Nothing else would show that the shard still is that of the index.
        if (there.length === 0) return known.isKept ? CHANGED : undefined;
        const { merged, place } = mergeExtents(extents, this.#limits(requests));
        return after(shards.parts(group.shard, merged, requests, { memory }), (answer) => {
          if (answer === undefined || !isOfVersion(known, answer)) return CHANGED;
          this.#expectSame(group.shard, answer, requests);
          for (const [i, position] of there.entries()) {
            const { request, start } = place[i] ?? noItem(place, i);
            const extent = extents[i] ?? noItem(extents, i);
            const bytes = answer.parts[request]?.subarray(start, start + extent.length);
            const { chunk } = wanted[position] ?? noItem(wanted, position);
            found[position] = this.#complete(bytes, extent, chunk);
          }
          return undefined;
        });
      },
      () => this.#readWholes([group], reading),
    );
  }

  /** All batches of a read see one version of a shard. */
  #expectSame(shard: Coordinates, { version }: Parts, requests: Requests): void {
    if (!Number.isNaN(version)) requests.expectSame(this.#shards.locate(shard).key, version);
  }

  #limits({ coalesce }: Requests): CoalesceOptions {
    if (this.#shards.isFar()) return coalesce;
    return {
      maximumGap: Math.min(coalesce.maximumGap, NEAR.maximumGap),
      maximumSize: Math.min(coalesce.maximumSize, NEAR.maximumSize),
    };
  }

  /** @throws CodecError when bytes of an inner chunk are missing */
  #complete(bytes: Encoded, { offset, length }: Extent, chunk: Coordinates): Uint8Array {
    if (bytes?.length === length) return bytes;
    throw damaged(
      `expected ${length} bytes at ${offset} of the shard, got ${bytes?.length ?? 0}: it is truncated or changed`,
      this.locate(chunk),
    );
  }
}

function shardOf({ gridShape }: ShardLayout, chunk: Coordinates): Coordinates {
  const shard = new Array<number>(chunk.length);
  for (let d = 0; d < chunk.length; d++) shard[d] = Math.floor(numberAt(chunk, d) / numberAt(gridShape, d));
  return shard;
}

/** Neighbours are mostly of one shard, so the last group is tried first. */
function byShard(layout: ShardLayout, wanted: readonly Wanted[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  let last: Group | undefined;
  for (const [position, { chunk }] of wanted.entries()) {
    const shard = shardOf(layout, chunk);
    if (last === undefined || !shard.every((index, d) => index === last?.shard[d])) {
      const name = shard.join();
      last = groups.get(name) ?? { shard, positions: [] };
      groups.set(name, last);
    }
    last.positions.push(position);
  }
  return groups.values();
}

/** A range of an inner chunk as a range of its shard, and never beyond the inner chunk. */
function within(range: RangeQuery, { offset, length }: Extent): Extent {
  const end = offset + length;
  if ("suffixLength" in range) {
    const start = Math.max(offset, end - range.suffixLength);
    return { offset: start, length: end - start };
  }
  const start = Math.min(offset + range.offset, end);
  return { offset: start, length: Math.min(range.length, end - start) };
}
