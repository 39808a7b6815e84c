/** Converts runs of stored numbers to numbers that are ready to draw: masked, scaled, in another type. */
import { byteAt, noItem } from "../base/at.js";
import type { Elements } from "../kernels/elements.js";
import type { Kernels } from "../kernels/kernels.js";
import { type FloatKind, type IntegerKind, type StoredKind, WIDTHS } from "../kernels/number-kinds.js";
import { loadPacked, type Packed } from "../kernels/packed.js";

/** Floats of 16 bits, which become floats of 32 bits before anything is calculated. */
type HalfKind = "F16" | "BF16";
/** "BYTE" is any number of at most 8 bits; a table has the float32 of each byte. */
export type SourceKind = StoredKind | HalfKind | "BYTE";
export type TargetKind = IntegerKind | FloatKind | "F16";

/** A conversion as plain data, which workers can be sent. */
export interface Conversion {
  readonly from: SourceKind;
  /** For "BYTE": the number of each byte. */
  readonly table?: ArrayLike<number> | undefined;
  /** What is calculated in. */
  readonly through: FloatKind;
  readonly to: TargetKind;
  /** Stored values that are missing: see `Packed.unpack`. */
  readonly masks: Uint8Array;
  readonly factor: number;
  readonly shift: number;
  /** What missing values become; an integer for a target of integers. */
  readonly missing: number;
  /** For a target of integers: (value - low) * gain is the integer. */
  readonly low: number;
  readonly gain: number;
  readonly statistics?: StatisticsRequest | undefined;
  /** Integers to integers: the lowest bits, as they are. Nothing else is done to them. */
  readonly wraps?: boolean | undefined;
}

/** `bins` of a histogram between `low` and `high`; no bins for none. */
export interface StatisticsRequest {
  readonly bins: number;
  readonly low: number;
  readonly high: number;
}

/** What is counted of converted values, before they are rounded to integers. */
export interface Counted {
  /** Three doubles: the number of values that are not missing, the least and the greatest. */
  readonly numbers: Uint8Array;
  /** For each bin a u32. */
  readonly bins: Uint8Array;
}

/**
 * Converts the elements of `source` to as many in `target`.
 * @param counted to which their statistics are added
 */
export type Convert = (target: Uint8Array, source: Uint8Array, counted?: Counted) => void;

export const widthOf = (kind: SourceKind | TargetKind): number =>
  kind === "BYTE" ? 1 : kind === "F16" || kind === "BF16" ? 2 : WIDTHS[kind];

/**
 * Whether float32 holds all numbers of a kind. Of two such kinds one is converted to the other in float32, of
 * which a vector holds twice as many.
 */
export const isHeldByFloat32 = (kind: SourceKind | TargetKind): boolean =>
  /^(BYTE|F32|B?F16|[IU](8|16))$/.test(kind);

/** Elements per block: what lies between two steps stays in the first-level cache. */
const BLOCK = 2048;
/** Arena bytes that a conversion allocates. */
export const CONVERSION_SCRATCH = BLOCK * (8 + 4 + 8 + 4 + 8) + 1024;

/** Loads the kernels of a conversion. */
export async function loadConversion(kernels: Kernels, conversion: Conversion): Promise<Convert> {
  if (conversion.wraps === true) return lowestBits(conversion);
  const packed = await loadPacked(kernels);
  const { from, to } = conversion;
  const hasHalves = from === "F16" || from === "BF16" || to === "F16";
  const halves = hasHalves
    ? await import("../kernels/elements.js").then(({ loadElements }) => loadElements(kernels))
    : undefined;
  return converter(kernels, packed, halves, conversion);
}

/** Takes the lowest bits of each integer, and those above the highest one from its sign. */
function lowestBits({ from, to }: Conversion): Convert {
  const [sourceWidth, targetWidth] = [widthOf(from), widthOf(to)];
  const width = Math.min(sourceWidth, targetWidth);
  const isSigned = from.startsWith("I");
  return (target, source) => {
    const count = source.length / sourceWidth;
    for (let i = 0; i < count; i++) {
      const [at, to] = [i * sourceWidth, i * targetWidth];
      for (let b = 0; b < width; b++) target[to + b] = byteAt(source, at + b);
      if (width === targetWidth) continue;
      const isNegative = isSigned && byteAt(source, at + width - 1) > 127;
      target.fill(isNegative ? 255 : 0, to + width, to + targetWidth);
    }
  };
}

