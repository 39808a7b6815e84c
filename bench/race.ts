/**
 * How everything is timed. A turn is one run of tinybench: warm-up, runs, their median. A race gives every
 * rival a turn in each round; rounds alternate in direction. Ratios are medians of the ratios of rounds: a
 * shared machine is slower by half for some seconds at a time, which hits both rivals of a round.
 */
import { Bench, type Task } from "tinybench";
import { collectGarbage } from "./garbage.js";

/** The durations of a turn. */
export interface Turn {
  /** Milliseconds of runs that do not count, at least one run; 0: none. */
  readonly warmUp: number;
  /** Milliseconds of runs that count, at least one run. */
  readonly time: number;
}

/** Somebody who does the same work as the others. */
export interface Rival {
  /** @returns milliseconds of a run, the median of the turn */
  readonly takeTurn: (turn: Turn) => Promise<number>;
  /** Maximum counted rounds, for slow rivals. */
  readonly rounds?: number | undefined;
}

export interface Effort {
  /** Minimum and maximum counted rounds. */
  readonly least: number;
  readonly most: number;
  /** Milliseconds after which no round after the first `least` starts. */
  readonly budget: number;
}

/** How thoroughly a section measures. */
export interface Care {
  /** Few rounds and cases: checks that the section works; its figures mean little. */
  readonly isQuick: boolean;
  readonly effort: Effort;
}

export const FULL_EFFORT: Effort = { least: 3, most: 15, budget: 1500 };
/** Checks that a benchmark works; its figures mean little. */
export const QUICK_EFFORT: Effort = { least: 1, most: 1, budget: 0 };

/**
 * Turns in the first round, which does not count: only after some runs is code compiled, and memory reused.
 */
const FIRST_TURN: Turn = { warmUp: 300, time: 0 };
const SHORT_TURN: Turn = { warmUp: 1, time: 40 };
/**
 * The turn of work that takes longer than `LONG_MILLISECONDS`: one run. Cold caches are a small part of it.
 */
const LONG_TURN: Turn = { warmUp: 0, time: 0 };
const LONG_MILLISECONDS = 200;
/** Another thread frees the memory of large arrays after a collection. */
const PAUSE_MILLISECONDS = 5;

/** A rival in this process. @param prepare runs before each run and is not timed */
export function here(run: () => Promise<unknown>, prepare?: () => Promise<void>): Rival {
  return {
    async takeTurn({ warmUp, time }) {
      collectGarbage();
      await new Promise((rested) => setTimeout(rested, PAUSE_MILLISECONDS));
      const bench = new Bench({
        time,
        iterations: 1,
        warmup: warmUp > 0,
        warmupTime: warmUp,
        warmupIterations: 1,
        throws: true,
      });
      bench.add("turn", run, { async: true, ...(prepare && { beforeEach: prepare }) });
      const [task] = await bench.run();
      return medianRun(task);
    },
  };
}

/** Milliseconds of the turns of each rival, in their order; empty for a missing rival. */
export async function race(
  rivals: readonly (Rival | undefined)[],
  { least, most, budget }: Effort,
): Promise<number[][]> {
  const turns = rivals.map((): number[] => []);
  const latest = rivals.map(() => Number.POSITIVE_INFINITY);
  const entries = [...rivals.entries()];
  let began = performance.now();
  for (let round = 0; round <= most; round++) {
    if (round === 1) began = performance.now();
    if (round > least && performance.now() - began > budget) break;
    for (const [i, rival] of round % 2 === 0 ? entries : entries.toReversed()) {
      if (rival === undefined || round > (rival.rounds ?? most)) continue;
      const isLong = Number(latest[i]) >= LONG_MILLISECONDS;
      const milliseconds = await rival.takeTurn(round === 0 ? FIRST_TURN : isLong ? LONG_TURN : SHORT_TURN);
      latest[i] = milliseconds;
      if (round > 0) turns[i]?.push(milliseconds);
    }
  }
  return turns;
}

/**
 * Median seconds of a synchronous call on the first of `operands`. All of them take part in the warm-up: V8
 * would specialise the code for one pair of buffers.
 */
export function measure<Operand>(
  operands: readonly Operand[],
  run: (operand: Operand) => unknown,
  isQuick: boolean,
): number {
  const time = isQuick ? 5 : 60;
  const bench = new Bench({ time, iterations: 3, warmupTime: time, warmupIterations: 1, throws: true });
  for (const [i, operand] of operands.entries()) bench.add(`${i}`, () => run(operand), { async: false });
  for (const task of bench.tasks) task.warmupSync();
  const [first] = bench.tasks;
  return medianRun(first?.runSync()) / 1000;
}

function medianRun(task: Task | undefined): number {
  if (task?.result.state !== "completed")
    throw new Error(`expected a completed turn, got ${task?.result.state}`);
  return task.result.latency.p50;
}

/** @returns undefined for an empty list */
export function median(values: readonly number[] = []): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** How many times as fast `own` was as `theirs`, in each round in which both had a turn. */
export function ratiosOfRounds(theirs: readonly number[] = [], own: readonly number[] = []): number[] {
  return theirs.slice(0, own.length).map((milliseconds, round) => milliseconds / Number(own[round]));
}

/** How many times as fast `own` was as `theirs`: the median of the ratios of rounds. */
export function timesAsFast(theirs: readonly number[] | undefined, own: readonly number[] | undefined) {
  return median(ratiosOfRounds(theirs, own));
}

/** GB/s (10^9 bytes). */
export function rate(bytes: number, seconds: number): number {
  return bytes / seconds / 1e9;
}
