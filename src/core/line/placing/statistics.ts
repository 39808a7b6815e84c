/** Statistics of elements that are converted: of each chunk, in scratch memory, and of a whole read. */
import { float64At } from "../../../base/at.js";
import type { Conversion, Counted } from "../../../data-types/drawn.js";
import { bytesOfView } from "../../../data-types/typed-array.js";
import type { Kernels } from "../../../kernels/kernels.js";

/** Elements that are converted on their way. */
export interface Drawing {
  readonly conversion: Conversion;
  /** Takes the statistics of a chunk, by the place of its first element in the result. */
  add(place: number, found: FoundInChunk): void;
}

/** Statistics of the converted elements of a chunk. */
export interface FoundInChunk {
  /** How many are not missing, the least and the greatest of them. */
  readonly numbers: Float64Array;
  readonly bins: Uint32Array;
}

/** Statistics of the values of one read, without those that are missing. */
export interface Found {
  readonly count: number;
  /** Infinity if there is no value. */
  readonly minimum: number;
  /** -Infinity if there is no value. */
  readonly maximum: number;
  /** How many values are in each bin. */
  readonly bins: Float64Array;
}

/**
 * Statistics by place of the chunk in the result: a chunk of a shard that was replaced during the read, or of
 * a read that begins again, comes twice and counts once.
 */
export class FoundByChunk implements Drawing {
  readonly conversion: Conversion;
  readonly #found = new Map<number, FoundInChunk>();

  constructor(conversion: Conversion) {
    this.conversion = conversion;
  }

  add(place: number, found: FoundInChunk): void {
    this.#found.set(place, found);
  }

  /** What was found in the chunks, in the order in which they came. */
  get chunks(): FoundInChunk[] {
    return [...this.#found.values()];
  }

  sum(): Found {
    let [total, minimum, maximum] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const sums = new Float64Array(this.conversion.statistics?.bins ?? 0);
    for (const { numbers, bins } of this.#found.values()) {
      const [count = 0, least = minimum, greatest = maximum] = numbers;
      total += count;
      minimum = Math.min(minimum, least);
      maximum = Math.max(maximum, greatest);
      bins.forEach((each, bin) => {
        sums[bin] = float64At(sums, bin) + each;
      });
    }
    return { count: total, minimum, maximum, bins: sums };
  }
}

/** A copy of statistics that are in scratch memory, each value of which counts `times` times. */
export function taken({ numbers, bins }: Counted, times = 1): FoundInChunk {
  const own = {
    numbers: new Float64Array(numbers.slice().buffer),
    bins: new Uint32Array(bins.slice().buffer),
  };
  if (times === 1) return own;
  const [count = 0, least = 0, greatest = 0] = own.numbers;
  return {
    numbers: Float64Array.of(count * times, least, greatest),
    bins: own.bins.map((each) => each * times),
  };
}

/** Empty statistics in scratch memory. */
export function counter(kernels: Kernels, bins: number): Counted {
  const counted = { numbers: kernels.allocate(24), bins: kernels.allocate(4 * bins) };
  counted.numbers.set(bytesOfView(Float64Array.of(0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)));
  counted.bins.fill(0);
  return counted;
}
