/**
 * `sharding_indexed` (array -> bytes): a chunk (the shard) holds many inner chunks and an index of their byte
 * ranges. https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html Inner chunks may
 * lie in any order, with gaps, and overlap; missing ones are fill value. Index codecs must have a fixed
 * encoded length. The engine reads and writes inner chunks one by one (src/engine/shards). If an
 * array-to-array codec before the sharding codec changes values, whole-shards.ts decodes and encodes whole
 * shards instead.
 * `{"name": "sharding_indexed", "configuration": {"chunk_shape": [32, 32], "codecs": [...], "index_codecs":
 * [...], "index_location": "end"}}`
 */
import { at } from "../../../base/at.js";
import { InvalidMetadataError, UnsupportedError } from "../../../base/errors.js";
import { product } from "../../../base/shape.js";
import { parseDataType } from "../../../data-types/registry.js";
import type { JsonObject } from "../../../metadata/json.js";
import type { CodecMetadata } from "../../../metadata/model.js";
import type { ArrayToBytesCodec, ChunkSpec, CodecEntry, PipelinePlace } from "../codec.js";
import { readChoice, readCodecs, readConfiguration, wrongMember } from "../configuration.js";
import type { ShardLayout } from "../pipeline.js";
import { MOST_INNER_CHUNKS, SHARDING } from "./document.js";

const sharding: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { only: "v3", inner: "codecs" },
  fromConfig() {
    throw new InvalidMetadataError("this codec cannot be used without an array", { codec: SHARDING });
  },
  async prepare(metadata, place): Promise<ArrayToBytesCodec> {
    const { spec, decoded, transposes } = place;
    const layout = await prepareShardLayout([], metadata, spec, place);
    if (transposes === undefined) return (await import("./whole-shards.js")).wholeShards(layout, spec);
    return {
      kind: "array_to_bytes",
      sharding:
        transposes.length === 0 ? layout : await prepareShardLayout(transposes, metadata, decoded, place),
    };
  },
};
export default sharding;

/**
 * @param before transposes before the sharding codec; each inner chunk is transposed in the same way
 * @param spec the shard before these transposes
 * @throws InvalidMetadataError, UnknownCodecError
 */
async function prepareShardLayout(
  before: readonly { readonly metadata: CodecMetadata; readonly order: readonly number[] }[],
  { configuration }: CodecMetadata,
  spec: ChunkSpec,
  { kernels, prepareCodecs }: PipelinePlace,
): Promise<ShardLayout> {
  const rank = spec.shape.length;
  // Dimension i at the sharding codec is dimension order[i] of the array.
  const order = before.reduce(
    (current, { order }) => order.map((dimension) => at(current, dimension)),
    spec.shape.map((_, dimension) => dimension),
  );
  const toArray = (lengths: readonly number[]): number[] => {
    const result = new Array<number>(rank);
    order.forEach((dimension, position) => {
      result[dimension] = at(lengths, position);
    });
    return result;
  };
  const encodedShape = order.map((dimension) => at(spec.shape, dimension));
  const { chunkShape, codecs, indexCodecs, indexLocation } = readShardingConfiguration(
    configuration,
    encodedShape,
  );
  const encodedGrid = encodedShape.map((length, d) => length / at(chunkShape, d));
  const innerCount = product(encodedGrid);
  if (innerCount > MOST_INNER_CHUNKS) {
    throw new UnsupportedError(
      `expected at most ${MOST_INNER_CHUNKS} inner chunks in a shard, got ${innerCount}: its index would be larger than memory`,
      { codec: SHARDING, member: "configuration.chunk_shape" },
    );
  }
  const encodedStrides = encodedGrid.map((_, d) => product(encodedGrid.slice(d + 1)));
  const innerShape = toArray(chunkShape);
  const innerCodecs = [...before.map(({ metadata }) => metadata), ...codecs];
  const index = await prepareCodecs(
    indexCodecs,
    { shape: [...encodedGrid, 2], dataType: parseDataType("uint64"), fillValue: 2n ** 64n - 1n },
    kernels,
  );
  if (
    index.encodedByteLength === undefined ||
    index.asynchronous !== undefined ||
    index.sharding !== undefined
  ) {
    throw new InvalidMetadataError(
      "expected index codecs whose encoded length is fixed, such as bytes and crc32c: readers must know where the index begins",
      { codec: SHARDING, member: "configuration.index_codecs" },
    );
  }
  return {
    shape: spec.shape,
    innerShape,
    gridShape: toArray(encodedGrid),
    gridStrides: toArray(encodedStrides),
    innerCount,
    inner: await prepareCodecs(innerCodecs, { ...spec, shape: innerShape }, kernels),
    index,
    indexLocation,
    indexByteLength: index.encodedByteLength,
  };
}

interface ShardingConfiguration {
  /** Shape of an inner chunk after any transpose before the sharding codec. */
  readonly chunkShape: readonly number[];
  readonly codecs: readonly CodecMetadata[];
  readonly indexCodecs: readonly CodecMetadata[];
  readonly indexLocation: "start" | "end";
}

/** @throws InvalidMetadataError naming the member, also if the inner chunks do not divide the shard */
function readShardingConfiguration(
  configuration: JsonObject,
  shape: readonly number[],
): ShardingConfiguration {
  readConfiguration(SHARDING, configuration, ["chunk_shape", "codecs", "index_codecs", "index_location"]);
  return {
    chunkShape: readChunkShape(configuration, shape),
    codecs: readCodecs(SHARDING, configuration, "codecs"),
    indexCodecs: readCodecs(SHARDING, configuration, "index_codecs"),
    indexLocation:
      readChoice(SHARDING, configuration, "index_location", ["start", "end", null], null) ?? "end",
  };
}

function readChunkShape(configuration: JsonObject, shape: readonly number[]): number[] {
  const json = configuration.chunk_shape;
  const lengths = Array.isArray(json)
    ? json
        // zarr-python has written `true` for 1, and reads `true` as 1.
        .map((length) => (length === true ? 1 : length))
        .filter((length) => Number.isSafeInteger(length) && Number(length) > 0)
    : [];
  const numbers = lengths.map(Number);
  const divides =
    numbers.length === shape.length && numbers.every((length, d) => at(shape, d) % length === 0);
  if (!Array.isArray(json) || json.length !== shape.length || !divides) {
    const expected = `${shape.length} positive integers that divide the shard's shape [${shape.join(", ")}]`;
    throw wrongMember(SHARDING, "chunk_shape", expected, json);
  }
  return numbers;
}
