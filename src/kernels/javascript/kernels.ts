/**
 * The kernels without WebAssembly: the same bits as wasm.ts. load.ts imports this module dynamically, only if
 * it is needed.
 */

import { checkBounds, forEachIndex } from "../copy-plan.js";
import { type CopyPlan, checkSwap, fill, type Kernels } from "../kernels.js";
import { ARENA_MAXIMUM, Arena } from "../memory.js";

export function createJavaScriptKernels(): Kernels {
  const arena = new Arena(
    0,
    new Uint8Array(0),
    (byteLength) => new Uint8Array(Math.min(byteLength, ARENA_MAXIMUM)),
  );
  return {
    name: "javascript",
    within: (byteLength, work) => arena.within(byteLength, work),
    begin: (byteLength) => arena.begin(byteLength),
    allocate: (byteLength) => arena.allocate(byteLength),
    isScratch: (bytes) => arena.has(bytes),
    mark: () => arena.mark(),
    release: (mark) => arena.release(mark),

    swap(target, source, unit) {
      checkSwap(target, source, unit);
      if (unit === 1) target.set(source);
      else copyElements([source.length / unit, unit, unit], unit, unit, target, 0, source, 0);
    },

    copy(plan, target, targetOffset, source, sourceOffset) {
      if (plan.kind === "empty") return;
      checkBounds(plan, target.length, targetOffset, source.length, sourceOffset);
      copyPlanned(plan, target, targetOffset + plan.targetStart, source, sourceOffset + plan.sourceStart);
    },

    fill,

    loadTransposition: () => Promise.resolve(),
    loadModule: () => Promise.resolve(undefined),
  };
}

/** Runs of at least this many bytes take less time by `set(subarray)`, which costs about 47 ns each. */
const SET_LENGTH = 128;

/** Runs a plan whose bounds have been checked. */
function copyPlanned(
  plan: CopyPlan,
  target: Uint8Array,
  targetStart: number,
  source: Uint8Array,
  sourceStart: number,
): void {
  const { dimensions, kind, run, request } = plan;
  const unit = request.swapUnit;
  if (kind !== "rows") {
    copyElements(dimensions, run, unit, target, targetStart, source, sourceStart);
    return;
  }
  if (unit === 1 && run >= SET_LENGTH) {
    forEachIndex(dimensions, dimensions.length / 3, targetStart, sourceStart, (t, s) => {
      target.set(source.subarray(s, s + run), t);
    });
    return;
  }
  const width = unit > 1 ? unit : run % 4 === 0 ? 4 : run % 2 === 0 ? 2 : 1;
  copyElements(
    [...dimensions, run / width, width, width],
    width,
    unit,
    target,
    targetStart,
    source,
    sourceStart,
  );
}

/** Copies elements of `width` bytes (1, 2, 4, 8 or 16), by words if every address is aligned. */
function copyElements(
  dimensions: readonly number[],
  width: number,
  unit: number,
  target: Uint8Array,
  targetStart: number,
  source: Uint8Array,
  sourceStart: number,
): void {
  const word = Math.min(width, 4);
  // Positions count from the start of the buffers, at which words are aligned.
  const to = target.byteOffset + targetStart;
  const from = source.byteOffset + sourceStart;
  const isWhole = (bytes: number) => bytes % word === 0;
  const aligned =
    isWhole(to) && isWhole(from) && dimensions.every((value, i) => i % 3 === 0 || isWhole(value));
  const scale = aligned ? word : 1;
  const scaled = dimensions.map((value, i) => (i % 3 === 0 ? value : value / scale));
  const outerRank = Math.max(0, scaled.length / 3 - 1);
  const extent = scaled[outerRank * 3] ?? 1;
  const targetStride = scaled[outerRank * 3 + 1] ?? 0;
  const sourceStride = scaled[outerRank * 3 + 2] ?? 0;
  const run = <Words>(row: CopyRow<Words>, targetWords: Words, sourceWords: Words): void =>
    forEachIndex(scaled, outerRank, to / scale, from / scale, (t, s) =>
      row(targetWords, t, targetStride, sourceWords, s, sourceStride, extent, unit),
    );

  if (!aligned || width === 1) {
    const row = width === 1 ? row1 : rowOfBytes(width);
    run(row, new Uint8Array(target.buffer), new Uint8Array(source.buffer));
  } else if (width === 2) {
    const wordsOf = (buffer: ArrayBufferLike) =>
      new Uint16Array(buffer, 0, Math.floor(buffer.byteLength / 2));
    run(row2, wordsOf(target.buffer), wordsOf(source.buffer));
  } else {
    const wordsOf = (buffer: ArrayBufferLike) =>
      new Uint32Array(buffer, 0, Math.floor(buffer.byteLength / 4));
    run(width === 4 ? row4 : width === 8 ? row8 : row16, wordsOf(target.buffer), wordsOf(source.buffer));
  }
}

