/**
 * Whole shards at once, for those that follow a codec that changes values; the engine reads and writes inner chunks one by one
 * (src/engine/shards). And whole chunks of any pipeline, asynchronous codecs and shards among them, for codecs that hold others.
 */

import { fillPattern } from "../../data-types/data-type.js";
import { CodecError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import { cOrderStrides, product } from "../../shape.js";
import type { ArrayToBytesCodec, ChunkSpec } from "../codec.js";
import { concatenate } from "../decoder-result.js";
import { retryWithMissing } from "../kernel-modules.js";
import {
  type ElementOrder,
  isMemoryOrder,
  planStoredCopy,
  runStoredCopy,
  type StoredCopy,
} from "../layout.js";
import { HERE, type Pipeline, type ShardLayout } from "../pipeline.js";
import { damaged, decodeIndex, encodeIndex, indexScratch } from "./index-table.js";

/** Arena bytes beyond what the codecs of a chunk ask for. */
const ROOM = 65536;
/** As many bytes as codecs want, whatever the length of their input. */
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
      ahead: {
        decode: (bytes, kernels) => decodeShardAhead(layout, spec, bytes, kernels),
        encode: (elements, kernels) => encodeShardAhead(layout, spec, elements, kernels),
      },
    };
  }
  return {
    kind: "array_to_bytes",
    scratchByteLength: 2 * inner.byteLength + inner.scratchByteLength + indexScratch(layout),
    decode: (bytes, { kernels }) => decodeShard(layout, spec, bytes, kernels),
    encode: (elements, { kernels }) => encodeShard(layout, spec, elements, kernels),
  };
}

/** Whether a pipeline is not for `decodeNow`: some codec is asynchronous, or it makes shards, which its own `decode` leaves as they are. */
export function isAsynchronous({ asynchronous, sharding }: Pipeline): boolean {
  return asynchronous || sharding !== undefined;
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
  if (sharding !== undefined) {
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
  if (sharding !== undefined) {
    return pipeline.wrap(await encodeShardAhead(sharding, spec, elements, kernels), kernels, HERE);
  }
  kernels.begin(3 * pipeline.byteLength + pipeline.scratchByteLength + ROOM);
  const encoded = encodeNow(pipeline, spec, elements, kernels).slice();
  return asynchronous ? pipeline.encodeRest(encoded, kernels, HERE) : encoded;
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

/** For inner chunks with asynchronous codecs; memory of its own. */
async function decodeShardAhead(
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

async function encodeShardAhead(
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

function byteLengthOf({ shape, dataType }: ChunkSpec): number {
  return product(shape) * dataType.itemSize;
}

type StoredOrder = ElementOrder & Pick<Pipeline, "strides">;

function plainOrder({ shape, dataType }: ChunkSpec): StoredOrder {
  return { strides: cOrderStrides(shape, dataType.itemSize), swapUnit: 1 };
}

/** Copies elements of a chunk between two orders, of which one is that of memory. */
function planChunk({ shape, dataType }: ChunkSpec, target: StoredOrder, source: StoredOrder): StoredCopy {
  const order = isMemoryOrder(target) ? source : target;
  return planStoredCopy(shape, target.strides, source.strides, dataType.itemSize, order);
}

/** The encoded inner chunks by position; undefined for those that are not there. */
function cut(layout: ShardLayout, bytes: Uint8Array, kernels: Kernels): (Uint8Array | undefined)[] {
  const { indexByteLength, indexLocation } = layout;
  if (bytes.length < indexByteLength) {
    throw damaged(`expected at least ${indexByteLength} bytes of index, got ${bytes.length}`, HERE);
  }
  const table =
    indexLocation === "start" ? bytes.subarray(0, indexByteLength) : bytes.subarray(-indexByteLength);
  const { offsets, lengths } = decodeIndex(layout, table, bytes.length, kernels, HERE);
  return Array.from(lengths, (length, position) => {
    const begin = offsets[position] ?? 0;
    return length < 0 ? undefined : bytes.subarray(begin, begin + length);
  });
}

/** A shard of encoded inner chunks, which lie in the order of their positions. */
function join(layout: ShardLayout, pieces: readonly Uint8Array[], kernels: Kernels): Uint8Array {
  const { indexByteLength, indexLocation } = layout;
  const lengths = Float64Array.from(pieces, ({ length }) => length);
  let end = indexLocation === "start" ? indexByteLength : 0;
  const offsets = lengths.map((length) => {
    end += length;
    return end - length;
  });
  const index = encodeIndex(layout, { offsets, lengths }, kernels);
  return concatenate(indexLocation === "start" ? [index, ...pieces] : [...pieces, index]);
}

/** Puts inner chunks into the shard's elements; fill value where `elementsOf` has none. */
function assemble(
  layout: ShardLayout,
  spec: ChunkSpec,
  kernels: Kernels,
  elements: Uint8Array,
  order: StoredOrder,
  elementsOf: (inner: InnerChunk) => Uint8Array | undefined,
): void {
  kernels.fill(elements, fillPattern(spec.dataType, spec.fillValue));
  const whole = plainOrder(spec);
  const copy = planChunk({ ...spec, shape: layout.innerShape }, whole, order);
  for (const inner of innerChunks(layout)) {
    const mark = kernels.mark();
    const stored = elementsOf(inner);
    if (stored !== undefined)
      runStoredCopy(copy, kernels, elements, offsetOf(inner, layout, whole.strides), stored, 0);
    kernels.release(mark);
  }
}

/** The reverse: what `finish` makes of every inner chunk, which stands in memory that is used again, by position. */
function takeApart(
  layout: ShardLayout,
  spec: ChunkSpec,
  kernels: Kernels,
  elements: Uint8Array,
  order: StoredOrder,
  finish: (stored: Uint8Array, chunk: readonly number[]) => Uint8Array,
): Uint8Array[] {
  const whole = plainOrder(spec);
  const copy = planChunk({ ...spec, shape: layout.innerShape }, order, whole);
  const pieces = new Array<Uint8Array>(layout.innerCount);
  for (const inner of innerChunks(layout)) {
    const mark = kernels.mark();
    const stored = kernels.allocate(layout.inner.byteLength);
    runStoredCopy(copy, kernels, stored, 0, elements, offsetOf(inner, layout, whole.strides));
    pieces[inner.position] = finish(stored, inner.chunk);
    kernels.release(mark);
  }
  return pieces;
}

/** Coordinates of an inner chunk, and its position in the index. */
interface InnerChunk {
  readonly chunk: readonly number[];
  readonly position: number;
}

function* innerChunks({ gridShape, gridStrides, innerCount }: ShardLayout): Generator<InnerChunk> {
  const chunk = gridShape.map(() => 0);
  for (let count = 0; count < innerCount; count++) {
    yield { chunk: [...chunk], position: dot(chunk, gridStrides) };
    for (let d = chunk.length - 1; d >= 0; d--) {
      const next = (chunk[d] ?? 0) + 1;
      chunk[d] = next < (gridShape[d] ?? 0) ? next : 0;
      if (next < (gridShape[d] ?? 0)) break;
    }
  }
}

/** Byte offset of an inner chunk's first element in the shard. */
function offsetOf({ chunk }: InnerChunk, { innerShape }: ShardLayout, strides: readonly number[]): number {
  return dot(
    chunk.map((at, d) => at * (innerShape[d] ?? 0)),
    strides,
  );
}

function dot(numbers: readonly number[], factors: readonly number[]): number {
  return numbers.reduce((sum, number, d) => sum + number * (factors[d] ?? 0), 0);
}
