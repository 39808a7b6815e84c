/** Arrays that are read through their decoded chunks, of `getChunk`, as if those were values of a store. */

import { cOrderStrides, product } from "../../base/shape.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import type { Readable } from "../../core/stores/store.js";
import { chunkBoxOf } from "../../grid/chunk-grid.js";
import { slice } from "../../grid/selection.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata } from "../../metadata/model.js";
import type { GetOptions } from "../read/get-options.js";
import { set } from "../write/set.js";
import { type Chunk, ZarrArray } from "./nodes.js";

/**
 * The read options that are passed on to `getChunk`, besides the signal and the priority. All other options
 * are about the result.
 */
const HANDED_ON = ["workers", "concurrency", "coalesce", "invalidText", "maximumDecodedBytes"] as const;
export type ForwardedOptions = Pick<GetOptions, (typeof HANDED_ON)[number]>;

/**
 * The decoded chunks of an array as values of a store, by keys of the default encoding ("/c/0/1", "/c"
 * without dimensions).
 */
export interface DecodedChunks {
  /**
   * The metadata of an array with these values. Its only codec is `bytes`, or for objects of v2 the array's
   * own object codec.
   */
  readonly metadata: ArrayMetadata;
  read(key: string, options: GetOptions): Promise<Uint8Array | undefined>;
}

/**
 * Makes the `prepare` of an array that is read through its decoded chunks. Consecutive reads with the same
 * options share the prepared array and its requests.
 * @param storeOf makes the store of decoded chunks for reads with these options
 */
export function prepareChunks(
  metadata: ArrayMetadata,
  storeOf: (forwarded: ForwardedOptions) => Readable,
): ZarrArray["prepare"] {
  let last:
    | { readonly forwarded: ForwardedOptions; readonly prepare: () => Promise<PreparedArray> }
    | undefined;
  return (options: ForwardedOptions = {}) => {
    if (last === undefined || HANDED_ON.some((name) => last?.forwarded[name] !== options[name])) {
      const { workers, concurrency, coalesce, invalidText, maximumDecodedBytes } = options;
      const inputs = { workers, concurrency, coalesce, invalidText, maximumDecodedBytes };
      const plain = new ZarrArray<unknown>(storeOf(inputs), "/", metadata);
      last = { forwarded: inputs, prepare: () => plain.prepare() };
    }
    return last.prepare();
  };
}

/** By array, for arrays whose class or Proxy has a `getChunk` of its own. */
const prepares = new WeakMap<ZarrArray<unknown>, ZarrArray["prepare"]>();

/** The `prepare` of an array that is read through its `getChunk`. */
export function prepareThroughChunks(array: ZarrArray<unknown>): ZarrArray["prepare"] {
  let prepare = prepares.get(array);
  if (prepare === undefined) {
    const chunks = decodedChunks(array);
    prepare = prepareChunks(chunks.metadata, (forwarded) => ({
      get: (key, { signal, priority } = {}) =>
        chunks.read(key, { ...forwarded, signal: signal ?? undefined, priority }),
    }));
    prepares.set(array, prepare);
  }
  return prepare;
}

export function decodedChunks(array: ZarrArray<unknown>): DecodedChunks {
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
  return {
    metadata: plain,
    async read(key, options) {
      const coordinates = key.split("/").slice(2).map(Number);
      const chunk = await array.getChunk(coordinates, options);
      return encode(chunk, { ...plain, shape: chunkBoxOf(chunkGrid, coordinates).shape });
    },
  };
}

/**
 * The codec for decoded elements: `bytes` (ZEP 7 for variable length), and for objects of v2 the codec that
 * stores them.
 */
function plainCodec({ dataType: { variable, objectCodec }, codecs }: ArrayMetadata): CodecMetadata {
  const objectStage = codecs.find(({ name }) => name === `numcodecs.${objectCodec}`);
  if (variable === "object" && objectStage !== undefined) return objectStage;
  return { name: "bytes", configuration: { endian: "little" } };
}

/** Encodes a chunk with `plainCodec`. @param metadata of an array with the chunk's shape */
async function encode(chunk: Chunk<unknown>, metadata: ArrayMetadata): Promise<Uint8Array | undefined> {
  const { shape, dataType } = metadata;
  const { data, stride } = chunk;
  const isWhole = isSame(chunk.shape, shape) && isSame(stride, cOrderStrides(shape, 1));
  const bytes = isWhole ? dataType.bytesOf(data) : undefined;
  if (bytes?.length === product(shape, dataType.itemSize)) return bytes;
  // `set` handles strides, chunks that end at the array's edge, casts and errors.
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
