/** What a fuzz target decodes with: a bytes-to-bytes codec alone, or the pipeline of an array. */
import { deflateRawSync } from "node:zlib";
import { product } from "../../src/base/shape.js";
import type { DecodeContext, VariableElements } from "../../src/core/codecs/codec.js";
import { inflate, inflateError, loadInflate, loadInflatePair } from "../../src/core/codecs/gzip/inflate.js";
import { retryWithMissing } from "../../src/core/codecs/modules/missing-modules.js";
import { loadForWriting } from "../../src/core/codecs/modules/writing-modules.js";
import { prepareCodecs } from "../../src/core/codecs/prepare-pipeline.js";
import { loadZstdKernels } from "../../src/core/codecs/zstd/zstd.js";
import { loadExtraDataTypes, parseDataType } from "../../src/data-types/registry.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { decompressWith } from "../../src/stores/icechunk/dictionary.js";
import { bytesCodec } from "../core/codecs/harness.js";
import type { FuzzArray, FuzzImage, FuzzTarget } from "./targets.js";

export interface FuzzDecoder {
  decode(source: Uint8Array, context: DecodeContext): Uint8Array;
  encode(data: Uint8Array): Uint8Array;
}

export async function decoderOf(kernels: Kernels, target: FuzzTarget): Promise<FuzzDecoder> {
  if (target.array !== undefined) return arrayDecoder(kernels, target.array, encodedOf(target));
  if (target.image !== undefined) return imageDecoder(kernels, target.image, encodedOf(target));
  if (target.hasDictionary === true) return dictionaryDecoder(kernels);
  if (target.isDeflatePair === true) return deflatePairDecoder(kernels);
  const codec = await bytesCodec(kernels, target.codec ?? target.name, target.configuration);
  await codec.loadPairs?.(kernels, undefined);
  return {
    decode: (source, context) => synchronous(codec.decode(source, context)),
    encode: (data) => synchronous(codec.encode(data, { kernels })),
  };
}

function synchronous(result: Uint8Array | Promise<Uint8Array>): Uint8Array {
  if (result instanceof Uint8Array) return result;
  throw new Error("expected a synchronous codec");
}

async function imageDecoder(
  kernels: Kernels,
  { entry, configuration, shape, dataType: name }: FuzzImage,
  examples: readonly Uint8Array[],
): Promise<FuzzDecoder> {
  await entry.load?.(kernels, configuration);
  const dataType = parseDataType(name);
  const codec = entry.fromConfig(configuration, { shape, dataType, fillValue: 0 });
  if (codec.kind !== "bytes_to_bytes") throw new Error("expected a codec of bytes");
  const byteLength = product(shape) * dataType.itemSize;
  for (const example of examples) {
    await retryWithMissing(kernels, () => {
      kernels.begin(2 ** 20);
      return codec.decode(example, { kernels, byteLength, maximumByteLength: byteLength });
    });
  }
  return {
    decode: (source, context) => synchronous(codec.decode(source, { ...context, byteLength })),
    encode: (data) => data,
  };
}

async function dictionaryDecoder(kernels: Kernels): Promise<FuzzDecoder> {
  await loadZstdKernels(kernels);
  return {
    decode(source, { maximumByteLength }) {
      const [low = 0, high = 0] = source;
      const end = 2 + low + 256 * high;
      return decompressWith(source.subarray(2, end), source.subarray(end), maximumByteLength, kernels);
    },
    encode: (data) => data,
  };
}

/** Streams of deflate, each at once with the one before it, and alone where that cannot be. */
async function deflatePairDecoder(kernels: Kernels): Promise<FuzzDecoder> {
  await loadInflate(kernels);
  const inflatePair = await loadInflatePair(kernels);
  let before: Uint8Array = new Uint8Array();
  let isFirst = false;
  return {
    decode(source, { maximumByteLength }) {
      const target = kernels.allocate(maximumByteLength);
      const others = kernels.allocate(maximumByteLength);
      isFirst = !isFirst;
      const pair = isFirst
        ? inflatePair?.([target, others], [source, before])?.[0]
        : inflatePair?.([others, target], [before, source])?.[1];
      before = source.slice();
      const result = pair ?? inflate(kernels, target, source);
      if (result.written < 0) throw inflateError("deflate", result, 0);
      return target.subarray(0, result.written);
    },
    encode: (data) => new Uint8Array(deflateRawSync(data)),
  };
}

const SOMEWHERE = { key: "/c/0", chunk: [0] };

const encodedOf = ({ seeds = [], encoded = [] }: FuzzTarget): readonly Uint8Array[] => [
  ...seeds.map((seed) => seed.encoded),
  ...encoded,
];

/** @param examples decoded once, for what a codec loads only when a chunk needs it */
async function arrayDecoder(
  kernels: Kernels,
  array: FuzzArray,
  examples: readonly Uint8Array[],
): Promise<FuzzDecoder> {
  await loadExtraDataTypes();
  const dataType = parseDataType(array.dataType);
  const spec = { shape: array.shape ?? [array.length], dataType, fillValue: dataType.defaultScalar };
  const codecs = array.codecs.map(({ name, configuration = {} }) => ({ name, configuration }));
  const pipeline = await prepareCodecs(codecs, spec, kernels);
  await loadForWriting(kernels);
  const { variable } = pipeline;
  for (const example of examples) {
    await retryWithMissing(kernels, () => {
      kernels.begin(2 ** 20);
      return pipeline.decode(example, kernels, SOMEWHERE);
    });
  }
  return {
    decode(source) {
      const decoded = pipeline.decode(source, kernels, SOMEWHERE);
      return variable === undefined ? decoded : linesOf(variable.decode(decoded, kernels, SOMEWHERE));
    },
    encode(data) {
      const elements = variable === undefined ? data : variable.encode(columnOf(data), kernels, SOMEWHERE);
      return pipeline.encode(elements, kernels, SOMEWHERE);
    },
  };
}

const LINE_END = 10;

/** Lines as elements of variable length. */
function columnOf(lines: Uint8Array): VariableElements {
  const ends = [...lines.entries()].filter(([, byte]) => byte === LINE_END).map(([at]) => at);
  return {
    offsets: Int32Array.from([0, ...ends.map((end, i) => end - i)]),
    data: lines.filter((byte) => byte !== LINE_END),
  };
}

function linesOf(elements: VariableElements): Uint8Array {
  if (!("offsets" in elements)) return new TextEncoder().encode(JSON.stringify(elements));
  const { offsets, data } = elements;
  const lines: number[] = [];
  for (let i = 1; i < offsets.length; i++) {
    lines.push(...data.subarray(Number(offsets[i - 1]), Number(offsets[i])), LINE_END);
  }
  return Uint8Array.from(lines);
}
