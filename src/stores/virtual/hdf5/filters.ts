/** HDF5's filters as codecs of Zarr. Numbers above 255 are registered with The HDF Group. */

import {
  type Json,
  type JsonObject,
  registry,
  StoreError,
  UnsupportedError,
} from "../../../core/for-stores.js";
import type { Hdf5Filter } from "./messages.js";

/** A codec in a Zarr v3 document. */
export interface CodecJson extends JsonObject {
  readonly name: string;
  readonly configuration: JsonObject;
}

/** What a filter's codec may depend on: bytes of an element, and of a chunk. */
export interface FilteredChunk {
  readonly itemSize: number;
  readonly byteLength: number;
}

type Mapping = (values: readonly number[], chunk: FilteredChunk) => CodecJson;

const codec = (name: string, configuration: Readonly<Record<string, Json>> = {}): CodecJson => ({
  name,
  configuration,
});

const BITSHUFFLE = 32008;
const BLOSC = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];
const SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"];

const MAPPINGS: ReadonlyMap<number, Mapping> = new Map<number, Mapping>([
  [1, ([level = 1]) => codec("numcodecs.zlib", { level: Math.min(9, level) })],
  [2, ([elementsize], { itemSize }) => codec("numcodecs.shuffle", { elementsize: elementsize ?? itemSize })],
  [3, () => codec("numcodecs.fletcher32")],
  [
    4,
    ([options_mask = 0, pixels_per_block = 0, bits_per_pixel = 0, pixels_per_scanline = 0]) =>
      codec("imagecodecs_szip", { options_mask, pixels_per_block, bits_per_pixel, pixels_per_scanline }),
  ],
  [5, (values) => codec("hdf5.nbit", { parameters: values })],
  [6, (values) => codec("hdf5.scaleoffset", { parameters: values })],
  [307, ([level = 9]) => codec("numcodecs.bz2", { level })],
  [32000, () => codec("imagecodecs_lzf", { header: false })],
  [
    32001,
    ([, , typesize, , clevel = 5, shuffle = 1, cname = 0], { itemSize }) =>
      codec("blosc", {
        cname: BLOSC[cname] ?? "blosclz",
        clevel: Math.min(9, clevel),
        shuffle: SHUFFLES[shuffle] ?? "shuffle",
        typesize: typesize === undefined || typesize === 0 ? itemSize : typesize,
        blocksize: 0,
      }),
  ],
  [32004, () => codec("imagecodecs_lz4h5")],
  [
    BITSHUFFLE,
    ([, , elementsize, blocksize = 0, compression = 0], { itemSize }) =>
      codec("hdf5.bitshuffle", {
        elementsize: elementsize === undefined || elementsize === 0 ? itemSize : elementsize,
        blocksize,
        compression: compression === 0 ? "none" : "lz4",
      }),
  ],
  [32015, ([level = 3]) => codec("zstd", { level: Math.min(22, level), checksum: false })],
]);

/**
 * The codecs of a pipeline, in the order of writing.
 * @throws UnsupportedError with the path for a filter that is not known
 */
export function codecsOf(filters: readonly Hdf5Filter[], chunk: FilteredChunk, path: string): CodecJson[] {
  return filters.map(({ id, name, values }) => {
    if (id === BITSHUFFLE && values[4] === 3)
      throw new UnsupportedError("HDF5: bitshuffle with zstd is not read", { path });
    const mapping = MAPPINGS.get(id);
    if (mapping !== undefined) return mapping(values, chunk);
    const named = name === "" ? "" : ` (${JSON.stringify(name.slice(0, 80))})`;
    throw new UnsupportedError(`HDF5: filter ${id}${named} is not read`, { path });
  });
}

/** Decodes what the codecs did, but for those that were left out. */
export async function decodeFilters(
  codecs: readonly CodecJson[],
  mask: number,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  let decoded = bytes;
  for (const [i, { name, configuration }] of [...codecs.entries()].reverse()) {
    if (mask & (1 << i)) continue;
    decoded = await (await standalone(name, configuration)).decode(decoded);
  }
  return decoded;
}

/** Encodes with all of the codecs, for a reader that does not know that some were left out. */
export async function encodeFilters(codecs: readonly CodecJson[], bytes: Uint8Array): Promise<Uint8Array> {
  let encoded = bytes;
  for (const { name, configuration } of codecs)
    encoded = await (await standalone(name, configuration)).encode(encoded);
  return encoded;
}

async function standalone(name: string, configuration: JsonObject) {
  const entry = await registry.get(name)?.();
  if (entry === undefined) throw new UnsupportedError(`HDF5: codec ${name} is not registered`);
  const made = await entry.fromConfig(configuration, {
    // Codecs of bytes do not depend on the array.
    ...{ dataType: "uint8", shape: [1], codecs: [], fillValue: 0 },
  });
  const { decode, encode } = made;
  const bytesOf = (result: unknown): Uint8Array => {
    if (result instanceof Uint8Array) return result;
    throw new StoreError(`internal error: codec ${name} gave no bytes`);
  };
  return {
    decode: async (bytes: Uint8Array) => bytesOf(await Reflect.apply(decode, made, [bytes])),
    encode: async (bytes: Uint8Array) => bytesOf(await Reflect.apply(encode, made, [bytes])),
  };
}
