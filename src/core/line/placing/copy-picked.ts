/**
 * Copies elements between two placements, one by one or in runs. Plain loops over typed arrays copy a million
 * elements in some milliseconds.
 */
import { byteAt, int32At, noItem, numberAt, placeAt } from "../../../base/at.js";
import type { Places } from "../../../grid/index-lists.js";
import type { Placement } from "../placement.js";

/** Longest run in bytes that is copied byte by byte: a call of `set` costs as much as some 32 bytes. */
const LONG_RUN = 32;

/**
 * Copies elements in order; both placements have the same size. If several elements have one target, the last
 * one wins.
 */
export function copyPicked(
  target: Uint8Array,
  to: Placement,
  source: Uint8Array,
  from: Placement,
  itemSize: number,
): void {
  const { shape } = to;
  if (itemSize === 0 || shape.includes(0)) return;
  // Trailing dimensions that are contiguous on both sides.
  let run = 1;
  let inner = shape.length;
  while (inner > 0 && strideOf(to, inner - 1) === run && strideOf(from, inner - 1) === run)
    run *= shape[--inner] ?? noItem(shape, inner);
  const move = mover(target, source, run, itemSize);
  const targets = shape.slice(0, inner).map((_, d) => placesOf(to, d));
  const sources = shape.slice(0, inner).map((_, d) => placesOf(from, d));
  const walk = (d: number, at: number, fromAt: number): void => {
    const [toList, fromList] = [targets[d] ?? ONE, sources[d] ?? ONE];
    if (d >= inner - 1) {
      move(toList, at, fromList, fromAt);
      return;
    }
    for (let i = 0; i < toList.length; i++)
      walk(d + 1, at + placeAt(toList, i), fromAt + placeAt(fromList, i));
  };
  walk(0, to.offset, from.offset);
}
const ONE = new Int32Array(1);
function strideOf({ places, strides }: Placement, d: number): number | undefined {
  return places?.[d] === undefined ? strides[d] : undefined;
}
function placesOf({ places, strides, shape }: Placement, d: number): Places {
  const list = places?.[d];
  if (list !== undefined) return list;
  const stride = numberAt(strides, d);
  return Float64Array.from({ length: numberAt(shape, d) }, (_, i) => i * stride);
}

/** Copies one run for each pair of offsets. */
type Move = (to: Places, toOffset: number, from: Places, fromOffset: number) => void;
function mover(target: Uint8Array, source: Uint8Array, run: number, itemSize: number): Move {
  const words = (run * itemSize) / 4;
  if (run === 1 && itemSize === 2 && isAligned(target, source, 2)) {
    return moveItems(viewOf(target, Uint16Array), viewOf(source, Uint16Array));
  }
  if (run === 1 && itemSize % 4 === 0 && words <= LONG_RUN / 4 && isAligned(target, source, 4)) {
    const [into, out] = [viewOf(target, Int32Array), viewOf(source, Int32Array)];
    return words === 1 ? moveItems(into, out) : moveWords(into, out, words);
  }
  return run * itemSize === 1
    ? moveItems(target, source)
    : moveRuns(target, source, run * itemSize, itemSize);
}
function isAligned(target: Uint8Array, source: Uint8Array, unit: number): boolean {
  return [target, source].every(({ byteOffset, length }) => byteOffset % unit === 0 && length % unit === 0);
}
function viewOf<View>(
  { buffer, byteOffset, byteLength }: Uint8Array,
  View: {
    new (buffer: ArrayBufferLike, offset: number, length: number): View;
    readonly BYTES_PER_ELEMENT: number;
  },
): View {
  return new View(buffer, byteOffset, byteLength / View.BYTES_PER_ELEMENT);
}
function moveItems<View extends Uint8Array | Uint16Array | Int32Array>(target: View, source: View): Move {
  return (to, toOffset, from, fromOffset) => {
    for (let i = 0; i < to.length; i++) {
      const out = placeAt(from, i) + fromOffset;
      target[placeAt(to, i) + toOffset] = source[out] ?? noItem(source, out);
    }
  };
}

/** Copies elements of several words. Not as floats: engines do not keep the bits of every NaN. */
function moveWords(target: Int32Array, source: Int32Array, words: number): Move {
  return (to, toOffset, from, fromOffset) => {
    for (let i = 0; i < to.length; i++) {
      const into = (placeAt(to, i) + toOffset) * words;
      const out = (placeAt(from, i) + fromOffset) * words;
      for (let word = 0; word < words; word++) target[into + word] = int32At(source, out + word);
    }
  };
}
function moveRuns(target: Uint8Array, source: Uint8Array, byteLength: number, itemSize: number): Move {
  return (to, toOffset, from, fromOffset) => {
    for (let i = 0; i < to.length; i++) {
      const into = (placeAt(to, i) + toOffset) * itemSize;
      const out = (placeAt(from, i) + fromOffset) * itemSize;
      if (byteLength > LONG_RUN) target.set(source.subarray(out, out + byteLength), into);
      else for (let byte = 0; byte < byteLength; byte++) target[into + byte] = byteAt(source, out + byte);
    }
  };
}
