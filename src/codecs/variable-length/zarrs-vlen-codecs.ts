/**
 * The codec chains inside of `zarrs.vlen`: any that v3 allows for an array of offsets, and for one of bytes. That of the index is
 * prepared once. Data differ in length from chunk to chunk, and a pipeline is for one shape: `bytes` and synchronous codecs on bytes
 * do without, all other chains are prepared for every chunk, which is asynchronous.
 */
import { parseDataType } from "../../data-types/registry.js";
import { CodecError, InvalidMetadataError, UnsupportedError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { CodecMetadata } from "../../metadata/model.js";
import { product } from "../../shape.js";
import { type ByteStage, prepareByteStage, sizeByteCodecs } from "../byte-stage.js";
import type { ChunkSpec, PipelinePlace } from "../codec.js";
import { ensureRoom } from "../kernel-modules.js";
import { HERE, type Pipeline } from "../pipeline.js";
import { outOfOrder } from "../prepare-pipeline.js";
import { decodeNow, decodeWhole, encodeNow, encodeWhole, isAsynchronous } from "../sharding/whole-shards.js";

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

/** Bytes in memory order to encoded ones and back. What is decoded may be what was given, and is not to be changed. */
export interface Chain {
  /** The same at once, and results may be arena memory; undefined where some codec is asynchronous or is prepared for every chunk. */
  readonly now: ChainNow | undefined;
  /** @param byteLength exact length of what is decoded */
  decode(bytes: Uint8Array, byteLength: number, kernels: Kernels): Promise<Uint8Array>;
  encode(elements: Uint8Array, kernels: Kernels): Promise<Uint8Array>;
}

export interface ChainNow {
  decode(bytes: Uint8Array, byteLength: number, kernels: Kernels): Uint8Array;
  encode(elements: Uint8Array, kernels: Kernels): Uint8Array;
}

type Member = "index_codecs" | "data_codecs";

/**
 * @param mayChange whether codecs may give back other values than they were given (by rounding them, or by leaving bits out): what
 *   they encoded is decoded again, then, before anybody stores it
 */
function checkedChain(member: Member, mayChange: boolean, { now, decode, encode }: Chain): Chain {
  return {
    now: now && checkedNow(member, mayChange, now),
    decode: (bytes, byteLength, kernels) => naming(member, () => decode(bytes, byteLength, kernels)),
    encode: (elements, kernels) =>
      naming(member, async () => {
        const encoded = await encode(elements, kernels);
        if (mayChange) compare(elements, await decode(encoded, elements.length, kernels));
        return encoded;
      }),
  };
}

function checkedNow(member: Member, mayChange: boolean, { decode, encode }: ChainNow): ChainNow {
  return {
    decode: (bytes, byteLength, kernels) => namingNow(member, () => decode(bytes, byteLength, kernels)),
    encode: (elements, kernels) =>
      namingNow(member, () => {
        const encoded = encode(elements, kernels);
        if (mayChange) compare(elements, decode(encoded, elements.length, kernels));
        return encoded;
      }),
  };
}

/** Names the member of the configuration whose codecs failed. */
export async function naming(member: string, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await work();
  } catch (error) {
    throw inside(member, error);
  }
}

function namingNow(member: string, work: () => Uint8Array): Uint8Array {
  try {
    return work();
  } catch (error) {
    throw inside(member, error);
  }
}

/** Where the chunk is, only the pipeline around the codec knows, which adds it to errors without it. */
function inside(member: string, error: unknown): unknown {
  if (error instanceof InvalidMetadataError) {
    return new CodecError(`${member} do not fit this chunk: ${error.message}`, { cause: error });
  }
  if (!(error instanceof CodecError || error instanceof UnsupportedError)) return error;
  const codec = error.codec === undefined ? "" : `${error.codec}: `;
  const reason = `${member}: ${codec}${error.reason}`;
  // The cause of what is unsupported may be something to load (kernel-modules.ts).
  return error instanceof CodecError
    ? new CodecError(reason, { cause: error })
    : new UnsupportedError(reason, { cause: error.cause });
}

function compare(given: Uint8Array, back: Uint8Array): void {
  const wrong = given.findIndex((byte, i) => byte !== back[i]);
  if (wrong < 0) return;
  throw new CodecError(
    `expected codecs that give back what they are given, got ${back[wrong]} for byte ${given[wrong]} at ${wrong}: elements of variable length cannot be stored by codecs that round, or leave bits out`,
  );
}
