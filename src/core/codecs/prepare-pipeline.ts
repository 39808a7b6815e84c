/** Pipelines of registered codecs. */

import type { Kernels } from "../../kernels/kernels.js";
import type { ArrayMetadata, CodecMetadata } from "../../metadata/model.js";
import * as assemble from "./assemble-pipeline.js";
import type { ChunkSpec } from "./codec.js";
import type { Pipeline } from "./pipeline.js";
import { codecSource } from "./registry/registry.js";

/** @throws UnknownCodecError, InvalidMetadataError when the codecs do not form a pipeline */
export const preparePipeline = (metadata: ArrayMetadata, kernels: Kernels): Promise<Pipeline> =>
  assemble.preparePipeline(codecSource, metadata, kernels);

/** Prepares a list of codecs in v3 form. @throws UnknownCodecError, InvalidMetadataError */
export const prepareCodecs = (
  codecs: readonly CodecMetadata[],
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<Pipeline> => assemble.prepareCodecs(codecSource, codecs, spec, kernels);
