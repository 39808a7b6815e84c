/**
 * The codec chains inside of `zarrs.vlen`: any that v3 allows for an array of offsets, and for one of bytes. That of the index is
 * prepared once. Data differ in length from chunk to chunk, and a pipeline is for one shape: `bytes` and synchronous codecs on bytes
 * do without, all other chains are prepared for every chunk, which is asynchronous.
 */

import { parseDataType } from "../../../data-types/registry.js";
import type { CodecMetadata } from "../../../metadata/model.js";
import { product } from "../../../shape.js";
import { type ByteStage, prepareByteStage, sizeByteCodecs } from "../../byte-stage.js";
import type { ChunkSpec, PipelinePlace } from "../../codec.js";
import { outOfOrder } from "../../codec-order.js";
import { ensureRoom } from "../../kernel-module.js";
import type { ChunkLocation, Pipeline } from "../../prepared-pipeline.js";
import { decodeNow, decodeWhole, encodeNow, encodeWhole, isAsynchronous } from "../../sharding/whole.js";
import { type Chain, type ChainNow, checkedChain } from "./chain.js";

/** The pipeline around the codec knows where the chunk is. */
const HERE: ChunkLocation = { key: "", chunk: [] };

/** The chain of `count` offsets. @throws UnknownCodecError, InvalidMetadataError */
export async function prepareIndex(
  codecs: readonly CodecMetadata[],
  indexDataType: "uint32" | "uint64",
  count: number,
  { prepareCodecs, kernels }: PipelinePlace,
): Promise<Chain & { readonly pipeline: Pipeline }> {
  const spec: ChunkSpec = {
    shape: [count],
    dataType: parseDataType(indexDataType),
    fillValue: indexDataType === "uint64" ? 0n : 0,
  };
  const pipeline = await prepareCodecs(codecs, spec, kernels);
  const chain = checkedChain("index_codecs", !isBytes(codecs[0]), {
    now: isAsynchronous(pipeline)
      ? undefined
      : {
          decode: (bytes, _, kernels) => decodeNow(pipeline, spec, bytes, kernels),
          encode: (elements, kernels) => encodeNow(pipeline, spec, elements, kernels),
        },
    decode: (bytes, _, kernels) => decodeWhole(pipeline, spec, bytes, kernels),
    encode: (elements, kernels) => encodeWhole(pipeline, spec, elements, kernels),
  });
  return { ...chain, pipeline };
}

/** The chain of data of any length. @throws UnknownCodecError, InvalidMetadataError */
export async function prepareData(codecs: readonly CodecMetadata[], place: PipelinePlace): Promise<Chain> {
  const dataType = parseDataType("uint8");
  const prepare = async (byteLength: number): Promise<readonly [Pipeline, ChunkSpec]> => {
    const spec: ChunkSpec = { shape: [byteLength], dataType, fillValue: 0 };
    return [await place.prepareCodecs(codecs, spec, place.kernels), spec];
  };
  const [probe] = await prepareAny(probeLengths(codecs), prepare);
  return checkedChain("data_codecs", !isBytes(codecs[0]), {
    now: isBytes(codecs[0]) && !probe.asynchronous ? await prepareOnBytes(codecs.slice(1), place) : undefined,
    async decode(bytes, byteLength, kernels) {
      return decodeWhole(...(await prepare(byteLength)), bytes, kernels);
    },
    async encode(elements, kernels) {
      return encodeWhole(...(await prepare(elements.length)), elements, kernels);
    },
  });
}

/** Synchronous codecs on bytes. */
async function prepareOnBytes(
  codecs: readonly CodecMetadata[],
  { prepareCodec, kernels }: PipelinePlace,
): Promise<ChainNow> {
  const spec: ChunkSpec = { shape: [1], dataType: parseDataType("uint8"), fillValue: 0 };
  const named = await Promise.all(
    codecs.map(async (metadata) => {
      const codec = await prepareCodec(metadata, spec, kernels);
      if (codec.kind !== "array_to_array" && codec.kind !== "array_to_bytes") return { ...metadata, codec };
      throw outOfOrder(metadata.name, codec.kind, "before");
    }),
  );
  const stageOf = (length: number): ByteStage =>
    prepareByteStage(sizeByteCodecs(named, length, length), length);
  return {
    decode: (bytes, byteLength, kernels) => stageOf(byteLength).decode(bytes, kernels, HERE),
    encode(elements, kernels) {
      const stage = stageOf(elements.length);
      const room = 2 * elements.length + stage.scratchByteLength + 65536;
      return stage.encode(ensureRoom(kernels, elements, room), kernels, HERE);
    },
  };
}

/** Whether what is encoded are the bytes themselves, so that ranges of them can be read. */
export function isAsStored(codecs: readonly CodecMetadata[]): boolean {
  return codecs.every((codec) => {
    const { order } = codec.configuration;
    // A transpose that stands behind a reshape to several dimensions has as many entries.
    const isSame = codec.name === "transpose" && Array.isArray(order) && order.length === 1;
    return isBytes(codec) || codec.name === "reshape" || isSame;
  });
}

/** Whether a chain begins with `bytes`, so that no codec may change values. */
function isBytes(codec: CodecMetadata | undefined): boolean {
  return codec?.name === "bytes" || codec?.name === "endian";
}

/** Lengths of which one fits if any does: codecs that reshape or split say what must divide a length, or what it is. */
function probeLengths(codecs: readonly CodecMetadata[]): number[] {
  const lengths = codecs.map(({ configuration: { shape, chunk_shape: sizes = shape } }) =>
    (Array.isArray(sizes) ? sizes : []).map(Number).reduce((all, size) => (size > 0 ? all * size : all), 1),
  );
  const all = product(lengths);
  return [all, ...lengths].filter(Number.isSafeInteger);
}

async function prepareAny<Result>(
  lengths: readonly number[],
  prepare: (length: number) => Promise<Result>,
): Promise<Result> {
  const [first = 1, ...others] = lengths;
  try {
    return await prepare(first);
  } catch (error) {
    for (const length of others) {
      const found = await prepare(length).catch(() => undefined);
      if (found !== undefined) return found;
    }
    throw error;
  }
}
