/** Which encoders the codecs of an array ask for, and in which order they are stacked. */

import type { DimensionSelection } from "../../../grid/selection.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { Pipeline } from "../../codecs/pipeline.js";
import type { ChunkEncoder } from "../ports.js";
import type { ChunkDecoder } from "../shared/chunk-decoder.js";
import type { RemoteWriter } from "../shared/chunk-workers.js";
import { createLimiter } from "../shared/concurrency.js";
import { BatchEncoder, LaterEncoder, WrappedEncoder } from "./later.js";
import { ShardEncoder, type ShardWriting } from "./shards.js";
import type { WriteProgress } from "./write-progress.js";

/** The value of a write: who copies its elements, and where they are. */
export interface WriteSource {
  /** Bytes from one element to the next, by dimension of the array; elements if they have no fixed size. */
  readonly strides: readonly number[];
  /** Of the first element. */
  readonly offset: number;
  /** Makes the encoder of elements, for chunks that are no shards. */
  readonly encoder: (decoder: ChunkDecoder, elements: ElementOptions) => ChunkEncoder;
}

export interface ElementOptions {
  /** Of the whole array; only its steps are used. */
  readonly selection: readonly DimensionSelection[];
  /** Whether chunks of fill value alone are stored, too. */
  readonly writeEmptyChunks: boolean;
}

/** What the encoders of one write share. */
export interface Stack {
  readonly kernels: Kernels;
  readonly fillPattern: Uint8Array;
  readonly source: WriteSource;
  readonly elements: ElementOptions;
  readonly progress: WriteProgress | undefined;
  readonly shards: ShardWriting;
  /** How many shards of the store are encoded at once. */
  readonly shardsAtOnce: number;
  /** How many chunks are encoded by asynchronous codecs at once. */
  readonly concurrency: number;
  /** Workers whose codecs are those of the pipeline. */
  readonly remote: RemoteWriter | undefined;
}

/** @param depth how many shards are around these chunks */
export function stackEncoders(pipeline: Pipeline, stack: Stack, depth = 0): ChunkEncoder {
  const { kernels, shards, shardsAtOnce } = stack;
  const { sharding, wrapped } = pipeline;
  if (sharding === undefined) {
    const chunks = encodeChunks(pipeline, stack, depth);
    return stack.progress?.count(chunks) ?? chunks;
  }
  const inner = stackEncoders(sharding.inner, stack, depth + 1);
  const encoding = createLimiter(depth === 0 ? shardsAtOnce : Number.POSITIVE_INFINITY);
  const encoder = new ShardEncoder(inner, sharding, shards, encoding);
  return wrapped ? new WrappedEncoder(encoder, pipeline, kernels) : encoder;
}

function encodeChunks(pipeline: Pipeline, stack: Stack, depth: number): ChunkEncoder {
  const { kernels, fillPattern, source, elements, concurrency, remote } = stack;
  const now = source.encoder({ pipeline, kernels, fillPattern }, elements);
  const { asynchronous } = pipeline;
  if (asynchronous === undefined) return now;
  if (remote !== undefined && depth > 0)
    return new BatchEncoder(now, asynchronous, pipeline, kernels, remote.batches);
  return new LaterEncoder(now, asynchronous, kernels, createLimiter(concurrency), remote);
}
