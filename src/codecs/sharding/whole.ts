/**
 * Whole shards at once, for those that follow a codec that changes values; the engine reads and writes inner chunks one by one
 * (src/engine/shards). And whole chunks of any pipeline, asynchronous codecs and shards among them, for codecs that hold others.
 */
import { CodecError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { ChunkSpec } from "../codec.js";
import { retryWithMissing } from "../missing-module.js";
import type { Pipeline, ShardLayout } from "../prepared-pipeline.js";
import { isMemoryOrder, runStoredCopy } from "../stored-copy.js";
import { indexScratch } from "./index-table.js";
import {
  assemble,
  byteLengthOf,
  cut,
  HERE,
  innerChunks,
  join,
  plainOrder,
  planChunk,
  takeApart,
} from "./inner-chunks.js";

/** Arena bytes beyond what the codecs of a chunk ask for. */
const ROOM = 65536;
/** As many bytes as codecs want, whatever the length of their input. */
const WORKSPACES = 4 << 20;

/** Whether anything in a pipeline is asynchronous, inside of shards as well. */
export function isAsynchronous({ asynchronous, sharding }: Pipeline): boolean {
  return asynchronous || (sharding !== undefined && isAsynchronous(sharding.inner));
}

/**
 * The elements of a chunk in C order and memory's byte order: memory of the arena, of their own, or that of `bytes`, not to be changed. For
 * pipelines that are not asynchronous.
 * @param spec of the chunk, which the pipeline was prepared with
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

/** The reverse of `decodeNow`; the result may be arena memory or `elements` itself. */
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

/** Whether stored elements are elements in C order and memory's byte order. */
function isPlain(pipeline: Pipeline, spec: ChunkSpec): boolean {
  const { strides } = plainOrder(spec);
  return isMemoryOrder(pipeline) && pipeline.strides.every((stride, d) => stride === strides[d]);
}

/** As `decodeNow`, for any pipeline; nothing of the arena. */
export async function decodeWhole(
  pipeline: Pipeline,
  spec: ChunkSpec,
  bytes: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const { sharding, asynchronous } = pipeline;
  if (sharding !== undefined && isAsynchronous(sharding.inner)) {
    return decodeShardAhead(sharding, spec, await pipeline.unwrap(bytes, kernels, HERE), kernels);
  }
  const ahead = asynchronous ? await pipeline.decodeAhead(bytes, kernels, HERE) : bytes;
  return retryWithMissing(kernels, () => {
    kernels.begin(scratchFor(ahead, pipeline.scratchByteLength));
    const elements = decodeNow(pipeline, spec, ahead, kernels);
    return elements.buffer === kernels.allocate(0).buffer ? elements.slice() : elements;
  });
}

/** The reverse of `decodeWhole`; memory of its own. */
export async function encodeWhole(
  pipeline: Pipeline,
  spec: ChunkSpec,
  elements: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const { sharding, asynchronous } = pipeline;
  if (sharding !== undefined && isAsynchronous(sharding.inner)) {
    return pipeline.wrap(await encodeShardAhead(sharding, spec, elements, kernels), kernels, HERE);
  }
  kernels.begin(3 * pipeline.byteLength + pipeline.scratchByteLength + ROOM);
  const encoded = encodeNow(pipeline, spec, elements, kernels).slice();
  return asynchronous ? pipeline.encodeRest(encoded, kernels, HERE) : encoded;
}

/** @param spec of the shard */
export function decodeShard(
  layout: ShardLayout,
  spec: ChunkSpec,
  bytes: Uint8Array,
  kernels: Kernels,
): Uint8Array {
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

/** For inner chunks with asynchronous codecs; memory of its own. */
export async function decodeShardAhead(
  layout: ShardLayout,
  spec: ChunkSpec,
  bytes: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const innerSpec = { ...spec, shape: layout.innerShape };
  kernels.begin(scratchFor(bytes, indexScratch(layout)));
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
  kernels.begin(ROOM);
  const elements = new Uint8Array(byteLengthOf(spec));
  assemble(layout, spec, kernels, elements, plainOrder(innerSpec), ({ position }) => decoded[position]);
  return elements;
}

export function encodeShard(
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

export async function encodeShardAhead(
  layout: ShardLayout,
  spec: ChunkSpec,
  elements: Uint8Array,
  kernels: Kernels,
): Promise<Uint8Array> {
  const innerSpec = { ...spec, shape: layout.innerShape };
  kernels.begin(byteLengthOf(innerSpec) + ROOM);
  const inners = takeApart(layout, spec, kernels, elements, plainOrder(innerSpec), (own) => own.slice());
  const pieces = await Promise.all(inners.map((own) => encodeWhole(layout.inner, innerSpec, own, kernels)));
  kernels.begin(indexScratch(layout));
  return join(layout, pieces, kernels);
}

/** Which inner chunk becomes part of the reason: the pipeline around knows the shard, and says which one it is. */
function insideShard(error: unknown, inner?: readonly number[]): unknown {
  if (!(error instanceof CodecError)) return error;
  const { chunk = [], codec, offset, cause } = error;
  const coordinates = inner ?? chunk;
  const where = coordinates.length === 0 ? "" : `inner chunk [${coordinates.join(", ")}] of the shard: `;
  return new CodecError(`${where}${error.reason}`, { codec, offset, cause });
}

/** What bytes claim to become is no reason to make room for it: what does not fit is ordinary memory. Workspaces of codecs do fit. */
function scratchFor({ length }: Uint8Array, byteLength: number): number {
  return Math.min(byteLength, 64 * length + WORKSPACES) + ROOM;
}