/** @param halves the functions for 16-bit floats; undefined if there are none */
export function converter(
  kernels: Kernels,
  packed: Packed,
  halves: Elements | undefined,
  { from, table = [], through, to, masks, factor, shift, missing, low, gain, statistics }: Conversion,
): Convert {
  const [sourceWidth, floatWidth, targetWidth] = [widthOf(from), WIDTHS[through], widthOf(to)];
  const isInPlace = to === through;
  const floatTo = to === "F32" || to === "F16" || to === "F64";
  const isWidened = from === "F16" || from === "BF16" || from === "BYTE";
  /** Whether nothing lies between the source and the target, so that no block is needed. */
  const isOneStep = isInPlace && !isWidened && statistics === undefined;

  /** Widens numbers that `unpack` does not take. */
  function widened(piece: Uint8Array, wide: Uint8Array): readonly [Uint8Array, StoredKind] {
    if (from !== "F16" && from !== "BF16" && from !== "BYTE") return [piece, from];
    const floats = wide.subarray(0, (piece.length / sourceWidth) * 4);
    if (from === "BYTE") {
      const numbers = new Float32Array(floats.buffer, floats.byteOffset, piece.length);
      for (let i = 0; i < piece.length; i++) {
        const byte = byteAt(piece, i);
        numbers[i] = table[byte] ?? noItem(table, byte);
      }
    } else if (from === "F16") halves?.halfToFloat(floats, piece);
    else halves?.bfloat16ToFloat(floats, piece);
    return [floats, "F32"];
  }

  function finish(target: Uint8Array, floats: Uint8Array, single: Uint8Array): void {
    if (to !== "F16" && to !== "F32" && to !== "F64") {
      packed.narrow(target, to, floats, through, missing, low, gain);
      return;
    }
    if (!Number.isNaN(missing)) packed.replaceNaN(floats, through, missing);
    if (isInPlace) return;
    if (to === "F32") packed.demote(target, floats);
    else if (through === "F32") halves?.floatToHalf(target, floats);
    else {
      const rounded = single.subarray(0, floats.length / 2);
      packed.demote(rounded, floats);
      halves?.floatToHalf(target, rounded);
    }
  }

  return (target, source, counted) => {
    const count = source.length / sourceWidth;
    const mark = kernels.mark();
    const room = (elements: number, width: number): Uint8Array => kernels.allocate(elements * width);
    const isDirect = kernels.isScratch(source) && kernels.isScratch(target);
    const block = isOneStep && isDirect ? count : Math.min(count, BLOCK);
    const listed = room(masks.length, 1);
    listed.set(masks);
    const staged = kernels.isScratch(source) ? undefined : room(block, sourceWidth);
    const wide = room(isWidened ? block : 0, 4);
    const between = isInPlace ? undefined : room(block, floatWidth);
    const single = room(floatTo && !isInPlace ? block : 0, 4);
    const out = kernels.isScratch(target) ? undefined : room(block, targetWidth);
    for (let first = 0; first < count; first += block) {
      const length = Math.min(block, count - first);
      let piece = source.subarray(first * sourceWidth, (first + length) * sourceWidth);
      if (staged) {
        staged.set(piece);
        piece = staged.subarray(0, piece.length);
      }
      const place = target.subarray(first * targetWidth, (first + length) * targetWidth);
      const written = out ? out.subarray(0, place.length) : place;
      const floats = between ? between.subarray(0, length * floatWidth) : written;
      const [stored, kind] = widened(piece, wide);
      packed.unpack(floats, through, stored, kind, listed, factor, shift);
      if (counted && statistics) {
        packed.statistics(counted.numbers, floats, through);
        if (statistics.bins > 0)
          packed.histogram(counted.bins, floats, through, statistics.low, statistics.high);
      }
      finish(written, floats, single);
      if (out) place.set(written);
    }
    kernels.release(mark);
  };
}
