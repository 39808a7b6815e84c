/**
 * The array half of a pipeline whose elements have no fixed size. A transpose is only strides, counted in elements; what makes bytes
 * of the elements is the array-to-bytes codec's `variable`.
 */
import { InvalidMetadataError } from "../../errors.js";
import { joinAhead } from "../ahead.js";
import { type ArrayStage, cOrderStrides, NOMINAL_ITEM_SIZE, product, untranspose } from "../array-stage.js";
import type {
  ArrayToArrayCodec,
  ArrayToBytesCodec,
  BytesToBytesCodec,
  ChunkSpec,
  NamedCodec,
  VariablePipeline,
} from "../codec.js";
import { located } from "../located.js";

/**
 * Decoded bytes of a chunk at most: what offsets of 32 bits reach. Decoders make room for what their input can become,
 * not for what it claims to be.
 */
const MAXIMUM_BYTES = 2 ** 32;

export interface VariableStage {
  readonly stage: ArrayStage;
  readonly pipeline: VariablePipeline | undefined;
  size(codecs: readonly { name: string; codec: BytesToBytesCodec }[]): NamedCodec[];
}

/** @throws InvalidMetadataError for codecs that are not for elements of variable length */
export function prepareVariable(
  arrayCodecs: readonly { readonly name: string; readonly codec: ArrayToArrayCodec }[],
  serializer: { readonly name: string; readonly codec: ArrayToBytesCodec },
  spec: ChunkSpec,
  encoded: ChunkSpec,
): VariableStage {
  const { variable, sharding } = serializer.codec;
  let strides = cOrderStrides(encoded.shape, 1);
  for (const { name, codec } of arrayCodecs.toReversed()) {
    if (codec.order === undefined) throw unfit(name, spec);
    strides = untranspose(strides, codec.order);
  }
  if (variable === undefined && sharding === undefined) throw unfit(serializer.name, spec);
  const byteLength = product(spec.shape) * NOMINAL_ITEM_SIZE;
  const { name } = serializer;
  return {
    stage: {
      name,
      byteLength,
      encodedByteLength: undefined,
      strides,
      swapUnit: 1,
      scratchByteLength: 0,
      asStored: false,
      decode: (bytes) => bytes,
      encode: (bytes) => bytes,
      join: joinAhead(serializer.codec),
    },
    pipeline: variable && {
      partial: variable.partial,
      decode(bytes, kernels, at) {
        try {
          return variable.decode(bytes, kernels);
        } catch (error) {
          throw located(error, name, at);
        }
      },
      encode(elements, kernels, at) {
        try {
          return variable.encode(elements, kernels);
        } catch (error) {
          throw located(error, name, at);
        }
      },
    },
    size: (codecs) =>
      codecs.map(({ name, codec }) => ({
        name,
        codec,
        byteLength: undefined,
        maximumByteLength: MAXIMUM_BYTES,
        roomByteLength: 4 * byteLength,
      })),
  };
}

function unfit(codec: string, { dataType }: ChunkSpec): InvalidMetadataError {
  return new InvalidMetadataError(
    `expected a codec for elements of variable length such as "vlen-utf8", "vlen-bytes" or "bytes" with data type ${dataType.name}, got "${codec}"`,
    { codec, member: "codecs" },
  );
}
