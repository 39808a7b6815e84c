/**
 * The array half of a pipeline whose elements have no fixed size. A transpose only changes strides, counted
 * in elements, and so does a reshape of elements in C order. The `variable` of the array-to-bytes codec
 * converts elements to bytes. If an array-to-array codec has `variable` (`categorize`), it converts them to
 * elements of fixed size, and the codecs after it are as for those.
 */
import { CodecError, InvalidMetadataError } from "../../../base/errors.js";
import { cOrderStrides, isInOrder, product } from "../../../base/shape.js";
import type { Kernels } from "../../../kernels/kernels.js";
import { STRINGS_SCRATCH } from "../../../kernels/strings-pieces.js";
import {
  type ArrayStage,
  type NamedArrayCodec,
  type NamedSerializer,
  NOMINAL_ITEM_SIZE,
  untranspose,
} from "../array-stage.js";
import { located, sizeByteCodecs } from "../byte-stage.js";
import type { ArrayToArrayCodec, BytesToBytesCodec, ChunkSpec, DecodeContext } from "../codec.js";
import { DecodedTooLong } from "../decoder-result.js";
import { preparePasses } from "../passes.js";
import type { NamedCodec, VariablePipeline } from "../pipeline.js";
import { planStoredCopy, runStoredCopy, type StoredCopy } from "../stored-copy.js";
import { orderOf, placesIn, type Rearrangement, takeElements } from "./rearrangement.js";

/**
 * Assumed limit of the encoded bytes of a chunk, for pipelines. A read limits the decoded bytes with
 * `maximumDecoded`.
 */
const MAXIMUM_BYTES = 2 ** 31;

/**
 * Limit on the decoded bytes of a chunk whose elements have no fixed size: `maximumDecodedBytes` if the read
 * gives it. Real text decodes to about 20 times its stored length. Chunks that compress better, such as few
 * repeated values, mostly fit LEAST_MAXIMUM.
 */
export function maximumDecoded(
  { maximumDecodedBytes }: { readonly maximumDecodedBytes?: number | undefined },
  encodedLength: number,
): number {
  return maximumDecodedBytes ?? Math.min(Math.max(LEAST_MAXIMUM, EXPANSION * encodedLength), 2 ** 32);
}

const LEAST_MAXIMUM = 256 << 20;
const EXPANSION = 32;

/**
 * The error with advice added, if the chunk only exceeds the limit; else undefined.
 * @param length bytes of the stored chunk
 */
function tooLong(
  error: unknown,
  length: number,
  { maximumByteLength }: DecodeContext,
): CodecError | undefined {
  const isBound = error instanceof DecodedTooLong && error.maximum >= maximumByteLength;
  if (!isBound) return undefined;
  return new CodecError(`${error.reason}; ${adviceFor(length)}`, {
    codec: error.codec,
    offset: error.offset,
  });
}

/** @param byteLength bytes of the stored chunk */
export const adviceFor = (byteLength: number): string =>
  `its ${byteLength} stored bytes are too few for more; if you trust the store, read with a larger maximumDecodedBytes`;

export interface VariableStage {
  readonly stage: ArrayStage;
  readonly pipeline: VariablePipeline | undefined;
  /** Assumed limit of the bytes that the array-to-bytes codec encodes a chunk to: no exact limit exists. */
  readonly maximumByteLength: number;
  size(codecs: readonly { name: string; codec: BytesToBytesCodec }[]): NamedCodec[];
}

/** @throws InvalidMetadataError for codecs that do not support elements of variable length */
export function prepareVariable(
  arrayCodecs: readonly NamedArrayCodec[],
  serializer: NamedSerializer,
  spec: ChunkSpec,
  encoded: ChunkSpec,
): VariableStage {
  const fixed = fixedPart(arrayCodecs, serializer, encoded);
  const { name, variable, before } = fixed ?? {
    name: serializer.name,
    variable: serializer.codec.variable,
    before: arrayCodecs,
  };
  const { strides, order } = layoutOf(before, spec, (fixed?.spec ?? encoded).shape);
  if (variable === undefined && serializer.codec.sharding === undefined) throw unfit(serializer.name, spec);
  const byteLength = product(spec.shape) * NOMINAL_ITEM_SIZE;
  return {
    stage: {
      name: serializer.name,
      byteLength,
      encodedByteLength: fixed?.stage.encodedByteLength,
      strides,
      swapUnit: 1,
      // As long again as the elements: encoders take a column apart, and put offsets and data together.
      scratchByteLength:
        3 * byteLength +
        STRINGS_SCRATCH +
        (fixed?.stage.scratchByteLength ?? serializer.codec.scratchByteLength ?? 0),
      asStored: false,
      decode: fixed?.decode ?? ((bytes) => bytes),
      encode: fixed?.encode ?? ((bytes) => bytes),
      asynchronous: serializer.codec.asynchronous,
    },
    maximumByteLength: MAXIMUM_BYTES,
    pipeline: variable && {
      partial: order === undefined ? serializer.codec.variable?.partial : undefined,
      decode(bytes, kernels, at) {
        try {
          const elements = variable.decode(bytes, kernels, at);
          return order === undefined ? elements : takeElements(elements, order.stored());
        } catch (error) {
          throw located(error, name, at);
        }
      },
      encode(elements, kernels, at) {
        try {
          const stored = order === undefined ? elements : takeElements(elements, order.inOrder());
          return variable.encode(stored, kernels);
        } catch (error) {
          throw located(error, name, at);
        }
      },
    },
    size: (codecs) =>
      fixed === undefined
        ? codecs.map(({ name, codec }) => ({
            name,
            codec,
            byteLength: undefined,
            maximumByteLength: MAXIMUM_BYTES,
            roomByteLength: 4 * byteLength,
            bound: { maximum: maximumDecoded, explain: tooLong },
          }))
        : sizeByteCodecs(codecs, fixed.stage.encodedByteLength, fixed.stage.byteLength),
  };
}

