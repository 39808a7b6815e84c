/**
 * Decides whether file operations are worth doing synchronously, by the time the last ones took.
 *
 * Measured on Node 20, ext4, two cores, files in the page cache: open + fstat + read + close of a 4 KiB file takes 6 us
 * synchronously and 26-43 us through the thread pool (four hops); of a 1 MiB file 46 us into memory that is there
 * already, against 110-160 us. On a disk that has to seek, or across a network, the same call blocks the event loop for
 * milliseconds and nothing overlaps; there the thread pool wins. Slow operations send the next few through the thread
 * pool, and every further slow attempt doubles how many.
 *
 * One slow operation among many quick ones says nothing: mostly the process was preempted in the middle of it. Eight
 * asynchronous reads for each of those made [::2, ::2, ::2] of 64 MiB in 1 MiB chunks, on a machine with three times as many
 * runnable processes as cores, cost 66 ms of processor time in place of 14.
 */

/** Milliseconds that an operation may take, whatever its size, and still count as answered from memory. */
const GRACE = 0.25;
/** 1 GB/s in bytes per millisecond: a third of what the page cache gives, and more than most disks do. */
const MEMORY_SPEED = 1e6;
const FEWEST = 8;
const MOST = 1024;
/** Doubt that a slow operation adds, that one adds which no pause explains, that a quick one removes; 2 are too much. */
const DOUBT = 1;
const PROOF = 2;
const TRUST = 1 / 8;
/** Milliseconds. */
const LONGEST_PAUSE = 100;

export class Pace {
  #rest = 0;
  #penalty = FEWEST;
  #doubt = 0;

  /** Whether the next operation should be asynchronous; unlike `isQuick` this counts nothing. */
  get isResting(): boolean {
    return this.#rest > 0;
  }

  /** Whether the next operation should be synchronous; false counts one operation off the penalty. */
  isQuick(): boolean {
    if (this.#rest === 0) return true;
    this.#rest--;
    return false;
  }

  /** Takes note of a synchronous operation on `byteLength` bytes that took so many milliseconds. */
  measured(milliseconds: number, byteLength: number): void {
    if (milliseconds <= GRACE + byteLength / MEMORY_SPEED) {
      this.#penalty = FEWEST;
      this.#doubt = Math.max(0, this.#doubt - TRUST);
      return;
    }
    this.#doubt += milliseconds > LONGEST_PAUSE ? PROOF : DOUBT;
    if (this.#doubt < PROOF) return;
    this.#rest = this.#penalty;
    this.#penalty = Math.min(MOST, this.#penalty * 2);
    // The first one after the rest decides.
    this.#doubt = PROOF - DOUBT;
  }
}
