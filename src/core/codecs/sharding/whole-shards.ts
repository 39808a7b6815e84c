/**
 * Decodes and encodes whole shards, for a sharding codec that follows a codec that changes values. For other
 * shards the engine reads and writes inner chunks one by one (src/engine/shards). Also whole chunks of any
 * pipeline, for codecs that contain other codecs.
 */

import { CodecError } from "../../../base/errors.js";
import { product } from "../../../base/shape.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { ArrayToBytesCodec, ChunkSpec } from "../codec.js";
import { retryWithMissing } from "../modules/missing-modules.js";
import { HERE, type Pipeline, type ShardLayout } from "../pipeline.js";
import { runStoredCopy } from "../stored-copy.js";
import { unwrap, wrap } from "../wrapped.js";
import { indexScratch } from "./index-table.js";
import { assemble, innerChunks, isPlain, plainOrder, planChunk, takeApart } from "./inner-elements.js";
import { cut, join } from "./shard-bytes.js";

/** Arena bytes for workspaces of codecs, whose size does not depend on the input. */
const WORKSPACES = 4 << 20;

/**
 * A sharding codec that decodes and encodes whole shards.
 * @param spec of the shard
 */
export function wholeShards(layout: ShardLayout, spec: ChunkSpec): ArrayToBytesCodec {
  const { inner } = layout;
  if (isAsynchronous(inner)) {
    return {
      kind: "array_to_bytes",
      asynchronous: {
        decode: (bytes, kernels) => decodeShardAsynchronously(layout, spec, bytes, kernels),
        encode: (elements, kernels) => encodeShardAsynchronously(layout, spec, elements, kernels),
      },
    };
  }
  return {
    kind: "array_to_bytes",
    scratchByteLength: inner.scratch() + indexScratch(layout),
    decode: (bytes, { kernels }) => decodeShard(layout, spec, bytes, kernels),
    encode: (elements, { kernels }) => encodeShard(layout, spec, elements, kernels),
  };
}

/**
 * Whether a pipeline needs `decodeWhole`: some codec is asynchronous, or the chunks are shards, which
 * `Pipeline.decode` leaves encoded.
 */
export function isAsynchronous({ asynchronous, sharding }: Pipeline): boolean {
  return asynchronous !== undefined || sharding !== undefined;
}

/**
 * Decodes a chunk to elements in C order and memory's byte order. The result may be arena memory or a view of
 * `bytes`: callers must not modify it. Only for pipelines where `isAsynchronous` is false.
 * @param spec the chunk that the pipeline was prepared for
 */
export function decodeNow(
  pipeline: Pipeline,
  spec: ChunkSpec,
  bytes: Uint8Array,
  kernels: Kernels,
): Uint8Array {
  const stored = pipeline.decode(bytes, kernels, HERE);
  if (isPlain(pipeline, spec)) return stored;
  const elements = new Uint8Array(pipeline.byteLength);
  runStoredCopy(planChunk(spec, plainOrder(spec), pipeline), kernels, elements, 0, stored, 0);
  return elements;
}

/** Encodes what `decodeNow` decodes. The result may be arena memory or `elements` itself. */
export function encodeNow(
  pipeline: Pipeline,
  spec: ChunkSpec,
  elements: Uint8Array,
  kernels: Kernels,
): Uint8Array {
  if (isPlain(pipeline, spec)) return pipeline.encode(elements, kernels, HERE);
  const stored = kernels.allocate(pipeline.byteLength);
  runStoredCopy(planChunk(spec, pipeline, plainOrder(spec)), kernels, stored, 0, elements, 0);
  return pipeline.encode(stored, kernels, HERE);
}

/** As `decodeNow`, but for any pipeline. The result is never arena memory. */
export async function decodeWhole(
  pipeline: Pipeline,
  spec: ChunkSpec,
  bytes: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const { sharding, asynchronous } = pipeline;
  if (sharding !== undefined) {
    return decodeShardAsynchronously(sharding, spec, await unwrap(pipeline, bytes, kernels, HERE), kernels);
  }
  const given = asynchronous ? await asynchronous.decode(bytes, kernels, HERE) : bytes;
  return retryWithMissing(kernels, () => {
    return kernels.within(scratchFor(given, pipeline.scratch()), () => {
      const elements = decodeNow(pipeline, spec, given, kernels);
      return kernels.isScratch(elements) ? elements.slice() : elements;
    });
  });
}

