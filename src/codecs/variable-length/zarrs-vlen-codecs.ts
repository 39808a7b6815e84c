/**
 * The codec chains in `zarrs.vlen`: any that v3 allows for an array of offsets, and for one of bytes. The
 * index chain is prepared once. The length of the data differs from chunk to chunk, and a pipeline has one
 * shape. `bytes` followed by synchronous bytes-to-bytes codecs needs no pipeline; all other data chains are
 * prepared again for every chunk, which is asynchronous.
 */

import {
  type ByteStage,
  type ChunkSpec,
  CodecError,
  type CodecMetadata,
  decodeNow,
  decodeWhole,
  encodeNow,
  encodeWhole,
  HERE,
  InvalidMetadataError,
  isAsynchronous,
  isBytesCodec,
  type Kernels,
  outOfOrder,
  type Pipeline,
  type PipelinePlace,
  parseDataType,
  prepareByteStage,
  product,
  sizeByteCodecs,
  UnsupportedError,
} from "../../core/for-codecs.js";

/** Prepares the chain for `count` offsets. @throws UnknownCodecError, InvalidMetadataError */
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
  const chain = checkedChain("index_codecs", !beginsWithBytes(codecs), {
    now: isAsynchronous(pipeline)
      ? undefined
      : {
          decode: (bytes, _, kernels) => decodeNow(pipeline, spec, bytes, kernels),
          encode: (elements, kernels) => encodeNow(pipeline, spec, elements, kernels),
          scratchByteLength: pipeline.scratch(),
        },
    decode: (bytes, _, kernels) => decodeWhole(pipeline, spec, bytes, kernels),
    encode: (elements, kernels) => encodeWhole(pipeline, spec, elements, kernels),
  });
  return { ...chain, pipeline };
}

/** Prepares the chain for data of any length. @throws UnknownCodecError, InvalidMetadataError */
export async function prepareData(codecs: readonly CodecMetadata[], place: PipelinePlace): Promise<Chain> {
  const dataType = parseDataType("uint8");
  const prepare = async (byteLength: number): Promise<readonly [Pipeline, ChunkSpec]> => {
    const spec: ChunkSpec = { shape: [byteLength], dataType, fillValue: 0 };
    return [await place.prepareCodecs(codecs, spec, place.kernels), spec];
  };
  const [probe] = await prepareAny(probeLengths(codecs), prepare);
  return checkedChain("data_codecs", !beginsWithBytes(codecs), {
    now:
      beginsWithBytes(codecs) && probe.asynchronous === undefined
        ? await prepareOnBytes(codecs.slice(1), place)
        : undefined,
    async decode(bytes, byteLength, kernels) {
      return decodeWhole(...(await prepare(byteLength)), bytes, kernels);
    },
    async encode(elements, kernels) {
      return encodeWhole(...(await prepare(elements.length)), elements, kernels);
    },
  });
}

/** The chain of synchronous bytes-to-bytes codecs, which works for data of any length. */
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
    encode: (elements, kernels) => stageOf(elements.length).encode(elements, kernels, HERE),
    scratchByteLength: stageOf(0).scratchByteLength,
  };
}

/** Whether encoding leaves the bytes unchanged, so that the store can be asked for byte ranges of them. */
export function isAsStored(codecs: readonly CodecMetadata[]): boolean {
  return codecs.every((codec) => {
    const { order } = codec.configuration;
    // A transpose of one dimension changes nothing. After a reshape to several dimensions `order` is longer.
    const isSame = codec.name === "transpose" && Array.isArray(order) && order.length === 1;
    return isBytesCodec(codec) || codec.name === "reshape" || isSame;
  });
}

/**
 * Whether a chain begins with `bytes`: then it has no array-to-array codec, and no codec can change values.
 */
function beginsWithBytes([first]: readonly CodecMetadata[]): boolean {
  return first !== undefined && isBytesCodec(first);
}

/**
 * Lengths to try when preparing codecs: `reshape` and `sharding_indexed` only accept data of certain lengths,
 * or multiples of them.
 */
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

/**
 * Converts bytes in memory's byte order to encoded bytes and back. Decoding may return its input; callers
 * must not modify the result.
 */
export interface Chain {
  /**
   * The synchronous form, whose results may be arena memory. Undefined if a codec is asynchronous, or is
   * prepared for every chunk.
   */
  readonly now: ChainNow | undefined;
  /** @param byteLength exact decoded length in bytes */
  decode(bytes: Uint8Array, byteLength: number, kernels: Kernels): Promise<Uint8Array>;
  encode(elements: Uint8Array, kernels: Kernels): Promise<Uint8Array>;
}

export interface ChainNow {
  decode(bytes: Uint8Array, byteLength: number, kernels: Kernels): Uint8Array;
  encode(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** Arena bytes that the codecs need besides their input and result. */
  readonly scratchByteLength: number;
}

type Member = "index_codecs" | "data_codecs";

/**
 * @param mayChange whether the codecs may be lossy (round values, or leave out bits). If so, encoding decodes
 * its result again and throws a CodecError if it differs
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

function checkedNow(member: Member, mayChange: boolean, chain: ChainNow): ChainNow {
  const { decode, encode, scratchByteLength } = chain;
  return {
    scratchByteLength,
    decode: (bytes, byteLength, kernels) => namingNow(member, () => decode(bytes, byteLength, kernels)),
    encode: (elements, kernels) =>
      namingNow(member, () => {
        const encoded = encode(elements, kernels);
        if (mayChange) compare(elements, decode(encoded, elements.length, kernels));
        return encoded;
      }),
  };
}

/** Runs `work`, and adds the member of the configuration to its errors. */
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

/**
 * Adds the member to an error, and removes its chunk: the outer pipeline adds the chunk to errors without
 * one.
 */
function inside(member: string, error: unknown): unknown {
  if (error instanceof InvalidMetadataError) {
    return new CodecError(`${member} do not fit this chunk: ${error.message}`, { cause: error });
  }
  if (!(error instanceof CodecError || error instanceof UnsupportedError)) return error;
  const codec = error.codec === undefined ? "" : `${error.codec}: `;
  const reason = `${member}: ${codec}${error.reason}`;
  // Keeps the cause of an UnsupportedError, which may be a MissingModule (missing-modules.ts).
  return error instanceof CodecError
    ? new CodecError(reason, { cause: error })
    : new UnsupportedError(reason, { cause: error.cause });
}

function compare(expected: Uint8Array, back: Uint8Array): void {
  const wrong = expected.findIndex((byte, i) => byte !== back[i]);
  if (wrong < 0) return;
  throw new CodecError(
    `expected lossless codecs, got ${back[wrong]} back for the byte ${expected[wrong]} at ${wrong}: elements of variable length cannot be stored with codecs that round or drop bits`,
  );
}
