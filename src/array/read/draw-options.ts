/** The options of reads that are ready to draw, and their results. */

import { InvalidArgumentError } from "../../base/errors.js";
import type { NamesOf } from "../../base/option-names.js";
import type { DataOf } from "../../data-types/names.js";
import type { Chunk } from "../nodes/nodes.js";
import type { GetOptions } from "./get-options.js";

/** The types that `as` takes for numbers. "float16" gives the bits of half floats in a Uint16Array. */
export type DrawnType =
  | ("float16" | "float32" | "float64")
  | ("int8" | "int16" | "int32")
  | ("uint8" | "uint16" | "uint32");

/** The data type of the result. */
export type DrawnAs<As extends DrawnType> = As extends "float16" ? "uint16" : As;

/** The options of a read that is ready to draw; `out` has the type that `as` says. */
export type DrawOptions<As extends DrawnType = DrawnType> = As extends DrawnType ? DrawAsOptions<As> : never;

/**
 * Reads numbers as another type, masked and scaled, in the same pass that puts them into the result:
 * `stored * scale + offset`.
 */
export interface DrawAsOptions<As extends DrawnType> extends Omit<GetOptions, "out"> {
  /**
   * The type of the elements. Integers are rounded to nearest, ties to even, and clamped to the range of the
   * type, unless `overflow` says otherwise. "float16" is a Uint16Array of bits in every engine, as WebGL
   * takes it.
   */
  readonly as: As;
  /**
   * What becomes of integers that the type of `as` cannot hold: "clamp" (the default) gives its nearest
   * value, "wrap" the lowest bits of the stored integer, which keeps different labels different far longer.
   * With "wrap" the stored elements and the result are integers, and nothing else is done to them: `missing`,
   * `scale`, `offset`, `window` and `statistics` cannot be combined with it.
   */
  readonly overflow?: "clamp" | "wrap" | undefined;
  /** Stored values that stand for missing elements. NaN is always missing. */
  readonly missing?: number | bigint | readonly (number | bigint)[] | undefined;
  /** The value that missing elements become: NaN unless given, 0 in integers. Floats may be infinite. */
  readonly missingAs?: number | undefined;
  /** 1 unless given. */
  readonly scale?: number | undefined;
  /** 0 unless given. */
  readonly offset?: number | undefined;
  /** "uint8": the scaled values that become 0 and 255; those between are mapped linearly. */
  readonly window?: readonly [low: number, high: number] | undefined;
  /**
   * Also returns statistics of the scaled values that are not missing, before `window`; the histogram counts
   * those from one end of `range` to the other, both included.
   */
  readonly statistics?: boolean | HistogramOptions | undefined;
  /**
   * Memory for the result: an array of the result's type with exactly as many elements as the selection, or
   * any larger one with the strides of the selection in it.
   */
  readonly out?: DataOf<DrawnAs<As>> | DrawnOut<As> | undefined;
}

/** Bins of equal width between two scaled values. */
export interface HistogramOptions {
  /** Number of bins, from 1 to 65,536. */
  readonly bins: number;
  /** The ends of the first and the last bin. */
  readonly range: readonly [low: number, high: number];
}

/** Memory with space between rows, such as the 256 bytes to which WebGPU aligns them. */
export interface DrawnOut<As extends DrawnType> {
  /** The memory that takes the elements. */
  readonly data: DataOf<DrawnAs<As>>;
  /** Elements from one index to the next, by dimension of the result, in C order; there may be gaps. */
  readonly stride: readonly number[];
  /** Elements before the first one; 0 unless given. */
  readonly offset?: number | undefined;
}

/** Statistics of the scaled elements of one read that are not missing. */
export interface Statistics {
  /** NaN if all elements are missing. */
  readonly minimum: number;
  /** NaN if all elements are missing. */
  readonly maximum: number;
  /** Elements that are not missing. */
  readonly count: number;
  /** The number of elements in each bin; no bins unless a histogram was asked for. */
  readonly histogram: Float64Array;
}

/** The result of a read with `as`. */
export type DrawnChunk<Options extends DrawOptions> = Chunk<DrawnAs<Options["as"]>> &
  (Options extends { readonly statistics: true | HistogramOptions }
    ? { readonly statistics: Statistics }
    : unknown);

/** Options that a read takes only with `as`. */
export const WITH_AS: NamesOf<Omit<DrawAsOptions<DrawnType>, keyof GetOptions | "as">> = {
  missing: true,
  missingAs: true,
  scale: true,
  offset: true,
  window: "list",
  statistics: true,
  overflow: true,
};

/**
 * For a read that gives elements as they are stored.
 * @throws InvalidArgumentError for an option that belongs to `as`
 */
export function checkWithoutAs(options: object, name: string): void {
  for (const option in options)
    if (Object.hasOwn(WITH_AS, option) && Reflect.get(options, option) !== undefined)
      throw new InvalidArgumentError(
        `${name}: ${option} needs the option as, the type of the result: { as: "float32", ${option}: ... }`,
      );
}
