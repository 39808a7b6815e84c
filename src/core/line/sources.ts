/** Chunk sources over a store's values, and over sources whose chunks are decoded once more. */

import { noItem } from "../../base/at.js";
import type { Kernels } from "../../kernels/kernels.js";
import { unwrap } from "../codecs/wrapped.js";
import { sliceRange } from "../stores/keys-and-ranges.js";
import { after, each } from "./awaitable.js";
import type { ChunkLocation, ChunkSource, Coordinates, Pipeline, Values, Wanted } from "./ports.js";

/** Chunks that are values of a store: one key for each. */
export function storedChunks(
  values: Values,
  locate: (chunk: Coordinates) => ChunkLocation,
  {
    maximumEncodedByteLength: most,
    encodedByteLength: probableLength,
  }: Pick<Pipeline, "maximumEncodedByteLength" | "encodedByteLength">,
): ChunkSource {
  return {
    isFar: () => values.isFar(),
    get rangeSupport() {
      return values.rangeSupport;
    },
    locate,
    forget: () => false,
    chunks: (wanted, requests, memory) =>
      each(
        wanted,
        ({ chunk }) => values.whole(locate(chunk).key, requests, { most, memory, probableLength }),
        memory?.keep,
      ),
    parts: (chunk, ranges, requests, how) =>
      values.parts(locate(chunk).key, ranges, requests, { ...how, most }),
  };
}

/** A source over another one that gives its chunks in another way. */
export function sourceOver(source: ChunkSource, chunks: ChunkSource["chunks"]): ChunkSource {
  return {
    isFar: () => source.isFar(),
    get rangeSupport() {
      return source.rangeSupport;
    },
    locate: (chunk) => source.locate(chunk),
    forget: (chunk, requests) => source.forget(chunk, requests),
    parts: (...request) => source.parts(...request),
    chunks,
  };
}

/** Decodes one stored chunk as far as the pipeline of the next source, or of the array, does not. */
type Decode = (encoded: Uint8Array, at: ChunkLocation) => Promise<Uint8Array>;

/** Chunks of another source, decoded by what takes its time. A range is a range of the decoded chunk. */
function decodedChunks(source: ChunkSource, decode: Decode): ChunkSource {
  const chunks: ChunkSource["chunks"] = (wanted, requests) =>
    after(source.chunks(wanted, requests), (found) =>
      Promise.all(
        found.map((encoded, i) => {
          const { chunk }: Wanted = wanted[i] ?? noItem(wanted, i);
          return encoded && decode(encoded, source.locate(chunk));
        }),
      ),
    );
  return {
    isFar: () => source.isFar(),
    rangeSupport: "none",
    locate: (chunk) => source.locate(chunk),
    forget: (chunk, requests) => source.forget(chunk, requests),
    chunks,
    parts: (chunk, ranges = [{ suffixLength: Number.MAX_SAFE_INTEGER }], requests) =>
      after(chunks([{ chunk }], requests), ([bytes]) => {
        if (bytes === undefined) return undefined;
        const parts = ranges.map((range) => sliceRange(bytes, range));
        return { parts, byteLength: bytes.length, version: 0, isCertain: true };
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