/** The layout of elements after transposes and reshapes. @throws InvalidMetadataError for other codecs */
function layoutOf(
  codecs: readonly NamedArrayCodec[],
  spec: ChunkSpec,
  encodedShape: readonly number[],
): { readonly strides: readonly number[]; readonly order: Rearrangement | undefined } {
  let strides = cOrderStrides(encodedShape, 1);
  let stored: (() => Int32Array) | undefined;
  for (const [i, { name, codec }] of [...codecs.entries()].reverse()) {
    const isReshape = codec.decode === undefined && codec.encode === undefined;
    if (codec.order !== undefined) strides = untranspose(strides, codec.order);
    else if (isReshape) {
      // A reshape needs elements in C order: if the codecs after it store another order, elements have to be
      // moved.
      const { shape } = codec.encoded;
      if (!isInOrder(shape, strides, 1)) stored = placesIn(shape, strides, stored);
      strides = cOrderStrides((codecs[i - 1]?.codec.encoded ?? spec).shape, 1);
    } else throw unfit(name, spec);
  }
  return { strides, order: stored && orderOf(stored) };
}

/**
 * A codec that converts elements of variable length to elements of fixed size (`categorize`), and the codecs
 * after it.
 */
interface FixedPart {
  /** Name of the converting codec. */
  readonly name: string;
  readonly variable: ArrayToArrayCodec["variable"];
  /** The codecs before the converting codec. */
  readonly before: readonly NamedArrayCodec[];
  /** The chunk after the converting codec. */
  readonly spec: ChunkSpec;
  readonly stage: ArrayStage;
  /** Converts between encoded bytes and elements of `spec` in C order and memory's byte order. */
  readonly decode: ArrayStage["decode"];
  readonly encode: ArrayStage["encode"];
}

function fixedPart(
  codecs: readonly NamedArrayCodec[],
  serializer: NamedSerializer,
  encoded: ChunkSpec,
): FixedPart | undefined {
  const index = codecs.findIndex(({ codec }) => codec.variable !== undefined);
  const found = codecs[index];
  if (found === undefined) return undefined;
  const { name, codec } = found;
  const spec = codec.encoded;
  const { itemSize } = spec.dataType;
  const stage = preparePasses(codecs.slice(index + 1), serializer, spec, encoded);
  const contiguous = cOrderStrides(spec.shape, itemSize);
  const gather = planStoredCopy(spec.shape, contiguous, stage.strides, itemSize, stage);
  const scatter = planStoredCopy(spec.shape, stage.strides, contiguous, itemSize, stage);
  const copied = (copy: StoredCopy, source: Uint8Array, kernels: Kernels): Uint8Array => {
    const target = kernels.allocate(stage.byteLength);
    runStoredCopy(copy, kernels, target, 0, source, 0);
    return target;
  };
  return {
    name,
    variable: codec.variable,
    before: codecs.slice(0, index),
    spec,
    stage,
    decode: (bytes, kernels) => copied(gather, stage.decode(bytes, kernels), kernels),
    encode: (elements, kernels) => stage.encode(copied(scatter, elements, kernels), kernels),
  };
}

function unfit(codec: string, { dataType }: ChunkSpec): InvalidMetadataError {
  return new InvalidMetadataError(
    `expected a codec for elements of variable length such as "vlen-utf8", "vlen-bytes" or "bytes" with data type ${dataType.name}, got "${codec}"`,
    { codec, member: "codecs" },
  );
}
