/**
 * Rows of scratch memory that are copied again and again: chunk after chunk is decoded into the same place. A view of a row takes longer to
 * make than what it shows takes to copy, and keeps the processor from being several rows ahead. Measured (Node 20, rows of 1 KiB into a
 * result of 128 MiB): 250 ns a row with a view for each, 140 with views that are there already.
 */
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import type { ChunkDecoder, ResultWindow } from "./assembler.js";
import { copyRows } from "./rows.js";

/** Fewer rows are copied sooner than looked for; more views would be memory worth speaking of, some 100 bytes each. */
const FEWEST_ROWS = 16;
const MOST_ROWS = 8192;
/** Chunks of the edges have rows of their own, and of two that are decoded at once either. */
const MOST_KNOWN = 8;
/** What encoders may add to a chunk in which they find nothing. */
const GROWTH = 4096;
/** Longer chunks have rows enough each; room for them is not to be had for nothing. */
const LONGEST = 16 << 20;

/** By where rows are, their views; none when they were met for the first time. */
const known = new Map<string, readonly Uint8Array[]>();
/** Where all of them are: scratch memory, which is there as long as its thread, and another when it has grown. */
let knownIn: ArrayBufferLike | undefined;

/** The window, with rows copied in that way; itself for elements that are no rows of bytes, and for long chunks. */
export function knownRows(window: ResultWindow, { kernels, pipeline }: ChunkDecoder): ResultWindow {
  if (window.assembler || pipeline.byteLength > LONGEST) return window;
  const room = pipeline.byteLength + GROWTH;
  return {
    ...window,
    // However short a chunk is encoded: what is decoded behind it is always in the same place.
    allocate: (encoded) => kernels.allocate(Math.max(encoded, room)).subarray(0, encoded),
    copy(plan, target, targetOffset, source, sourceOffset) {
      const views = viewsOf(plan, source, sourceOffset + plan.sourceStart, kernels);
      if (views === undefined) {
        copyRows(plan, target, targetOffset, source, sourceOffset);
        return;
      }
      const [, stride = 0] = plan.dimensions;
      let at = targetOffset + plan.targetStart;
      for (const row of views) {
        target.set(row, at);
        at += stride;
      }
    },
  };
}

/** Views of the rows of a plan of one dimension; undefined where they are to be copied in another way. */
function viewsOf(
  { kind, run, dimensions }: CopyPlan,
  { buffer, byteOffset }: Uint8Array,
  from: number,
  kernels: Kernels,
): readonly Uint8Array[] | undefined {
  const [count = 1, , stride = 0] = dimensions;
  if (kind === "empty" || dimensions.length !== 3 || count < FEWEST_ROWS || count > MOST_ROWS)
    return undefined;
  if (buffer !== kernels.allocate(0).buffer) return undefined;
  if (buffer !== knownIn || known.size > MOST_KNOWN) known.clear();
  knownIn = buffer;
  const start = byteOffset + from;
  const where = [start, count, stride, run].join();
  const views = known.get(where);
  if (views === undefined) {
    known.set(where, []);
    return undefined;
  }
  if (views.length > 0) return views;
  const made = Array.from({ length: count }, (_, i) => new Uint8Array(buffer, start + i * stride, run));
  known.set(where, made);
  return made;
}
