/** The images of scripts/oracles/make_image_fixtures.py, and arrays of which each is the only chunk. */
import type { CodecEntry } from "../../src/codecs/codec.js";
import { retryWithMissing } from "../../src/codecs/missing-modules.js";
import { dataTypeFromV3 } from "../../src/data-types/registry.js";
import { loadKernels } from "../../src/kernels/load.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { fromBase64 } from "./harness.js";

export interface ImageCase {
  readonly name: string;
  /** Configuration of the codec, with its id. */
  readonly codec: JsonObject;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly image: Uint8Array;
  /** What imagecodecs reads: elements in C order, little-endian. */
  readonly values: Uint8Array;
}

interface Stored extends Omit<ImageCase, "image" | "values"> {
  readonly image: string;
  readonly values?: string;
}
interface Fixtures {
  readonly cases: readonly Stored[];
}

export const imageCases = ({ cases }: Fixtures): readonly ImageCase[] =>
  cases.flatMap(({ image, values, ...each }) =>
    values === undefined ? [] : { ...each, image: fromBase64(image), values: fromBase64(values) },
  );

/** Images that wazarr refuses. A name is a part of the error. */
export const refusedImages = ({ cases }: Fixtures): readonly ImageCase[] =>
  cases.flatMap(({ image, values, ...each }) =>
    values === undefined ? { ...each, image: fromBase64(image), values: new Uint8Array(0) } : [],
  );

const text = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));

const V2_TYPES: Readonly<Record<string, string>> = {
  ...{ int8: "|i1", uint8: "|u1", int16: "<i2", uint16: "<u2", int32: "<i4", uint32: "<u4" },
  ...{ float32: "<f4", float64: "<f8" },
};

/** An array of v2, as zarr-python writes it and as references of TIFF files name it. */
export function storeOfV2({ codec, shape, dtype, image }: ImageCase): Map<string, Uint8Array> {
  const document = {
    ...{ zarr_format: 2, shape, chunks: shape, dtype: V2_TYPES[dtype], fill_value: 0, order: "C" },
    ...{ compressor: codec, filters: null },
  };
  return new Map([
    ["/.zarray", text(document)],
    [`/${shape.map(() => 0).join(".")}`, image],
  ]);
}

/** An array of v3, as virtual-tiff makes it: a codec of bytes after `bytes`. */
export function storeOfV3(each: ImageCase, codecs = codecsOf(each)): Map<string, Uint8Array> {
  const { shape, dtype, image } = each;
  const document = {
    ...{ zarr_format: 3, node_type: "array", shape, data_type: dtype, fill_value: 0, codecs },
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  };
  return new Map([
    ["/zarr.json", text(document)],
    [`/c/${shape.map(() => 0).join("/")}`, image],
  ]);
}

export function codecsOf({ codec: { id, ...configuration } }: ImageCase): JsonObject[] {
  if (typeof id !== "string") throw new Error("a codec without an id");
  return [
    { name: "bytes", configuration: { endian: "little" } },
    { name: id, configuration },
  ];
}

/** The image as the only inner chunk of a shard, whose index has no checksum. */
export function storeOfShard(each: ImageCase): Map<string, Uint8Array> {
  const configuration = {
    chunk_shape: each.shape,
    codecs: codecsOf(each),
    index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
  };
  const { length } = each.image;
  const shard = new Uint8Array(length + 16);
  shard.set(each.image);
  new DataView(shard.buffer).setUint32(length + 8, length, true);
  return storeOfV3({ ...each, image: shard }, [
    { name: "sharding_indexed", configuration: configuration as JsonObject },
  ]);
}

/** Decodes images of a shape and a data type with the codec, without an array around it. */
export async function imageDecoder(
  entry: CodecEntry,
  { codec, shape, dtype }: Pick<ImageCase, "codec" | "shape" | "dtype">,
): Promise<(image: Uint8Array) => Promise<Uint8Array>> {
  const kernels = await loadKernels();
  await entry.load?.(kernels, codec);
  const dataType = dataTypeFromV3(dtype);
  const instance = entry.fromConfig(codec, { shape, dataType, fillValue: 0 });
  if (instance.kind !== "bytes_to_bytes") throw new Error(`expected a codec of bytes`);
  const byteLength = shape.reduce((product, length) => product * length, dataType.itemSize);
  const context = { kernels, byteLength, maximumByteLength: byteLength };
  return (image) => retryWithMissing(kernels, () => instance.decode(image, context));
}
