/**
 * The `rectilinear` chunk grid of zarr-extensions, whose chunk lengths differ along a dimension. Loaded only
 * for arrays with one.
 */
import { at } from "../base/at.js";
import { UnsupportedError } from "../base/errors.js";
import { isJsonArray } from "./json.js";
import { Member } from "./member.js";
import type { ChunkLengths, RectilinearChunkGrid } from "./model.js";

type ChunkLength = Exclude<ChunkLengths, number>[number];

/**
 * A class, so that the throwing getter is on the prototype: code that copies or prints metadata does not run
 * it.
 */
class Rectilinear implements RectilinearChunkGrid {
  readonly name = "rectilinear";
  readonly chunkShapes: readonly ChunkLengths[];

  constructor(chunkShapes: readonly ChunkLengths[]) {
    this.chunkShapes = chunkShapes;
  }

  get chunkShape(): never {
    throw new UnsupportedError(
      "expected chunks of one shape, got a rectilinear chunk grid; read the lengths of its chunks from metadata.chunkGrid.chunkShapes",
    );
  }
}

/** @throws InvalidMetadataError that names the invalid dimension or chunk */
export function parseRectilinear(configuration: Member, shape: readonly number[]): RectilinearChunkGrid {
  configuration.ignorable(["kind", "chunk_shapes"]);
  configuration.get("kind").oneOf("inline");
  return parseChunkShapes(configuration.get("chunk_shapes"), shape);
}

/**
 * The grid of chunk shapes given to `create`, with runs of equal lengths as pairs.
 * @throws InvalidMetadataError
 */
export function rectilinearGrid(
  chunkShapes: readonly ChunkLengths[],
  shape: readonly number[],
  argument: string,
): RectilinearChunkGrid {
  const grid = parseChunkShapes(new Member(chunkShapes, {}, argument), shape);
  return new Rectilinear(grid.chunkShapes.map(shortened));
}

/** @param member lengths by dimension @throws InvalidMetadataError */
export function parseChunkShapes(member: Member, shape: readonly number[]): RectilinearChunkGrid {
  const dimensions = member.list(shape.length);
  const chunkShapes = dimensions.map((dimension, d) => parseLengths(dimension, at(shape, d)));
  const largest = chunkShapes.reduce<number>((product, lengths) => product * longest(lengths), 1);
  if (!Number.isSafeInteger(largest)) throw member.invalid("chunks of fewer than 2^53 elements");
  return new Rectilinear(chunkShapes);
}

function parseLengths(member: Member, extent: number): ChunkLengths {
  if (!isJsonArray(member.json)) return positive(member);
  let sum = 0;
  // Pairs are not expanded: a document of a few bytes may claim 10^15 chunks.
  const lengths = member.list().map((item): ChunkLength => {
    const [length, count] = isJsonArray(item.json) ? item.list(2).map(chunkLength) : [chunkLength(item)];
    if (length === undefined) throw item.invalid("a length");
    sum += length * (count ?? 1);
    return count === undefined ? length : [length, count];
  });
  if (!Number.isSafeInteger(sum)) throw member.invalid("lengths with a sum below 2^53");
  if (lengths.length === 0 || sum < extent)
    throw member.invalid(`lengths of chunks with a sum of ${extent} or more`);
  return lengths;
}

/** zarr-python wrote `true` for 1, and reads it as 1. */
const chunkLength = (member: Member): number => (member.json === true ? 1 : positive(member));

function positive(member: Member): number {
  const { json } = member;
  if (typeof json === "number" && Number.isSafeInteger(json) && json >= 1) return json;
  throw member.invalid("an integer from 1 to 2^53 - 1");
}

function longest(lengths: ChunkLengths): number {
  if (typeof lengths === "number") return lengths;
  return lengths.reduce<number>((most, each) => Math.max(most, runOf(each)[0]), 1);
}

/** Replaces equal consecutive lengths by a pair [length, count] if that is shorter. */
function shortened(lengths: ChunkLengths): ChunkLengths {
  if (typeof lengths === "number") return lengths;
  const runs: [length: number, count: number][] = [];
  for (const [length, count] of lengths.map(runOf)) {
    const last = runs.at(-1);
    if (last?.[0] === length) last[1] += count;
    else runs.push([length, count]);
  }
  return runs.flatMap(([length, count]): readonly ChunkLength[] => {
    const isShorter = (String(length).length + 1) * count - 1 > `[${length},${count}]`.length;
    return isShorter ? [[length, count]] : new Array<number>(count).fill(length);
  });
}

function runOf(item: ChunkLength): readonly [length: number, count: number] {
  return typeof item === "number" ? [item, 1] : item;
}

/**
 * The grid of an array that is resized to `shape`. If its chunks end before the new shape, one chunk with the
 * missing length is added, as in zarr-python. An array that shrinks keeps its chunks.
 * @param inner lengths of inner chunks: the added shard is a multiple of them
 */
export function grownGrid(
  grid: RectilinearChunkGrid,
  shape: readonly number[],
  inner: readonly number[] = [],
): RectilinearChunkGrid {
  const chunkShapes = grid.chunkShapes.map((lengths, d) => {
    if (typeof lengths === "number") return lengths;
    const end = lengths.map(runOf).reduce((sum, [length, count]) => sum + length * count, 0);
    const unit = inner[d] ?? 1;
    const missing = Math.ceil((at(shape, d) - end) / unit) * unit;
    return missing > 0 ? shortened([...lengths, missing]) : lengths;
  });
  return new Rectilinear(chunkShapes);
}
