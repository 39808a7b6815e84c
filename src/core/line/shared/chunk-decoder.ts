/** What decodes and encodes chunks. */

import type { Kernels } from "../../../kernels/kernels.js";
import type { Pipeline } from "../../codecs/pipeline.js";

/** Everything that decodes the chunks of one array, or of one shard. */
export interface ChunkDecoder {
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order. */
  readonly fillPattern: Uint8Array;
}
