/**
 * `n5_default` (array -> bytes): blocks of N5 in default mode, big-endian, first dimension fastest. Each has
 * a header with its shape. https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/n5_default
 * `codecs` are a transpose of all dimensions, `bytes` (big-endian), and at most one bytes-to-bytes codec. A
 * block smaller than the chunk (N5 cuts blocks at the edge of the array) is padded with the fill value, a
 * larger one is cut. Blocks of more than 16 times the chunk's size and the modes "varlength" and "object" are
 * errors. Written blocks have the shape of the chunk. `{"name": "n5_default", "configuration": {"codecs":
 * [{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian":
 * "big"}}, {"name": "gzip", "configuration": {"level": 5}}]}}`
 */

import {
  type ArrayToBytesCodec,
  at,
  type BytesToBytesCodec,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  type CodecMetadata,
  cOrderStrides,
  fillPattern,
  InvalidMetadataError,
  type Kernels,
  type PipelinePlace,
  planCopy,
  product,
  readCodecs,
  readConfiguration,
  UnsupportedError,
} from "../../core/for-codecs.js";

const CODEC = "n5_default";
const DATA_TYPES = /^(u?int(8|16|32|64)|float(32|64))$/;
/** Most elements of a block, as a multiple of the chunk's. */
const MAXIMUM_EXPANSION = 16;

const entry: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { only: "v3" },
  fromConfig() {
    throw new InvalidMetadataError("this codec cannot be used without an array", { codec: CODEC });
  },
  async prepare({ configuration }, place): Promise<ArrayToBytesCodec> {
    const { spec } = place;
    readConfiguration(CODEC, configuration, ["codecs"]);
    const compressor = await prepareCompressor(readCodecs(CODEC, configuration, "codecs"), place);
    if (!DATA_TYPES.test(spec.dataType.name)) {
      throw new UnsupportedError(
        `N5 has no data type ${spec.dataType.name}: expected integers of 8 to 64 bits, float32 or float64`,
        { codec: CODEC },
      );
    }
    if (spec.shape.length > 0xffff || spec.shape.some((length) => length > 0xffffffff)) {
      throw new UnsupportedError("expected at most 65535 dimensions of less than 2^32 elements", {
        codec: CODEC,
      });
    }
    const byteLength = product(spec.shape) * spec.dataType.itemSize;
    return {
      kind: "array_to_bytes",
      scratchByteLength: 2 * byteLength + (compressor?.scratchByteLength ?? 0),
      decode: (bytes, { kernels }) => decodeBlock(bytes, spec, compressor, kernels),
      encode: (elements, { kernels }) => encodeBlock(elements, spec, compressor, kernels),
    };
  },
};
export default entry;

function invalid(expected: string, got: string, index?: number): InvalidMetadataError {
  const at = index === undefined ? "" : `[${index}]`;
  return new InvalidMetadataError(`expected ${expected}, got ${got}`, {
    codec: CODEC,
    member: `configuration.codecs${at}`,
  });
}

async function prepareCompressor(
  codecs: readonly CodecMetadata[],
  { spec, kernels, prepareCodec }: PipelinePlace,
): Promise<BytesToBytesCodec | undefined> {
  const [first, second, third] = codecs;
  if (first === undefined || second === undefined || codecs.length > 3) {
    throw invalid("a transpose, bytes and at most one more codec", `${codecs.length} codecs`);
  }
  const transpose = await prepareCodec(first, spec, kernels);
  const order = transpose.kind === "array_to_array" ? transpose.order : undefined;
  if (order === undefined || order.some((dimension, i) => dimension !== order.length - 1 - i)) {
    throw invalid("a transpose of all dimensions", first.name, 0);
  }
  const bytes = await prepareCodec(second, spec, kernels);
  const isBytes = bytes.kind === "array_to_bytes" && bytes.decode === undefined;
  if (!isBytes || (bytes.swapped !== true && spec.dataType.needsEndian)) {
    throw invalid("the codec bytes, big-endian", second.name, 1);
  }
  if (third === undefined) return undefined;
  const compressor = await prepareCodec(third, spec, kernels);
  if (compressor.kind === "array_to_array" || compressor.kind === "array_to_bytes") {
    throw invalid("a bytes-to-bytes codec", third.name, 2);
  }
  if (compressor.synchronous !== true) {
    throw new UnsupportedError("N5 blocks cannot hold asynchronous codecs", { codec: third.name });
  }
  return compressor;
}

