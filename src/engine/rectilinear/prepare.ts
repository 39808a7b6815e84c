import type { Pipeline } from "../../codecs/pipeline.js";
import { preparePipeline } from "../../codecs/prepare-pipeline.js";
import { innerChunkShape } from "../../codecs/sharding/layout.js";
import { InvalidMetadataError } from "../../errors.js";
import { chunkRuns } from "../../grid/chunk-grid.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import type { AbsolutePath, Awaitable, Store } from "../../stores/store.js";
import { prepareArray } from "../prepare.js";
import type { PreparedArray } from "../prepared.js";
import { MOST_PIPELINES, withChunks } from "./blocks.js";
import { readBlocks, writeBlocks } from "./run.js";

/** @throws UnknownCodecError, InvalidMetadataError also for shards that inner chunks do not fit into */
export async function prepareRectilinear(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  checkShards(metadata);
  const first = chunkRuns(metadata.chunkGrid).map(([run]) => run?.length ?? 1);
  const array = await prepareArray(store, prefix, withChunks(metadata, first));
  const pipelines = new Map<string, Awaitable<Pipeline>>([[String(first), array.pipeline]]);

  function pipelineOf(chunkShape: readonly number[]): Awaitable<Pipeline> {
    const name = String(chunkShape);
    const found = pipelines.get(name);
    if (found !== undefined) return found;
    const [oldest] = pipelines.keys();
    if (oldest !== undefined && pipelines.size >= MOST_PIPELINES) pipelines.delete(oldest);
    const pipeline = preparePipeline(withChunks(metadata, chunkShape), array.kernels);
    pipelines.set(name, pipeline);
    pipeline.then(
      (prepared) => pipelines.get(name) === pipeline && pipelines.set(name, prepared),
      () => pipelines.delete(name),
    );
    return pipeline;
  }
  return { ...array, metadata, blocks: { read: readBlocks, write: writeBlocks, pipelineOf } };
}

function checkShards(metadata: ArrayMetadata): void {
  const inner = innerChunkShape(metadata);
  if (inner === undefined) return;
  for (const [d, runs] of chunkRuns(metadata.chunkGrid).entries()) {
    const odd = runs.find(({ length }) => length % (inner[d] ?? 1) !== 0);
    if (odd === undefined) continue;
    throw new InvalidMetadataError(
      `expected lengths of shards that are multiples of ${inner[d]}, the length of inner chunks, got ${odd.length}`,
      { member: `chunk_grid.configuration.chunk_shapes[${d}]` },
    );
  }
}