// Copies of one row, a function for each element width: V8 specialises a function for the typed array class
// that it has seen, and a loop that sees several classes runs 30 times slower. Positions and strides count
// elements of the arrays passed.

type CopyRow<Words> = (
  target: Words,
  t: number,
  targetStride: number,
  source: Words,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
) => void;

/** Elements of 1 byte. */
const row1: CopyRow<Uint8Array> = (target, t, targetStride, source, s, sourceStride, extent) => {
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
};

const row2: CopyRow<Uint16Array> = (target, t, targetStride, source, s, sourceStride, extent, unit) => {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const word = source[s] ?? 0;
    target[t] = (word << 8) | (word >>> 8);
  }
};

const row4: CopyRow<Uint32Array> = (target, t, targetStride, source, s, sourceStride, extent, unit) => {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
  } else if (unit === 4) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride)
      target[t] = swapWord(source[s] ?? 0);
  } else {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      target[t] = swapInWord(source[s] ?? 0, unit);
    }
  }
};

/**
 * Elements of 8 bytes as pairs of 32-bit words: a Float64Array may change NaN payloads, and a BigUint64Array
 * allocates.
 */
const row8: CopyRow<Uint32Array> = (target, t, targetStride, source, s, sourceStride, extent, unit) => {
  if (unit === 8) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      // Both words are read before the first write: a swap may be in place.
      const low = source[s] ?? 0;
      const high = source[s + 1] ?? 0;
      target[t] = swapWord(high);
      target[t + 1] = swapWord(low);
    }
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    target[t] = swapInWord(source[s] ?? 0, unit);
    target[t + 1] = swapInWord(source[s + 1] ?? 0, unit);
  }
};

/** Elements of 16 bytes, each as four 32-bit words. */
const row16: CopyRow<Uint32Array> = (target, t, targetStride, source, s, sourceStride, extent, unit) => {
  // The words of a unit change places, too: word w comes from w ^ flip.
  const flip = unit === 16 ? 3 : unit === 8 ? 1 : 0;
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const a = source[s + flip] ?? 0;
    const b = source[s + (1 ^ flip)] ?? 0;
    const c = source[s + (2 ^ flip)] ?? 0;
    const d = source[s + (3 ^ flip)] ?? 0;
    target[t] = swapInWord(a, unit);
    target[t + 1] = swapInWord(b, unit);
    target[t + 2] = swapInWord(c, unit);
    target[t + 3] = swapInWord(d, unit);
  }
};

/** Elements of any width at any address, byte by byte. */
const rowOfBytes =
  (width: number): CopyRow<Uint8Array> =>
  (target, t, targetStride, source, s, sourceStride, extent, unit) => {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      if (unit === 1) {
        for (let b = 0; b < width; b++) target[t + b] = source[s + b] ?? 0;
        continue;
      }
      for (let at = 0; at < width; at += unit) {
        for (let low = at, high = at + unit - 1; low < high; low++, high--) {
          // Both bytes are read before the first write: a swap may be in place.
          const first = source[s + low] ?? 0;
          const last = source[s + high] ?? 0;
          target[t + low] = last;
          target[t + high] = first;
        }
      }
    }
  };

/** Reverses the four bytes of a word. */
function swapWord(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** Reverses the two bytes of each half of a word. */
function swapHalves(word: number): number {
  return ((word & 0x00ff00ff) << 8) | ((word >>> 8) & 0x00ff00ff);
}

/**
 * Swaps the bytes of one word as a swap by `unit` does. The caller exchanges the words of units of 8 and 16.
 */
function swapInWord(word: number, unit: number): number {
  return unit === 1 ? word : unit === 2 ? swapHalves(word) : swapWord(word);
}
