/**
 * A cache of row views. Each chunk is decoded to the same address, and making the view of a row takes longer
 * than copying its bytes. Measured (Node 20, rows of 1 KiB into a result of 128 MiB): 250 ns a row with a new
 * view for each, 140 with cached ones.
 */
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import type { ChunkDecoder, ResultWindow } from "./assembler.js";
import { copyRows } from "./rows.js";

/** Copying fewer rows takes less time than looking for their views. */
const FEWEST_ROWS = 16;
/**
 * Limits of rows per plan, of plans, and of views in all: a view takes some 100 bytes. Chunks at edges of
 * arrays and windows have other views.
 */
const MOST_ROWS = 8192;
const MOST_KNOWN = 32;
const MOST_VIEWS = 32768;
/** Bytes that encoders may add to a chunk that they cannot compress. */
const GROWTH = 4096;
/** Longer chunks have enough rows each, and `allocate` below would reserve too much memory for them. */
const LONGEST = 16 << 20;

/** Row views by the position of the rows; an empty list after the first use. */
const known = new Map<string, readonly Uint8Array[]>();
/** Number of views in `known`. */
let viewCount = 0;
/**
 * The memory of all views: scratch memory. It lives as long as its thread, and is another buffer after it has
 * grown.
 */
let knownIn: ArrayBufferLike | undefined;

/**
 * Returns the window with a `copy` that uses cached views; the window itself for elements of variable length,
 * and for long chunks.
 */
export function withRowViewCache(window: ResultWindow, { kernels, pipeline }: ChunkDecoder): ResultWindow {
  if (window.assembler || pipeline.byteLength > LONGEST) return window;
  const room = pipeline.byteLength + GROWTH;
  return {
    ...window,
    // Reserves the same room for every chunk, so that decoded bytes after it always have the same address.
    allocate: (encoded) => kernels.allocate(Math.max(encoded, room)).subarray(0, encoded),
    copy(plan, target, targetOffset, source, sourceOffset) {
      const views = viewsOf(plan, source, sourceOffset + plan.sourceStart, kernels);
      if (views === undefined) {
        copyRows(plan, target, targetOffset, source, sourceOffset);
        return;
      }
      const { outer, inner } = nestOf(plan);
      let at = targetOffset + plan.targetStart;
      for (let i = 0, row = 0; i < outer.count; i++, at += outer.target) {
        for (let j = 0, to = at; j < inner.count; j++, row++, to += inner.target) {
          const view = views[row];
          if (view !== undefined) target.set(view, to);
        }
      }
    },
  };
}

interface Loop {
  readonly count: number;
  readonly target: number;
  readonly source: number;
}

/** The loops over rows of a plan with one or two dimensions. */
function nestOf({ dimensions }: CopyPlan): { readonly outer: Loop; readonly inner: Loop } {
  const loop = ([count = 1, target = 0, source = 0]: readonly number[]): Loop => ({ count, target, source });
  return { outer: loop(dimensions.slice(0, -3)), inner: loop(dimensions.slice(-3)) };
}

/** Views of the rows of a plan; undefined if the rows should be copied with `copyRows`. */
function viewsOf(
  plan: CopyPlan,
  { buffer, byteOffset }: Uint8Array,
  from: number,
  kernels: Kernels,
): readonly Uint8Array[] | undefined {
  const { kind, run, dimensions } = plan;
  if (kind === "empty" || dimensions.length < 3 || dimensions.length > 6) return undefined;
  const { outer, inner } = nestOf(plan);
  const count = outer.count * inner.count;
  if (count < FEWEST_ROWS || count > MOST_ROWS) return undefined;
  if (!kernels.isScratch({ buffer })) return undefined;
  if (buffer !== knownIn || known.size > MOST_KNOWN || viewCount > MOST_VIEWS) {
    known.clear();
    viewCount = 0;
  }
  knownIn = buffer;
  const start = byteOffset + from;
  const where = [start, outer.count, outer.source, inner.count, inner.source, run].join();
  const views = known.get(where);
  if (views === undefined) {
    known.set(where, []);
    return undefined;
  }
  if (views.length > 0) return views;
  viewCount += count;
  const made = Array.from({ length: count }, (_, row) => {
    const i = Math.floor(row / inner.count);
    return new Uint8Array(buffer, start + i * outer.source + (row % inner.count) * inner.source, run);
  });
  known.set(where, made);
  return made;
}
