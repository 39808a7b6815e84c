/**
 * Chunks that an extension's `getChunk` makes, for the engine to read: as values of a store, which holds elements without a
 * compressor. Loaded when such an array is first read.
 */

import { innerChunkShape } from "../codecs/inner-chunk-shape.js";
import type { PreparedArray } from "../engine/prepared.js";
import { chunkBoxOf } from "../grid/chunk-grid.js";
import { slice } from "../grid/selection.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata } from "../metadata/model.js";
import { cOrderStrides, product } from "../shape.js";
import type { Readable } from "../stores/store.js";
import { type Chunk, ZarrArray } from "./nodes.js";
import { set } from "./set.js";

/** What reads `array` by way of its `getChunk`. */
export function prepareChunks(array: ZarrArray<unknown>): Promise<PreparedArray> {
  const { metadata } = array;
  const inner = innerChunkShape(metadata);
  const chunkGrid: ChunkGrid =
    inner === undefined ? metadata.chunkGrid : { name: "regular", chunkShape: inner };
  const plain: ArrayMetadata = {
    ...metadata,
    zarrFormat: 3,
    dataType: metadata.dataType.uniform ?? metadata.dataType,
    chunkGrid,
    chunkKeyEncoding: { name: "default", separator: "/" },
    codecs: [plainCodec(metadata)],
    endian: undefined,
  };
  const store: Readable = {
    async get(key, options) {
      // "/c/0/1", and "/c" without dimensions.
      const coordinates = key.split("/").slice(2).map(Number);
      const chunk = await array.getChunk(coordinates, { signal: options?.signal });
      return encode(chunk, { ...plain, shape: chunkBoxOf(chunkGrid, coordinates).shape });
    },
  };
  return new ZarrArray<unknown>(store, "/", plain).prepare();
}

/** A codec for elements as they are in memory: bytes, ZEP 7 for those of variable length, and for objects of v2 what they are stored with. */
function plainCodec({ dataType: { variable, objectCodec }, codecs }: ArrayMetadata): CodecMetadata {
  const own = codecs.find(({ name }) => name === `numcodecs.${objectCodec}`);
  if (variable === "object" && own !== undefined) return own;
  return { name: "bytes", configuration: { endian: "little" } };
}

/** @param metadata of an array that is this chunk */
async function encode(chunk: Chunk<unknown>, metadata: ArrayMetadata): Promise<Uint8Array | undefined> {
  const { shape, dataType } = metadata;
  const { data, stride } = chunk;
  const isWhole = isSame(chunk.shape, shape) && isSame(stride, cOrderStrides(shape, 1));
  const bytes = isWhole ? dataType.bytesOf(data) : undefined;
  if (bytes?.length === product(shape, dataType.itemSize)) return bytes;
  // Strides, a chunk that ends at the array's edge, values to be cast, errors: all that `set` knows about.
  const values = new Map<string, Uint8Array>();
  const whole = { ...metadata, chunkGrid: { name: "regular", chunkShape: shape } } as const;
  const target = new ZarrArray<unknown>(values, "/", whole);
  const selection = shape.map((_, d) => slice(0, chunk.shape[d]));
  await set(target, selection, { data, shape: chunk.shape, stride }, { writeEmptyChunks: true });
  return values.values().next().value;
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
