/**
 * `sharding_indexed` (array -> bytes): a chunk (the shard) holds many inner chunks and an index of where they are.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html
 * Inner chunks may stand in any order, with gaps, and overlap; absent ones are fill value. Index codecs must be of fixed encoded length.
 * The engine reads and writes inner chunks one by one (src/engine/shards); what is here decodes and encodes a whole shard, for
 * shards that follow an array-to-array codec which changes values.
 * `{"name": "sharding_indexed", "configuration": {"chunk_shape": [32, 32], "codecs": [...], "index_codecs": [...], "index_location": "end"}}`
 */
import { CodecError, InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { cOrderStrides, product } from "./array-stage.js";
import type { ArrayToBytesCodec, ChunkLocation, ChunkSpec, CodecEntry, ShardLayout } from "./codec.js";
import { fillPattern } from "./fill-pattern.js";
import { SHARDING } from "./sharding/configuration.js";
import { loadShardKernels } from "./sharding/entries.js";
import { damaged, decodeIndex, encodeIndex, indexScratch } from "./sharding/index-table.js";
import { prepareShardLayout } from "./sharding/layout.js";
import { planStoredCopy, runStoredCopy } from "./stored-copy.js";

const sharding: CodecEntry = {
  kind: "array_to_bytes",
  load: loadShardKernels,
  fromConfig() {
    throw new InvalidMetadataError("a sharding codec is prepared with its inner codecs", { codec: SHARDING });
  },
  async prepare(metadata, place): Promise<ArrayToBytesCodec> {
    const { spec, decoded, transposes } = place;
    const layout = await prepareShardLayout([], metadata, spec, place);
    const { inner } = layout;
    const scratchByteLength = 2 * inner.byteLength + inner.scratchByteLength + indexScratch(layout);
    const codec: ArrayToBytesCodec = {
      kind: "array_to_bytes",
      scratchByteLength,
      decode(bytes, { kernels }) {
        try {
          return decodeShard(layout, spec, bytes, kernels);
        } catch (error) {
          throw insideShard(error);
        }
      },
      encode: (elements, { kernels }) => encodeShard(layout, spec, elements, kernels),
    };
    if (transposes === undefined) return codec;
    return {
      ...codec,
      sharding:
        transposes.length === 0 ? layout : await prepareShardLayout(transposes, metadata, decoded, place),
    };
  },
};
export default sharding;

const HERE: ChunkLocation = { key: "", chunk: [] };

/** Which inner chunk becomes part of the reason: the pipeline around knows the shard, and says which one it is. */
function insideShard(error: unknown): unknown {
  if (!(error instanceof CodecError) || error.chunk === undefined) return error;
  const where = error.chunk.length === 0 ? "" : `inner chunk [${error.chunk.join(", ")}] of the shard: `;
  return new CodecError(`${where}${error.reason}`, {
    codec: error.codec,
    offset: error.offset,
    cause: error.cause,
  });
}

function decodeShard(layout: ShardLayout, spec: ChunkSpec, bytes: Uint8Array, kernels: Kernels): Uint8Array {
  const { inner, indexByteLength, indexLocation } = layout;
  refuseAsynchronous(layout);
  if (bytes.length < indexByteLength) {
    throw damaged(`expected at least ${indexByteLength} bytes of index, got ${bytes.length}`, HERE);
  }
  const table =
    indexLocation === "start" ? bytes.subarray(0, indexByteLength) : bytes.subarray(-indexByteLength);
  const { offsets, lengths } = decodeIndex(layout, table, bytes.length, kernels, HERE);
  const strides = cOrderStrides(layout.shape, spec.dataType.itemSize);
  const elements = kernels.allocate(product(layout.shape) * spec.dataType.itemSize);
  kernels.fill(elements, fillPattern(spec.dataType, spec.fillValue));
  const copy = planStoredCopy(layout.innerShape, strides, inner.strides, spec.dataType.itemSize, inner);
  for (const { chunk, position, offset } of innerChunks(layout, strides)) {
    const length = lengths[position] ?? -1;
    if (length < 0) continue;
    const mark = kernels.mark();
    const begin = offsets[position] ?? 0;
    const decoded = inner.decode(bytes.subarray(begin, begin + length), kernels, { key: "", chunk });
    runStoredCopy(copy, kernels, elements, offset, decoded, 0);
    kernels.release(mark);
  }
  return elements;
}

function encodeShard(
  layout: ShardLayout,
  spec: ChunkSpec,
  elements: Uint8Array,
  kernels: Kernels,
): Uint8Array {
  const { inner, indexByteLength, indexLocation, innerCount } = layout;
  refuseAsynchronous(layout);
  const strides = cOrderStrides(layout.shape, spec.dataType.itemSize);
  const copy = planStoredCopy(layout.innerShape, inner.strides, strides, spec.dataType.itemSize, inner);
  const pieces: Uint8Array[] = [];
  const offsets = new Float64Array(innerCount);
  const lengths = new Float64Array(innerCount);
  let end = indexLocation === "start" ? indexByteLength : 0;
  for (const { chunk, position, offset } of innerChunks(layout, strides)) {
    const mark = kernels.mark();
    const stored = kernels.allocate(inner.byteLength);
    runStoredCopy(copy, kernels, stored, 0, elements, offset);
    const piece = inner.encode(stored, kernels, { key: "", chunk }).slice();
    kernels.release(mark);
    offsets[position] = end;
    lengths[position] = piece.length;
    end += piece.length;
    pieces.push(piece);
  }
  const index = encodeIndex(layout, { offsets, lengths }, kernels);
  return concatenate(indexLocation === "start" ? [index, ...pieces] : [...pieces, index]);
}

function refuseAsynchronous({ inner }: ShardLayout): void {
  if (!inner.asynchronous) return;
  throw new UnsupportedError("shards behind a codec that changes values cannot hold asynchronous codecs", {
    codec: SHARDING,
  });
}

/** Every inner chunk: its coordinates, its position in the index, and the byte offset of its first element in the shard. */
export function* innerChunks(
  { gridShape, gridStrides, innerShape, innerCount }: ShardLayout,
  strides: readonly number[],
): Generator<{ chunk: number[]; position: number; offset: number }> {
  const chunk = gridShape.map(() => 0);
  for (let count = 0; count < innerCount; count++) {
    let position = 0;
    let offset = 0;
    chunk.forEach((at, d) => {
      position += at * (gridStrides[d] ?? 0);
      offset += at * (innerShape[d] ?? 0) * (strides[d] ?? 0);
    });
    yield { chunk: [...chunk], position, offset };
    for (let d = chunk.length - 1; d >= 0; d--) {
      const next = (chunk[d] ?? 0) + 1;
      chunk[d] = next < (gridShape[d] ?? 0) ? next : 0;
      if (next < (gridShape[d] ?? 0)) break;
    }
  }
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