function damaged(expected: string, got: string | number, offset: number): CodecError {
  return new CodecError(`expected ${expected}, got ${got}`, { codec: CODEC, offset });
}

/**
 * Reads the shape of a block from its header.
 * @throws CodecError for a malformed header or too large a block
 */
function readHeader(bytes: Uint8Array, { shape, dataType }: ChunkSpec): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headerLength = 4 + 4 * shape.length;
  if (bytes.length < headerLength) throw damaged(`a header of ${headerLength} bytes`, bytes.length, 0);
  const mode = view.getUint16(0);
  if (mode !== 0) throw damaged("a block in default mode (0)", `mode ${mode}`, 0);
  const rank = view.getUint16(2);
  if (rank !== shape.length) throw damaged(`${shape.length} dimensions`, rank, 2);
  const block = shape.map((_, i) => view.getUint32(4 + 4 * i));
  const maximum = MAXIMUM_EXPANSION * product(shape);
  if (product(block) > maximum) {
    throw damaged(`a block of at most ${maximum} elements of ${dataType.name}`, `[${block.join(", ")}]`, 4);
  }
  return block;
}

function decodeBlock(
  bytes: Uint8Array,
  spec: ChunkSpec,
  compressor: BytesToBytesCodec | undefined,
  kernels: Kernels,
): Uint8Array {
  const { shape, dataType } = spec;
  const { itemSize, swapUnit } = dataType;
  const block = readHeader(bytes, spec);
  const byteLength = product(block) * itemSize;
  const payload = bytes.subarray(4 + 4 * shape.length);
  const stored =
    compressor?.decode(payload, { kernels, byteLength, maximumByteLength: byteLength }) ?? payload;
  if (stored instanceof Promise) throw new CodecError("expected a synchronous codec", { codec: CODEC });
  if (stored.length !== byteLength) {
    throw damaged(`${byteLength} bytes for a block of [${block.join(", ")}]`, stored.length, 0);
  }
  const elements = kernels.allocate(product(shape) * itemSize);
  const part = block.map((length, i) => Math.min(length, at(shape, i)));
  if (part.some((length, i) => length !== shape[i]))
    kernels.fill(elements, fillPattern(dataType, spec.fillValue));
  const plan = planCopy({
    shape: part,
    targetStrides: cOrderStrides(shape, itemSize),
    sourceStrides: cOrderStrides(block.toReversed(), itemSize).reverse(),
    width: itemSize,
    swapUnit,
  });
  kernels.copy(plan, elements, 0, stored, 0);
  return elements;
}

/** Encodes a block of the chunk's shape, with its header. */
function encodeBlock(
  elements: Uint8Array,
  { shape, dataType: { itemSize, swapUnit } }: ChunkSpec,
  compressor: BytesToBytesCodec | undefined,
  kernels: Kernels,
): Uint8Array {
  const stored = kernels.allocate(elements.length);
  const plan = planCopy({
    shape,
    targetStrides: cOrderStrides(shape.toReversed(), itemSize).reverse(),
    sourceStrides: cOrderStrides(shape, itemSize),
    width: itemSize,
    swapUnit,
  });
  kernels.copy(plan, stored, 0, elements, 0);
  const payload = compressor?.encode(stored, { kernels }) ?? stored;
  if (payload instanceof Promise) throw new CodecError("expected a synchronous codec", { codec: CODEC });
  const headerLength = 4 + 4 * shape.length;
  const bytes = new Uint8Array(headerLength + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(2, shape.length);
  shape.forEach((length, i) => {
    view.setUint32(4 + 4 * i, length);
  });
  bytes.set(payload, headerLength);
  return bytes;
}
