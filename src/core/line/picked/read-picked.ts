/** Reads elements in any order: pieces of a shard become pieces of its inner chunks. */
import { numberAt } from "../../../base/at.js";
import type { Batch, CoreArray, Piece, Pipeline, ReadPlan, Target } from "../ports.js";
import { lineOf } from "../prepare.js";
import type { Placing, PreparedArray } from "../prepared.js";
import { countPieces } from "../progress.js";

import { type BandPlan, type ChunkProjection, eachChunk, planShard } from "../shared/bands.js";
import { HELD_FOR_READ } from "../shared/held-bytes.js";
import type { ReadOptions } from "../shared/options.js";

/** Reads the pieces of an array's own plan, which are elements in any order. */
export function readPicked(
  array: PreparedArray,
  target: Target,
  options: ReadOptions,
  placing: Placing,
): Promise<void> {
  const line = lineOf(array);
  const picked = array.plan?.([], [], 0);
  if (picked === undefined) throw new RangeError("internal error: no plan");
  const plan = planPicked(picked, array.pipeline, line);
  const done = countPieces(options.onProgress, picked.chunkCount, line.fill.length);
  return placing.run({ array, line, plan, target, options, done });
}

/** Pieces that are requested together: neighbours in a shard may come in one request. */
const AT_ONCE = 64;

/** @param plan of the array's stored chunks @param pipeline of these */
function planPicked(plan: BandPlan, pipeline: Pipeline, line: CoreArray): ReadPlan {
  return {
    chunks: plan.chunkCount,
    requests: 1,
    requestBytes: line.pipeline.byteLength,
    held: HELD_FOR_READ,
    batches: { [Symbol.iterator]: () => batchesOf(plan, pipeline) },
  };
}

function* batchesOf(plan: BandPlan, pipeline: Pipeline): Generator<Batch, void> {
  for (const chunk of eachChunk(plan)) {
    let pieces: Piece[] = [];
    for (const piece of piecesOf(chunk, pipeline)) {
      pieces.push(piece);
      if (pieces.length < AT_ONCE) continue;
      yield batchOf(pieces);
      pieces = [];
    }
    if (pieces.length > 0) yield batchOf(pieces);
  }
}

function* piecesOf(chunk: ChunkProjection, { sharding }: Pipeline): Generator<Piece, void> {
  if (sharding === undefined) {
    yield chunk;
    return;
  }
  const { gridShape, innerShape, inner } = sharding;
  const { plan } = planShard(chunk, [], innerShape, 0);
  for (const each of eachChunk(plan)) {
    const inArray = each.chunk.map((index, d) => index + numberAt(chunk.chunk, d) * numberAt(gridShape, d));
    yield* piecesOf({ ...each, chunk: inArray }, inner);
  }
}

function batchOf(pieces: readonly Piece[]): Batch {
  return {
    pieces,
    blocks: pieces.map((piece) => ({
      start: piece.parts.map(({ target }) => target),
      shape: piece.parts.map(({ count }) => count),
      pieces: [piece],
    })),
  };
}
