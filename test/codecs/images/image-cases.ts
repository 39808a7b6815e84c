/** The images of scripts/oracles/make_image_fixtures.py, and arrays of which each is the only chunk. */
import { expect } from "vitest";
import type { CodecEntry } from "../../../src/core/codecs/codec.js";
import { retryWithMissing } from "../../../src/core/codecs/modules/missing-modules.js";
import { dataTypeFromV3 } from "../../../src/data-types/registry.js";
import { loadKernels } from "../../../src/kernels/load.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { expectSame, fromBase64 } from "../../core/codecs/harness.js";
import { inShard, inV2, inV3, type StoredChunk, v2TypeOf } from "../../core/codecs/stored-chunks.js";
import { LITTLE } from "../../setup/codecs.js";

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

/**
 * The array whose chunk is the image: of v2, as zarr-python writes it and as references of TIFF files name
 * it; of v3, as virtual-tiff makes it, with a codec of bytes after `bytes`.
 */
export function storedImage({ codec, shape, dtype, image }: ImageCase): StoredChunk {
  const { id, ...configuration } = codec;
  if (typeof id !== "string") throw new Error("a codec without an id");
  return {
    ...{ chunk: image, shape, dataType: dtype, dtype: v2TypeOf(dtype), v2: { compressor: codec } },
    codecs: [LITTLE, { name: id, configuration }],
  };
}

export const storeOfV2 = (each: ImageCase): Map<string, Uint8Array> => inV2(storedImage(each));
export const storeOfV3 = (each: ImageCase): Map<string, Uint8Array> => inV3(storedImage(each));
/** As zarr-python writes it with imagecodecs.zarr: the image is what the elements become at once. */
export const storeOfSerializer = (each: ImageCase): Map<string, Uint8Array> => {
  const stored = storedImage(each);
  return inV3({ ...stored, codecs: stored.codecs.slice(1) });
};
export const storeOfShard = (each: ImageCase): Map<string, Uint8Array> => inShard(storedImage(each));

/** Greatest difference from imagecodecs that is allowed, by the beginning of a name. Else none is. */
const BOUNDS: readonly (readonly [RegExp, number])[] = [
  // OpenJPEG here, OpenJPH there: they round the wavelet differently.
  [/^htj2k lossy/, 1],
  // Two builds of OpenJPEG: one sample in some hundred thousand of signed colours.
  [/^jpeg2000 lossy/, 1],
];

/** Compares elements with what imagecodecs reads. */
export function expectImage(each: ImageCase, got: Uint8Array): void {
  const bound = BOUNDS.find(([name]) => name.test(each.name))?.[1];
  if (bound === undefined) {
    expectSame(got, each.values);
    return;
  }
  expect(got.length).toBe(each.values.length);
  const [mine, theirs] = [got, each.values].map((bytes) => {
    const own = Uint8Array.from(bytes).buffer;
    const Samples = { uint16: Uint16Array, int16: Int16Array, int8: Int8Array }[each.dtype] ?? Uint8Array;
    return Array.from(new Samples(own));
  });
  const worst = Math.max(...(mine ?? []).map((value, i) => Math.abs(value - (theirs?.[i] ?? Number.NaN))));
  expect(worst).toBeLessThanOrEqual(bound);
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
