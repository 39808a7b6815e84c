/**
 * Measures what a parser costs as its input grows. Most faults of this kind are invisible in small inputs:
 * work that is quadratic in the length of a document, or unbounded by it. CPU time, not time, is measured, so
 * that a busy machine changes little.
 */
import { isZarrError } from "../../src/base/errors.js";

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
  let before: Measured | undefined;
  for (const size of sizes) {
    const read = await make(size);
    const found = await leastCost(read);
    if (typeof found === "string") return `${name}, size ${size}: ${found}`;
    let now: Measured = { size, read, milliseconds: found };
    const most = mostOf(now, before);
    if (now.milliseconds > most && now.milliseconds < 2 * most) {
      // Perhaps the machine became slower between the two: both are measured once more, side by side.
      const [earlier, again] = [before && (await leastCost(before.read)), await leastCost(read)];
      if (typeof again === "string") return `${name}, size ${size}: ${again}`;
      if (before && typeof earlier === "number") before = { ...before, milliseconds: earlier };
      now = { ...now, milliseconds: Math.min(found, again) };
    }
    if (now.milliseconds > mostOf(now, before))
      return `${name}, size ${size}: ${Math.round(now.milliseconds)} ms, after ${Math.round(before?.milliseconds ?? 0)} ms for ${before?.size ?? 0}`;
    before = now;
  }
  return undefined;
}

interface Measured {
  readonly size: number;
  readonly read: () => unknown;
  readonly milliseconds: number;
}

/** Milliseconds that an input may take after a shorter one. */
function mostOf({ size }: Measured, before: Measured | undefined): number {
  const linear = before === undefined ? FLOOR : (before.milliseconds * size * FACTOR) / before.size;
  return Math.min(CEILING, Math.max(FLOOR, linear));
}

/** Milliseconds of the cheapest of three attempts; else what is wrong with one. */
async function leastCost(read: () => unknown): Promise<number | string> {
  let least = Number.POSITIVE_INFINITY;
  // What is slow by chance, or compiled meanwhile, is not slow three times.
  for (let attempt = 0; attempt < 3 && least > FLOOR; attempt++) {
    const cost = await costOf(read);
    if (typeof cost === "string") return cost;
    if (cost.bytes > MOST_MEMORY) return `${cost.bytes >> 20} MiB of memory`;
    least = Math.min(least, cost.milliseconds);
    if (cost.milliseconds > 2 * CEILING) break;
  }
  return least;
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
