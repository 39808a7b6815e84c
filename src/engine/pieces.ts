/**
 * Pieces of a chunk that hold the selected elements, with gaps between them whose reading is worth saving:
 * planes that a stepped selection skips, or the bytes beside a window.
 */
import { type Loop, loopsOf, type StridedBox } from "../core/codecs/strided-box.js";
import { SMALLEST_GAP } from "./whole-or-ranges.js";

/** Pieces with gaps between them. Each is `length` bytes long; the loops give where they begin. */
interface Pieces {
  readonly length: number;
  /** Outermost first; empty if there is one piece. */
  readonly loops: readonly Loop[];
}

/**
 * The pieces of a chunk's selected elements, counted from the lowest byte, for positive and negative steps.
 */
export function piecesOf(box: StridedBox): Pieces {
  const loops = loopsOf(box);
  let length = box.itemSize;
  for (let inner = loops.at(-1); inner !== undefined; inner = loops.at(-1)) {
    if (inner.step - length >= SMALLEST_GAP) break;
    length += (inner.count - 1) * inner.step;
    loops.pop();
  }
  return { length, loops };
}

/** Total bytes of all pieces. */
export function byteLengthOf({ length, loops }: Pieces): number {
  return loops.reduce((total, { count }) => total * count, length);
}

/**
 * Visits every piece in ascending order.
 * @param visit gets the byte range of a piece, relative to the first piece
 */
export function forEachPiece(
  { length, loops }: Pieces,
  visit: (start: number, end: number) => void,
  depth = 0,
  at = 0,
): void {
  const loop = loops[depth];
  if (loop === undefined) {
    visit(at, at + length);
    return;
  }
  for (let i = 0; i < loop.count; i++) {
    forEachPiece({ length, loops }, visit, depth + 1, at + i * loop.step);
  }
}
