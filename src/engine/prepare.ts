/** Prepares an array: its codecs loaded and checked, and where its chunks are. */

import { preparePipeline } from "../codecs/prepare-pipeline.js";
import { fillPattern } from "../data-types/data-type.js";
import { chunkKey } from "../grid/chunk-grid.js";
import { loadKernels } from "../kernels/load.js";
import type { ArrayMetadata } from "../metadata/model.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import type { PreparedArray } from "./prepared.js";
import { sharedGets } from "./shared-gets.js";

export async function prepareArray(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  if (metadata.chunkGrid.name !== "regular") {
    return (await import("./rectilinear/prepare.js")).prepareRectilinear(store, prefix, metadata);
  }
  const kernels = await loadKernels();
  return {
    store,
    sharedGet: sharedGets(store)?.get,
    metadata,
    kernels,
    pipeline: await preparePipeline(metadata, kernels),
    fillPattern: fillPattern(metadata.dataType, metadata.fillValue),
    locate: (chunk) => ({ key: `${prefix}${chunkKey(metadata.chunkKeyEncoding, chunk)}`, chunk }),
  };
}
