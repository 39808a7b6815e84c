/**
 * Detects a neighbour: a thread of another virtual machine on the other hyperthread of this core. Independent additions need execution units
 * that both hyperthreads share and take 1.7 times as long with a neighbour; a chain of multiplications does not slow down. Measured: samples
 * are either fast or slow with little between, change every few milliseconds, and come in phases of seconds.
 */

/** Additions per sample, about 25 us, and number of samples: about 1 ms in total. */
const ROUNDS = 45_000;
const SAMPLES = 40;
/** A sample is slow if it takes this many times as long as the quickest. */
const SLOW = 1.25;
/** Calls after which the loop is compiled. */
const WARM_UP = 400;

let quickest = Number.POSITIVE_INFINITY;
/** Sink for the sums, so that the engine does not remove the additions as dead code. */
let sum = 0;

/** Share of the next millisecond, 0 to 1, in which a neighbour runs on the core of the calling thread. */
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

/** Six independent chains of additions, one cycle per step. */
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