/** Encodes what `decodeWhole` decodes. The result is never arena memory. */
export async function encodeWhole(
  pipeline: Pipeline,
  spec: ChunkSpec,
  elements: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const { sharding, asynchronous } = pipeline;
  if (sharding !== undefined) {
    return wrap(pipeline, await encodeShardAsynchronously(sharding, spec, elements, kernels), kernels, HERE);
  }
  const encoded = kernels.within(pipeline.scratch(), () =>
    encodeNow(pipeline, spec, elements, kernels).slice(),
  );
  return asynchronous ? asynchronous.encode(encoded, kernels, HERE) : encoded;
}

/** @param spec of the shard */
function decodeShard(layout: ShardLayout, spec: ChunkSpec, bytes: Uint8Array, kernels: Kernels): Uint8Array {
  const { inner } = layout;
  try {
    const pieces = cut(layout, bytes, kernels);
    const elements = kernels.allocate(byteLengthOf(spec));
    assemble(layout, spec, kernels, elements, inner, ({ chunk, position }) => {
      const piece = pieces[position];
      return piece && inner.decode(piece, kernels, { key: "", chunk });
    });
    return elements;
  } catch (error) {
    throw insideShard(error);
  }
}

/** As decodeShard for inner chunks with asynchronous codecs. The result is not arena memory. */
async function decodeShardAsynchronously(
  layout: ShardLayout,
  spec: ChunkSpec,
  bytes: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const innerSpec = { ...spec, shape: layout.innerShape };
  const pieces = cut(layout, bytes, kernels);
  const decoded = new Array<Uint8Array | undefined>(layout.innerCount);
  await Promise.all(
    Array.from(innerChunks(layout), async ({ chunk, position }) => {
      const piece = pieces[position];
      if (piece === undefined) return;
      try {
        decoded[position] = await decodeWhole(layout.inner, innerSpec, piece, kernels);
      } catch (error) {
        throw insideShard(error, chunk);
      }
    }),
  );
  const elements = new Uint8Array(byteLengthOf(spec));
  assemble(layout, spec, kernels, elements, plainOrder(innerSpec), ({ position }) => decoded[position]);
  return elements;
}

function encodeShard(
  layout: ShardLayout,
  spec: ChunkSpec,
  elements: Uint8Array,
  kernels: Kernels,
): Uint8Array {
  const { inner } = layout;
  const pieces = takeApart(layout, spec, kernels, elements, inner, (stored, chunk) =>
    inner.encode(stored, kernels, { key: "", chunk }).slice(),
  );
  return join(layout, pieces, kernels);
}

async function encodeShardAsynchronously(
  layout: ShardLayout,
  spec: ChunkSpec,
  elements: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const innerSpec = { ...spec, shape: layout.innerShape };
  const inners = kernels.within(byteLengthOf(innerSpec), () =>
    takeApart(layout, spec, kernels, elements, plainOrder(innerSpec), (own) => own.slice()),
  );
  const pieces = await Promise.all(inners.map((own) => encodeWhole(layout.inner, innerSpec, own, kernels)));
  return join(layout, pieces, kernels);
}

/**
 * Puts the inner chunk into the message and removes it as the error's place: the outer pipeline adds the
 * shard as the place.
 */
function insideShard(error: unknown, inner?: readonly number[]): unknown {
  if (!(error instanceof CodecError)) return error;
  const { chunk = [], codec, offset, cause } = error;
  const coordinates = inner ?? chunk;
  const where = coordinates.length === 0 ? "" : `inner chunk [${coordinates.join(", ")}] of the shard: `;
  return new CodecError(`${where}${error.reason}`, { codec, offset, cause });
}

/**
 * Arena bytes to reserve, limited by the input's length because metadata may claim any size. Output beyond it
 * is ordinary memory.
 */
function scratchFor({ length }: Uint8Array, byteLength: number): number {
  return Math.min(byteLength, 64 * length + WORKSPACES);
}

function byteLengthOf({ shape, dataType }: ChunkSpec): number {
  return product(shape) * dataType.itemSize;
}
