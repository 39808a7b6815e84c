/**
 * The array half of a pipeline whose elements have no fixed size. A transpose is only strides, counted in elements, and so is a reshape of
 * elements in C order; what makes bytes
 * of the elements is the array-to-bytes codec's `variable`; or an array-to-array codec's makes elements of fixed size, and all
 * codecs behind it are as for those.
 */
import { isColumnData } from "../../data-types/column.js";
import { CodecError, InvalidMetadataError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import { cOrderStrides, product } from "../../shape.js";
import {
  type ArrayStage,
  type NamedArrayCodec,
  type NamedSerializer,
  NOMINAL_ITEM_SIZE,
  preparePasses,
  untranspose,
} from "../array-stage.js";
import { located, sizeByteCodecs } from "../byte-stage.js";
import type {
  ArrayToArrayCodec,
  BytesToBytesCodec,
  ChunkSpec,
  DecodeContext,
  VariableElements,
} from "../codec.js";
import { DecodedTooLong } from "../decoder-result.js";
import { planStoredCopy, runStoredCopy, type StoredCopy } from "../layout.js";
import { joinAhead, type NamedCodec, type VariablePipeline } from "../pipeline.js";
import { bytesOf, concatenated } from "./columns.js";

/** Says how long a chunk may be as it is stored, unless a read gives a number: `maximumDecoded` follows that length. */
const MAXIMUM_BYTES = 2 ** 31;

/**
 * Bytes that a stored chunk whose elements have no fixed size decodes to at most, unless the read says otherwise. Columns of real text
 * become some twenty times as long; what compresses better than the factor, as few values that repeat do, mostly fits the least.
 */
export function maximumDecoded(
  { maximumDecodedBytes }: { readonly maximumDecodedBytes?: number | undefined },
  encodedLength: number,
): number {
  return maximumDecodedBytes ?? Math.min(Math.max(LEAST_MAXIMUM, EXPANSION * encodedLength), 2 ** 32);
}

const LEAST_MAXIMUM = 256 << 20;
const EXPANSION = 32;

/** What is refused for its length and nothing else, with what can be done about it. @param length that the chunk is stored with */
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

/** @param byteLength that the chunk is stored with */
export const adviceFor = (byteLength: number): string =>
  `its ${byteLength} stored bytes are too few for more: where you trust the store, read with a larger maximumDecodedBytes`;

export interface VariableStage {
  readonly stage: ArrayStage;
  readonly pipeline: VariablePipeline | undefined;
  /** Bytes that the array-to-bytes codec makes of a chunk at most, where there is no telling but by experience. */
  readonly maximumByteLength: number;
  size(codecs: readonly { name: string; codec: BytesToBytesCodec }[]): NamedCodec[];
}

/** @throws InvalidMetadataError for codecs that are not for elements of variable length */
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
      scratchByteLength: fixed?.stage.scratchByteLength ?? 0,
      asStored: false,
      decode: fixed?.decode ?? ((bytes) => bytes),
      encode: fixed?.encode ?? ((bytes) => bytes),
      join: joinAhead(serializer.codec),
    },
    maximumByteLength: MAXIMUM_BYTES,
    pipeline: variable && {
      partial: order === undefined ? serializer.codec.variable?.partial : undefined,
      decode(bytes, kernels, at) {
        try {
          const elements = variable.decode(bytes, kernels, at);
          return order === undefined ? elements : taken(elements, order.stored());
        } catch (error) {
          throw located(error, name, at);
        }
      },
      encode(elements, kernels, at) {
        try {
          const stored = order === undefined ? elements : taken(elements, order.given());
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

/** Where elements are that pass through transposes and reshapes. @throws InvalidMetadataError for other codecs */
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
      // A reshape takes elements in C order: those that lie otherwise behind it have to be moved.
      const { shape } = codec.encoded;
      const isInOrder = cOrderStrides(shape, 1).every((stride, d) => stride === strides[d] || shape[d] === 1);
      if (!isInOrder) stored = placesIn(shape, strides, stored);
      strides = cOrderStrides((codecs[i - 1]?.codec.encoded ?? spec).shape, 1);
    } else throw unfit(name, spec);
  }
  return { strides, order: stored && orderOf(stored) };
}

// Elements in an order that strides alone do not give: those of a reshape behind which a transpose stands.

/** Elements that strides alone do not find: places of one order in the other, worked out when there are elements. */
interface Rearrangement {
  /** The stored place of each element. */
  stored(): Int32Array;
  /** The element at each stored place. */
  given(): Int32Array;
}

function orderOf(stored: () => Int32Array): Rearrangement {
  return { stored, given: lazily(() => inverse(stored())) };
}

/**
 * The place of each element of `shape`, in C order, that is `strides` away from the next one.
 * @param behind places of the elements that `strides` lead to, where these lie otherwise again
 */
function placesIn(
  shape: readonly number[],
  strides: readonly number[],
  behind: (() => Int32Array) | undefined,
): () => Int32Array {
  return lazily(() => {
    const places = new Int32Array(product(shape));
    const known = behind?.();
    const index = shape.map(() => 0);
    for (let i = 0, place = 0; i < places.length; i++) {
      places[i] = known === undefined ? place : (known[place] ?? 0);
      for (let d = shape.length - 1; d >= 0; d--) {
        const next = (index[d] ?? 0) + 1;
        const stride = strides[d] ?? 0;
        index[d] = next === shape[d] ? 0 : next;
        place += next === shape[d] ? stride * (1 - next) : stride;
        if (next !== shape[d]) break;
      }
    }
    return places;
  });
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function inverse(places: Int32Array): Int32Array {
  const inverted = new Int32Array(places.length);
  for (const [i, place] of places.entries()) inverted[place] = i;
  return inverted;
}

function taken(elements: VariableElements, places: Int32Array): VariableElements {
  if (!isColumnData(elements)) return Array.from(places, (place) => elements[place]);
  const values = bytesOf(elements);
  return concatenated(Array.from(places, (place) => values[place] ?? new Uint8Array()));
}

/** What follows a codec that makes elements of fixed size of those of variable length (`categorize`). */
interface FixedPart {
  /** That codec. */
  readonly name: string;
  readonly variable: ArrayToArrayCodec["variable"];
  /** The codecs before it. */
  readonly before: readonly NamedArrayCodec[];
  /** Its output. */
  readonly spec: ChunkSpec;
  readonly stage: ArrayStage;
  /** Between encoded bytes and elements of `spec` in C order and memory's byte order. */
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
