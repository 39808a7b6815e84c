/**
 * Compares rivals in rounds. It avoids errors that occurred in practice: drift of a shared machine (a round is one turn of every rival, and
 * rounds alternate in direction), slow first runs (an uncounted round), garbage of one rival collected in the turn of the next (own
 * processes, or a collection before every turn), a processor and caches that are cold after another rival's turn (several runs per turn,
 * the first does not count), and neighbours on the host (repeated turns, see neighbours.ts, and the median).
 */
import { collectGarbage } from "./garbage.js";
import { median } from "./harness.js";
import { neighbourShare } from "./neighbours.js";

export interface Rival {
  /** Does the work once. @returns milliseconds of the measured part */
  readonly run: () => Promise<number>;
  /** Does the work several times without a pause, for rivals in another process. @returns milliseconds of each run */
  readonly runs?: (times: number) => Promise<readonly number[]>;
  /** Whether the rival has its own process, which collects its own garbage. */
  readonly isApart?: boolean;
  /** Maximum counted rounds, for slow rivals that are only for orientation. */
  readonly rounds?: number | undefined;
}

export interface Effort {
  /** Minimum (`least`) and maximum (`most`) counted rounds. */
  readonly least: number;
  readonly most: number;
  /** Milliseconds after which no round beyond `least` starts. */
  readonly budget: number;
  /** Whether all rivals run on the core of this thread. If so, turns that a neighbour disturbs are repeated. */
  readonly isOnOneCore?: boolean | undefined;
}

export const FULL_EFFORT: Effort = { least: 5, most: 15, budget: 1500 };
export const QUICK_EFFORT: Effort = { least: 1, most: 1, budget: 0 };

const PAUSE_MILLISECONDS = 5;
/** Minimum total of the counted runs of a turn. */
export const TURN_MILLISECONDS = 40;
/** Maximum counted runs of a turn, for very short work. */
export const MOST_RUNS = 100;
/** Duration of a rival's turn in the uncounted round: only after some runs is memory freed by collectors, and code compiled. */
export const WARM_UP_MILLISECONDS = 300;
/** Longer work runs once per turn: cold caches are a small part of it. */
export const LONG_MILLISECONDS = 200;
/** Maximum `neighbourShare` directly before and after an undisturbed turn. */
const QUIET = 0.1;
/** Maximum turns if the first is disturbed, and milliseconds after which no further turn starts. */
export const MOST_TURNS = 2;
const MOST_MILLISECONDS = 1000;

/** Median milliseconds of each rival, in their order; undefined for missing rivals. */
export async function race(
  rivals: readonly (Rival | undefined)[],
  effort: Effort,
): Promise<(number | undefined)[]> {
  return (await turnsOf(rivals, effort)).map(medianOf);
}

/** @returns undefined for an empty list */
export function medianOf(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : median(times);
}

/** Milliseconds of the counted turns of each rival, in their order; empty for missing rivals. */
export async function turnsOf(
  rivals: readonly (Rival | undefined)[],
  { least, most, budget, isOnOneCore = false }: Effort,
): Promise<number[][]> {
  const samples = rivals.map((): number[] => []);
  /** Milliseconds of a run in the last turn. */
  const latest = rivals.map((): number | undefined => undefined);
  const entries = [...rivals.entries()];
  let began = performance.now();
  for (let round = 0; round <= most; round++) {
    if (round === 1) began = performance.now();
    if (round > least && performance.now() - began > budget) break;
    for (const [i, rival] of round % 2 === 0 ? entries : entries.toReversed()) {
      if (rival === undefined || round > (rival.rounds ?? most)) continue;
      if (rival.isApart !== true) await rest();
      const last = latest[i];
      const milliseconds =
        last === undefined
          ? await warmUp(rival)
          : isOnOneCore
            ? await quietTurn(rival, last)
            : await turn(rival, last);
      latest[i] = milliseconds;
      if (round > 0) samples[i]?.push(milliseconds);
    }
  }
  return samples;
}

async function rest(): Promise<void> {
  collectGarbage();
  // Another thread frees the memory of large arrays after the collection.
  await new Promise((rested) => setTimeout(rested, PAUSE_MILLISECONDS));
}

/** Runs at least twice: otherwise work that is slow only before it is compiled would run once per turn. @returns milliseconds of the last run */
async function warmUp(rival: Rival): Promise<number> {
  const first = await rival.run();
  const more = await runsOf(rival, Math.max(1, Math.floor(WARM_UP_MILLISECONDS / first)));
  return more.at(-1) ?? first;
}

/** Takes up to `MOST_TURNS` turns and returns the least disturbed one. The duration of a turn does not affect the choice. */
async function quietTurn(rival: Rival, latest: number): Promise<number> {
  const began = performance.now();
  let least = Number.POSITIVE_INFINITY;
  let milliseconds = Number.NaN;
  for (let turns = 0; turns < MOST_TURNS && least > QUIET; turns++) {
    if (performance.now() - began > MOST_MILLISECONDS) break;
    const before = neighbourShare();
    const taken = await turn(rival, latest);
    const share = Math.max(before, neighbourShare());
    if (share >= least) continue;
    least = share;
    milliseconds = taken;
  }
  return milliseconds;
}

/** @param latest milliseconds of a run in the last turn */
async function turn(rival: Rival, latest: number): Promise<number> {
  if (latest >= LONG_MILLISECONDS) return rival.run();
  const counted = Math.min(MOST_RUNS, Math.ceil(TURN_MILLISECONDS / latest));
  const [, ...times] = await runsOf(rival, 1 + counted);
  return median(times);
}

async function runsOf(rival: Rival, times: number): Promise<readonly number[]> {
  if (rival.runs !== undefined) return rival.runs(times);
  const milliseconds: number[] = [];
  for (let i = 0; i < times; i++) milliseconds.push(await rival.run());
  return milliseconds;
}

/**
 * Touches 2 GiB. If the host reclaims free memory of a virtual machine, the first growth of a process is slow: 200 ms for 64 MiB, usually
 * 25 ms. The first row of a table would include that.
 */
export function growMemory(): void {
  const pieces = Array.from({ length: 32 }, () => new Uint8Array(64 << 20).fill(1));
  pieces.length = 0;
  collectGarbage();
}

/** Measures the whole duration of `run`. */
export function timed(run: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    const began = performance.now();
    await run();
    return performance.now() - began;
  };
}
