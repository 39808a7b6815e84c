/**
 * Whether somebody else's thread runs on the other half of this core, as on virtual machines it does now and then. Additions that do not wait for
 * each other need what both halves share, and take 1.7 times as long while it does; a chain of multiplications takes as long as ever. Measured: two
 * kinds of samples and little between, changing every few milliseconds, in phases of seconds.
 */

/** Additions that take some 25 us, and samples of them: 1 ms. */
const ROUNDS = 45_000;
const SAMPLES = 40;
/** So many times the quickest sample are slow. */
const SLOW = 1.25;
/** Until the loop is compiled. */
const WARM_UP = 400;

let quickest = Number.POSITIVE_INFINITY;
/** What the additions come to: without a use of it there would be none. */
let sum = 0;

/** Of a millisecond from now on, how much a neighbour is there: 0 to 1. Of the core that the calling thread is on. */
export function neighbourShare(): number {
  if (quickest === Number.POSITIVE_INFINITY) for (let i = 0; i < WARM_UP; i++) sample();
  const samples = Array.from({ length: SAMPLES }, sample);
  return samples.filter((milliseconds) => milliseconds > SLOW * quickest).length / SAMPLES;
}

function sample(): number {
  const began = performance.now();
  sum = add(ROUNDS, sum);
  const milliseconds = performance.now() - began;
  quickest = Math.min(quickest, milliseconds);
  return milliseconds;
}

/** Six chains of one cycle a step. */
function add(rounds: number, start: number): number {
  let a = start;
  let b = 2;
  let c = 3;
  let d = 4;
  let e = 5;
  let f = 6;
  for (let i = 0; i < rounds; i++) {
    a = (a + i) | 0;
    b ^= i;
    c = (c - i) | 0;
    d = (d + 5) | 0;
    e ^= 7;
    f = (f - i) | 0;
  }
  return (a + b + c + d + e + f) | 0;
}
