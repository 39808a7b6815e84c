/**
 * A shard is a source of inner chunks over a source of shards. Where shards nest, this source is over itself.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html
 *
 * Another program may replace a shard while it is read, or after its index was read. So an index and the
 * bytes that it points to are of one version, or both are read again.
 */
import { noItem } from "../at.js";
import type { ShardLayout } from "../codecs/pipeline.js";
import { damaged, decodeIndex } from "../codecs/sharding/index-table.js";
import { StoreError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { type Extent, sliceRange } from "../stores/keys-and-ranges.js";
import { type CoalesceOptions, mergeExtents } from "../stores/merged-requests.js";
import { after, all } from "./awaitable.js";
import type {
  Allocate,
  Awaitable,
  ChunkLocation,
  ChunkSource,
  Coordinates,
  Encoded,
  Parts,
  RangeQuery,
  Requests,
} from "./ports.js";
import {
  extentOf,
  type IndexCache,
  indexRange,
  isOfVersion,
  type KnownIndex,
  shardIndexes,
} from "./shard-index.js";

/** Longest shard that is read in one request, without its index, if all of it is wanted. */
const LARGEST_WHOLE = 8 << 20;

/**
 * What is read together of a shard that is near: a read of a file takes 4 us, in which the page cache gives
 * more than such a gap, and half of a second-level cache has room for the rest.
 */
const NEAR: CoalesceOptions = { maximumGap: 8 << 10, maximumSize: 256 << 10 };

/** The last attempt at a shard that is replaced again and again reads all of it, in one request. */
const ATTEMPTS = 2;

/** The shard is another one than that of the index. */
const CHANGED = Symbol("changed");

/** The wanted inner chunks of one shard, by their positions in what is wanted. */
interface Group {
  readonly shard: Coordinates;
  readonly positions: number[];
}

/** @param depth how many shards are around these */
export function shardChunks(
  shards: ChunkSource,
  layout: ShardLayout,
  kernels: Kernels,
  cache: IndexCache,
  depth = 0,
): ChunkSource {
  const indexes = shardIndexes(shards, layout, kernels, cache, depth);

  /**
   * Runs `use` with the index of a shard. If that finds another shard, runs it again with an index that is
   * read anew, and after two attempts `replaced`.
   * @returns undefined if the shard is missing
   */
  function withIndex<T>(
    shard: Coordinates,
    requests: Requests,
    use: (known: KnownIndex) => Awaitable<T | typeof CHANGED>,
    replaced: () => Awaitable<T | undefined>,
    attempt = 1,
  ): Awaitable<T | undefined> {
    return after(indexes.find(shard, requests), (known) => {
      if (known === undefined) return undefined;
      return after(use(known), (result) => {
        if (result !== CHANGED) return result;
        indexes.forget(shard);
        if (attempt > ATTEMPTS) return replaced();
        // What was known of the shard before this read costs no attempt.
        return withIndex(shard, requests, use, replaced, known.isKept ? attempt : attempt + 1);
      });
    });
  }

  /** Reads the inner chunks of some shards from these shards as wholes. */
  const readWholes = (groups: readonly Group[], { wanted, found, requests, allocate }: Reading) =>
    after(
      shards.chunks(
        groups.map(({ shard }) => shard),
        requests,
        allocate,
      ),
      (encoded) => {
        for (const [i, { shard, positions }] of groups.entries()) {
          const bytes = encoded[i];
          if (bytes === undefined) continue;
          const stored = sliceRange(bytes, indexRange(layout));
          const index = decodeIndex(layout, stored, bytes.length, kernels, shards.locate(shard));
          for (const position of positions) {
            const extent = extentOf(layout, index, wanted[position] ?? noItem(wanted, position));
            if (extent !== undefined) found[position] = sliceRange(bytes, extent);
          }
        }
      },
    );

  /** Reads the inner chunks of one shard by the ranges that its index gives. */
  const readParts = (group: Group, { wanted, found, requests, allocate }: Reading): Awaitable<unknown> =>
    withIndex(
      group.shard,
      requests,
      (known) => {
        const there: number[] = [];
        const extents: Extent[] = [];
        for (const position of group.positions) {
          const extent = extentOf(layout, known.index, wanted[position] ?? noItem(wanted, position));
          if (extent === undefined) continue;
          there.push(position);
          extents.push(extent);
        }
        // Nothing else would show that the shard still is that of the index.
        if (there.length === 0) return known.isKept ? CHANGED : undefined;
        const { merged, place } = mergeExtents(extents, shards.isFar ? requests.coalesce : NEAR);
        return after(shards.ranges(group.shard, merged, requests, { allocate }), (answer) => {
          if (answer === undefined || !isOfVersion(known, answer)) return CHANGED;
          for (const [i, position] of there.entries()) {
            const { request, start } = place[i] ?? noItem(place, i);
            const extent = extents[i] ?? noItem(extents, i);
            const bytes = answer.parts[request]?.subarray(start, start + extent.length);
            found[position] = complete(bytes, extent, locate(wanted[position] ?? noItem(wanted, position)));
          }
          return undefined;
        });
      },
      () => readWholes([group], { wanted, found, requests, allocate }),
    );

  const locate = (chunk: Coordinates): ChunkLocation => {
    const { key, firstInner, maximumDecodedBytes } = shards.locate(shardOf(layout, chunk));
    const first = firstInner?.map((start, d) => start + ((chunk[d] ?? 0) % (layout.gridShape[d] ?? 1)));
    return { key, chunk: first ?? chunk, maximumDecodedBytes };
  };
  return {
    isFar: shards.isFar,
    readsRanges: shards.readsRanges,
    locate,
    forget(chunk) {
      const shard = shardOf(layout, chunk);
      const isForgotten = indexes.forget(shard);
      return shards.forget(shard) || isForgotten;
    },
    chunks(wanted, requests, allocate) {
      const found = new Array<Encoded>(wanted.length);
      const reading: Reading = { wanted, found, requests, allocate };
      const wholes: Group[] = [];
      const reads: Awaitable<unknown>[] = [];
      for (const group of byShard(layout, wanted)) {
        if (isReadWhole(group)) wholes.push(group);
        else reads.push(readParts(group, reading));
      }
      if (wholes.length > 0) reads.push(readWholes(wholes, reading));
      return after(all(reads), () => found);
    },
    ranges: (chunk, ranges, requests, how) => {
      const shard = shardOf(layout, chunk);
      return withIndex<Parts | undefined>(
        shard,
        requests,
        (known) => {
          const extent = extentOf(layout, known.index, chunk);
          if (extent === undefined) return known.isKept ? CHANGED : undefined;
          const inShard = ranges.map((range) => within(range, extent));
          return after(shards.ranges(shard, inShard, requests, how), (answer) => {
            if (answer === undefined || !isOfVersion(known, answer)) return CHANGED;
            return {
              parts: answer.parts,
              version: answer.version,
              isCertain: answer.isCertain,
              byteLength: extent.length,
            };
          });
        },
        () => {
          const { key } = shards.locate(shard);
          throw new StoreError("the shard was replaced again and again while it was read; read it again", {
            key,
          });
        },
      );
    },
  };

  function isReadWhole({ shard, positions }: Group): boolean {
    if (!shards.readsRanges) return true;
    if (!shards.isFar || positions.length < layout.innerCount) return false;
    return layout.inner.byteLength * layout.innerCount <= LARGEST_WHOLE && !indexes.has(shard);
  }
}

/** One call of `chunks`. */
interface Reading {
  readonly wanted: readonly Coordinates[];
  readonly found: Encoded[];
  readonly requests: Requests;
  readonly allocate: Allocate | undefined;
}

function shardOf({ gridShape }: ShardLayout, chunk: Coordinates): Coordinates {
  const shard = new Array<number>(chunk.length);
  for (let d = 0; d < chunk.length; d++)
    shard[d] = Math.floor((chunk[d] ?? noItem(chunk, d)) / (gridShape[d] ?? noItem(gridShape, d)));
  return shard;
}

/** Neighbours are mostly of one shard, so the last group is tried first. */
function byShard(layout: ShardLayout, wanted: readonly Coordinates[]): Group[] {
  const groups = new Map<string, Group>();
  let last: Group | undefined;
  for (const [position, chunk] of wanted.entries()) {
    const shard = shardOf(layout, chunk);
    if (last === undefined || !shard.every((index, d) => index === last?.shard[d])) {
      const name = shard.join();
      last = groups.get(name) ?? { shard, positions: [] };
      groups.set(name, last);
    }
    last.positions.push(position);
  }
  return [...groups.values()];
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

/** @throws CodecError when bytes of an inner chunk are missing */
function complete(bytes: Encoded, { offset, length }: Extent, at: ChunkLocation): Uint8Array {
  if (bytes?.length === length) return bytes;
  const got = bytes?.length ?? 0;
  throw damaged(
    `expected ${length} bytes at ${offset} of the shard, got ${got}: it is truncated or changed`,
    at,
  );
}
