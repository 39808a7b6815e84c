/**
 * Rivals side by side. What it guards against, each met in practice: drift of a shared machine (a round is one turn of every rival,
 * and rounds alternate in direction), the first run of anything (a round without counting), one rival's garbage collected in
 * the time of the next (a process of its own, or else a collection before every turn), what a processor and its caches need to wake
 * up after somebody else's turn (several runs a turn, the first of which does not count), and neighbours on the host (turns taken again,
 * see neighbours.ts, and the median).
 */
import { collectGarbage } from "./garbage.js";
import { median } from "./harness.js";
import { neighbourShare } from "./neighbours.js";

export interface Rival {
  /** Does the work once. @returns milliseconds of what counts */
  readonly run: () => Promise<number>;
  /** The same so many times, one right after the other, for what is asked in another process. */
  readonly runs?: (times: number) => Promise<readonly number[]>;
  /** In a process of its own, which collects its own garbage when it likes. */
  readonly isApart?: boolean;
  /** Counted rounds at most, for what is slow and only there for orientation. */
  readonly rounds?: number | undefined;
}

export interface Effort {
  /** Counted rounds: at least, at most. */
  readonly least: number;
  readonly most: number;
  /** Milliseconds after which no round is begun beyond the least. */
  readonly budget: number;
  /** Whether turns that a neighbour disturbs are taken again, where this thread is on the core on which everybody has their turns. */
  readonly isOnOneCore?: boolean | undefined;
}

export const FULL_EFFORT: Effort = { least: 5, most: 15, budget: 1500 };
export const QUICK_EFFORT: Effort = { least: 1, most: 1, budget: 0 };

const PAUSE_MILLISECONDS = 5;
/** What the runs of a turn that count take together, or longer. */
export const TURN_MILLISECONDS = 40;
/** Runs of a turn that count, of what takes no time at all. */
export const MOST_RUNS = 100;
/** How long a rival runs in the round that does not count: memory that garbage collectors give back, and compiled code, come after some runs. */
export const WARM_UP_MILLISECONDS = 300;
/** What takes longer is run once a turn: waking up is a small part of it. */
export const LONG_MILLISECONDS = 200;
/** How much of a neighbour there may be right before a turn and right after it, of 1. */
const QUIET = 0.1;
/** Turns at most where the first is disturbed, and milliseconds after which no further one is taken. */
export const MOST_TURNS = 2;
const MOST_MILLISECONDS = 1000;

/** Median milliseconds of each rival, in their order; undefined for those that are not there. */
export async function race(
  rivals: readonly (Rival | undefined)[],
  effort: Effort,
): Promise<(number | undefined)[]> {
  return (await turnsOf(rivals, effort)).map(medianOf);
}

/** @returns undefined of nothing */
export function medianOf(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : median(times);
}

/** Milliseconds of every turn that counts of each rival, in their order; none for those that are not there. */
export async function turnsOf(
  rivals: readonly (Rival | undefined)[],
  { least, most, budget, isOnOneCore = false }: Effort,
): Promise<number[][]> {
  const samples = rivals.map((): number[] => []);
  /** Of the last turn. */
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
  // The memory of large arrays is given back by another thread, after the collection.
  await new Promise((rested) => setTimeout(rested, PAUSE_MILLISECONDS));
}

/** Twice at least: of what is slow only because nothing of it is compiled the next turn would be one run. @returns milliseconds of the last run */
async function warmUp(rival: Rival): Promise<number> {
  const first = await rival.run();
  const more = await runsOf(rival, Math.max(1, Math.floor(WARM_UP_MILLISECONDS / first)));
  return more.at(-1) ?? first;
}

/** Of some turns the one that was disturbed least, which says nothing of how long it took. */
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
 * Touches 2 GiB. A virtual machine whose host takes free memory back pays for the first growth of a process: 200 ms for 64 MiB where 25 are
 * usual, which the first row of a table would show as its own.
 */
export function growMemory(): void {
  const pieces = Array.from({ length: 32 }, () => new Uint8Array(64 << 20).fill(1));
  pieces.length = 0;
  collectGarbage();
}

/** A rival whose whole run counts. */
export function timed(run: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    const began = performance.now();
    await run();
    return performance.now() - began;
  };
}
