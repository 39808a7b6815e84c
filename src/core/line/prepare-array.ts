/** Prepares an array for reads and writes. */
import { fillPattern } from "../../data-types/data-type.js";
import { loadKernels } from "../../kernels/load.js";
import { chunkKeysOf } from "../../metadata/chunk-key-encodings.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import { preparePipeline } from "../codecs/prepare-pipeline.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import { valuesOf } from "../stores/values.js";
import { loadLayers } from "./prepare.js";
import type { PreparedArray } from "./prepared.js";

/** Prepares an array: loads and checks its codecs, and sets up the keys of its chunks. */
export async function prepareArray(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  if (metadata.chunkGrid.name !== "regular") {
    return (await import("./rectilinear/prepare.js")).prepareRectilinear(store, prefix, metadata);
  }
  const kernels = await loadKernels();
  const keys = chunkKeysOf(metadata.chunkKeyEncoding, metadata.shape.length);
  const pipeline = await preparePipeline(metadata, kernels);
  const values = valuesOf(store);
  await loadLayers(pipeline, values.kind);
  return {
    store,
    values,
    metadata,
    kernels,
    pipeline,
    fillPattern: fillPattern(metadata.dataType, metadata.fillValue),
    locate: (chunk) => ({ key: `${prefix}${keys.keyOf(chunk)}`, chunk }),
  };
}
