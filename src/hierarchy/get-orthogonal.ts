/** Reading by lists of indices and masks: what each dimension selects is read chunk by chunk, and put where it belongs. */
import { cOrderStrides } from "../codecs/array-stage.js";
import { forEach } from "../engine/for-each.js";
import { type PreparedArray, trackProgress } from "../engine/prepared.js";
import { type ReadOptions, readSelection } from "../engine/read.js";
import {
  type DimensionPart,
  joinParts,
  type OrthogonalDimension,
  type OrthogonalEntry,
  orthogonalDimensions,
} from "../indexing/orthogonal.js";
import type { BasicSelection } from "../indexing/selection.js";
import { product } from "../product.js";
import type { Store } from "../stores/store.js";
import { readOptions } from "./get.js";
import type { GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";
import { readRuns } from "./read-runs.js";
import { resultBytes } from "./result-bytes.js";

/** As for `get`, but that progress counts inner chunks of shards, too: they are read one by one. */
export type GetOrthogonalOptions<D> = Omit<GetOptions<D>, "shared" | "useSharedArrayBuffer">;

/** Bytes that are read in one go, where one chunk does not have more. */
const PIECE_BYTES = 8 << 20;
/** Pieces under way, each with memory of its own; its requests run at once as `concurrency` says. */
const PIECES_AT_ONCE = 2;

/** Copies `count` elements. */
type Move = (to: number, from: number, count: number) => void;

/**
 * Reads the elements at the crossings of what each dimension selects (zarr-python's `oindex`, xarray's `isel`): an entry of a basic
 * selection, a list of indices in any order and as often as wanted, or a mask of booleans. Integers drop their dimension. Every chunk that is
 * touched is decoded once.
 * @returns elements in C order, also when integers alone are given
 * @throws InvalidSelectionError, and as `get`
 */
export async function getOrthogonal<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: readonly OrthogonalEntry[],
  options?: GetOrthogonalOptions<D>,
): Promise<Chunk<D>>;
export async function getOrthogonal(
  array: ZarrArray<unknown>,
  selection: readonly OrthogonalEntry[],
  options: GetOrthogonalOptions<unknown> = {},
): Promise<unknown> {
  const dimensions = orthogonalDimensions(selection, array.shape, readRuns(array.metadata));
  const shape = dimensions.map(({ count }) => count);
  const { itemSize, variable } = array.dataType;
  const { onProgress, ...others } = options;
  const read = readOptions(others);
  const pieces = cut(dimensions, itemSize);
  const chunksTotal = dimensions.reduce((total, { parts }) => total * parts.length, 1);
  const done = trackProgress(onProgress, chunksTotal, itemSize);
  const result =
    variable === undefined
      ? fixedResult(array, options.out, product(shape))
      : await variableResult(options, product(shape));
  const strides = cOrderStrides(shape, 1);
  const prepared = await array.prepare();
  await forEach(crossings(pieces), PIECES_AT_ONCE, async (parts) => {
    read.signal?.throwIfAborted();
    const counts = parts.map(({ source }) => source.count);
    const basic: BasicSelection = { dimensions: parts.map(({ source }) => source), shape: counts };
    place(parts, strides, cOrderStrides(counts, 1), await result.read(prepared, basic, read));
    const placed = parts.map(({ source, moves }) => moves?.to.length ?? source.count);
    done({ shape: placed, chunks: { length: product(parts.map(({ chunkCount }) => chunkCount)) } });
  });
  const kept = dimensions.filter(({ drop }) => !drop).map(({ count }) => count);
  return { data: result.data, shape: kept, stride: cOrderStrides(kept, 1) };
}

interface Result {
  readonly data: unknown;
  /** Reads a piece. @returns what puts elements of it into the result */
  read(array: PreparedArray, selection: BasicSelection, options: ReadOptions): Promise<Move>;
}

