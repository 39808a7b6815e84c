/** Chunk sources over a store's values, and over sources whose chunks are decoded once more. */
import { unwrap } from "../codecs/wrapped.js";
import type { Kernels } from "../kernels/kernels.js";
import { sliceRange } from "../stores/keys-and-ranges.js";
import { after, each } from "./awaitable.js";
import type { ChunkLocation, ChunkSource, Coordinates, Pipeline, Values } from "./ports.js";

/** Chunks that are values of a store: one key for each. */
export function storedChunks(
  values: Values,
  locate: (chunk: Coordinates) => ChunkLocation,
  { maximumEncodedByteLength }: Pick<Pipeline, "maximumEncodedByteLength">,
): ChunkSource {
  return {
    isFar: values.isFar,
    readsRanges: values.readsRanges,
    locate,
    forget: () => false,
    chunks: (wanted, requests, allocate) =>
      each(wanted, (chunk) => values.whole(locate(chunk).key, maximumEncodedByteLength, requests, allocate)),
    ranges(chunk, ranges, requests, { isShared, allocate }) {
      const { key } = locate(chunk);
      const [range] = ranges;
      if (isShared && range !== undefined) return values.shared(key, range, requests);
      return values.ranges(key, ranges, requests, allocate);
    },
  };
}

/** Decodes one stored chunk as far as the pipeline of the next source, or of the array, does not. */
type Decode = (encoded: Uint8Array, at: ChunkLocation) => Promise<Uint8Array>;

/** Chunks of another source, decoded by what takes its time. A range is a range of the decoded chunk. */
function decodedChunks(source: ChunkSource, decode: Decode): ChunkSource {
  const chunks: ChunkSource["chunks"] = (wanted, requests) =>
    after(source.chunks(wanted, requests), (found) =>
      Promise.all(found.map((encoded, i) => encoded && decode(encoded, source.locate(wanted[i] ?? [])))),
    );
  return {
    isFar: source.isFar,
    readsRanges: false,
    locate: (chunk) => source.locate(chunk),
    forget: (chunk) => source.forget(chunk),
    chunks,
    ranges: (chunk, ranges, requests) =>
      after(chunks([chunk], requests), ([bytes]) => {
        if (bytes === undefined) return undefined;
        return {
          parts: ranges.map((range) => sliceRange(bytes, range)),
          byteLength: bytes.length,
          version: 0,
          isCertain: true,
        };
      }),
  };
}

/** Shards without the codecs around them. */
export function unwrappedShards(source: ChunkSource, around: Pipeline, kernels: Kernels): ChunkSource {
  return around.wrapped ? decodedChunks(source, (bytes, at) => unwrap(around, bytes, kernels, at)) : source;
}

/** Chunks without the codecs that answer later, such as those that applications register. */
export function settledChunks(
  source: ChunkSource,
  { asynchronous }: Pipeline,
  kernels: Kernels,
): ChunkSource {
  if (asynchronous === undefined) return source;
  return decodedChunks(source, (bytes, at) => asynchronous.decode(bytes, kernels, at));
}
