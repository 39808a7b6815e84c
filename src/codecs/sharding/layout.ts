/** What a shard looks like, worked out once per array. */
import { parseDataType } from "../../data-types/registry.js";
import { InvalidMetadataError } from "../../errors.js";
import type { CodecMetadata } from "../../metadata/model.js";
import { product } from "../../shape.js";
import type { ChunkSpec, PipelinePlace } from "../codec.js";
import type { ShardLayout } from "../prepared-pipeline.js";
import { readShardingConfiguration, SHARDING } from "./configuration.js";

/**
 * @param before transposes before the sharding codec, which apply to every inner chunk alike
 * @param spec the shard as the array sees it, before those
 * @throws InvalidMetadataError, UnknownCodecError
 */
export async function prepareShardLayout(
  before: readonly { readonly metadata: CodecMetadata; readonly order: readonly number[] }[],
  { configuration }: CodecMetadata,
  spec: ChunkSpec,
  { kernels, prepareCodecs }: PipelinePlace,
): Promise<ShardLayout> {
  const rank = spec.shape.length;
  // order[i]: the dimension of the array that is dimension i where the sharding codec stands.
  const order = before.reduce(
    (current, { order }) => order.map((dimension) => current[dimension] ?? dimension),
    spec.shape.map((_, dimension) => dimension),
  );
  const toArray = (lengths: readonly number[]): number[] => {
    const result = new Array<number>(rank);
    order.forEach((dimension, position) => {
      result[dimension] = lengths[position] ?? 1;
    });
    return result;
  };
  const encodedShape = order.map((dimension) => spec.shape[dimension] ?? 1);
  const { chunkShape, codecs, indexCodecs, indexLocation } = readShardingConfiguration(
    configuration,
    encodedShape,
  );
  const encodedGrid = encodedShape.map((length, d) => length / (chunkShape[d] ?? 1));
  const encodedStrides = encodedGrid.map((_, d) => product(encodedGrid.slice(d + 1)));
  const innerShape = toArray(chunkShape);
  const innerCodecs = [...before.map(({ metadata }) => metadata), ...codecs];
  const index = await prepareCodecs(
    indexCodecs,
    { shape: [...encodedGrid, 2], dataType: parseDataType("uint64"), fillValue: 2n ** 64n - 1n },
    kernels,
  );
  if (index.encodedByteLength === undefined || index.asynchronous || index.sharding !== undefined) {
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
    innerCount: product(encodedGrid),
    inner: await prepareCodecs(innerCodecs, { ...spec, shape: innerShape }, kernels),
    index,
    indexLocation,
    indexByteLength: index.encodedByteLength,
  };
}