function fixedResult(array: ZarrArray<unknown>, out: unknown, count: number): Result {
  const { itemSize } = array.dataType;
  const { bytes } = resultBytes(array, { out }, count * itemSize);
  return {
    data: out ?? array.dataType.view(bytes),
    async read(prepared, selection, options) {
      const piece = new Uint8Array(product(selection.shape) * itemSize);
      await readSelection(prepared, selection, piece, true, options);
      return (to, from, elements) => {
        const [target, start, end] = [to * itemSize, from * itemSize, (from + elements) * itemSize];
        // A call into the engine costs as much as some 32 bytes one by one.
        if (end - start > 32) bytes.set(piece.subarray(start, end), target);
        else for (let i = start; i < end; i++) bytes[target + i - start] = piece[i] ?? 0;
      };
    },
  };
}

async function variableResult(
  { out, invalidText = "error" }: GetOrthogonalOptions<unknown>,
  count: number,
): Promise<Result> {
  const [{ checkOut }, { readValues }] = await Promise.all([
    import("./get-variable.js"),
    import("../engine/variable/read.js"),
  ]);
  const data = checkOut(out, count) ?? new Array<unknown>(count);
  return {
    data,
    async read(prepared, selection, options) {
      const piece = await readValues(prepared, selection, undefined, { ...options, invalidText });
      return (to, from, elements) => {
        for (let i = 0; i < elements; i++) data[to + i] = piece[from + i];
      };
    },
  };
}

/** Parts by dimension: of ranges so many chunks in one as `PIECE_BYTES` hold, the last dimension first. */
function cut(
  dimensions: readonly OrthogonalDimension[],
  itemSize: number,
): readonly (readonly DimensionPart[])[] {
  const widest = dimensions.map(({ parts }) =>
    parts.reduce((most, { source }) => Math.max(most, source.count), 1),
  );
  let bytes = widest.reduce((total, count) => total * count, Math.max(1, itemSize));
  return dimensions
    .toReversed()
    .map((dimension) => {
      const fitting = dimension.isRange ? Math.max(1, Math.floor(PIECE_BYTES / bytes)) : 1;
      const group = Math.max(1, Math.min(fitting, dimension.parts.length));
      bytes *= group;
      return joinParts(dimension, group);
    })
    .toReversed();
}

/** One part of each dimension, in every combination; the last dimension fastest. */
async function* crossings(
  pieces: readonly (readonly DimensionPart[])[],
): AsyncGenerator<readonly DimensionPart[], void, undefined> {
  const total = product(pieces.map(({ length }) => length));
  for (let i = 0; i < total; i++) {
    let rest = i;
    const parts: DimensionPart[] = [];
    for (const list of pieces.toReversed()) {
      const part = list[rest % list.length];
      rest = Math.floor(rest / list.length);
      if (part !== undefined) parts.unshift(part);
    }
    yield parts;
  }
}

/** Puts a piece where it belongs, in runs as long as both sides have them. */
function place(
  parts: readonly DimensionPart[],
  targetStrides: readonly number[],
  sourceStrides: readonly number[],
  move: Move,
): void {
  // Trailing dimensions without a list that lie in one run on both sides.
  let run = 1;
  let inner = parts.length;
  while (inner > 0 && targetStrides[inner - 1] === run && parts[inner - 1]?.moves === undefined) {
    run *= parts[--inner]?.source.count ?? 1;
  }
  function walk(d: number, to: number, from: number): void {
    const part = parts[d];
    const [targetStride, sourceStride] = [targetStrides[d] ?? 1, sourceStrides[d] ?? 1];
    if (part === undefined || d >= inner) {
      const start = parts
        .slice(inner)
        .reduce((sum, { target }, i) => sum + target * (targetStrides[inner + i] ?? 1), to);
      move(start, from, run);
    } else if (part.moves === undefined) {
      for (let i = 0; i < part.source.count; i++)
        walk(d + 1, to + (part.target + i) * targetStride, from + i * sourceStride);
    } else {
      const { from: sources, to: targets } = part.moves;
      for (let i = 0; i < targets.length; i++) {
        walk(d + 1, to + (targets[i] ?? 0) * targetStride, from + (sources[i] ?? 0) * sourceStride);
      }
    }
  }
  walk(0, 0, 0);
}
