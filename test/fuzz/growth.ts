/**
 * Measures what a parser costs as its input grows. Most faults of this kind are invisible in small inputs:
 * work that is quadratic in the length of a document, or unbounded by it. CPU time, not time, is measured, so
 * that a busy machine changes little.
 */
import { isZarrError } from "../../src/errors.js";

/**
 * Something that reads an input, and the input of a given size: members, items, characters, or a number in
 * it.
 */
export interface Growing {
  readonly name: string;
  /**
   * Sizes in ascending order. Each is measured only if the ones before were right, so that nothing goes on
   * for ever.
   */
  readonly sizes: readonly number[];
  /** Makes an input, which is not measured. @returns what reads it */
  make(size: number): (() => unknown) | Promise<() => unknown>;
}

/**
 * Milliseconds of CPU time that are never too many. All sizes are chosen so that linear work takes far less.
 */
const FLOOR = 150;
/** An input that is `n` times as long may take so many times as long as `n` would be. */
const FACTOR = 1.5;
/** Milliseconds of CPU time that are always too many: all inputs are short. */
const CEILING = 2500;
/** Bytes: beyond the input, garbage that is not yet collected, and code. */
const MOST_MEMORY = 500 << 20;

interface Cost {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** Sizes from `first`, each twice as large as the one before. */
export function doubling(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first * 2 ** i);
}

/** @returns what is wrong with the cost of an input, and with its error; undefined if nothing is */
export async function faultOf({ name, sizes, make }: Growing): Promise<string | undefined> {
  let before: { readonly size: number; readonly milliseconds: number } | undefined;
  for (const size of sizes) {
    const read = await make(size);
    let least = Number.POSITIVE_INFINITY;
    // What is slow by chance, or compiled meanwhile, is not slow three times.
    for (let attempt = 0; attempt < 3 && least > FLOOR; attempt++) {
      const cost = await costOf(read);
      if (typeof cost === "string") return `${name}, size ${size}: ${cost}`;
      if (cost.bytes > MOST_MEMORY) return `${name}, size ${size}: ${cost.bytes >> 20} MiB of memory`;
      least = Math.min(least, cost.milliseconds);
      if (cost.milliseconds > 2 * CEILING) break;
    }
    const linear = before === undefined ? FLOOR : (before.milliseconds * size * FACTOR) / before.size;
    if (least > Math.min(CEILING, Math.max(FLOOR, linear)))
      return `${name}, size ${size}: ${Math.round(least)} ms, after ${Math.round(before?.milliseconds ?? 0)} ms for ${before?.size ?? 0}`;
    before = { size, milliseconds: Math.max(least, 1) };
  }
  return undefined;
}

/** The cost of a read that succeeds or is refused by a typed error; else what it threw. */
async function costOf(read: () => unknown): Promise<Cost | string> {
  const peak = process.resourceUsage().maxRSS;
  const { rss } = process.memoryUsage();
  const began = process.cpuUsage();
  try {
    await read();
  } catch (error) {
    if (!isZarrError(error))
      return `${error instanceof Error ? (error.stack ?? error.message) : error}`.slice(0, 300);
  }
  const { user, system } = process.cpuUsage(began);
  // The peak is that of the whole process: it says something about this read only if it rose.
  const { maxRSS } = process.resourceUsage();
  return { milliseconds: (user + system) / 1000, bytes: maxRSS > peak ? 1024 * maxRSS - rss : 0 };
}
