/**
 * Pace decides whether to do file operations synchronously, from the durations of the last ones.
 *
 * Measured on Node 20, ext4, two cores, files in the page cache: open + fstat + read + close of a 4 KiB file
 * takes 6 us synchronously and 26-43 us through the thread pool (four hops). A 1 MiB file takes 46 us into a
 * buffer that is already allocated, against 110-160 us. On a disk that has to seek, or across a network, the
 * same call blocks the event loop for milliseconds and nothing overlaps; there the thread pool is faster.
 * After slow operations the next FEWEST operations use the thread pool, and every further slow attempt
 * doubles this number, up to MOST.
 *
 * One slow operation among many quick ones is ignored: usually the process was preempted. With eight
 * asynchronous reads after each such operation, reading [::2, ::2, ::2] of 64 MiB in 1 MiB chunks cost 66 ms
 * of processor time instead of 14, on a machine with three times as many runnable processes as cores.
 */

/**
 * Milliseconds. An operation that takes at most this, plus its bytes at MEMORY_SPEED, counts as answered from
 * memory.
 */
const GRACE = 0.25;
/** 1 GB/s in bytes per millisecond: a third of what the page cache gives, and more than most disks do. */
const MEMORY_SPEED = 1e6;
const FEWEST = 8;
const MOST = 1024;
/**
 * Doubt: a slow operation adds DOUBT, one slower than LONGEST_PAUSE adds PROOF, a quick one subtracts TRUST.
 * At PROOF, `Pace` rests.
 */
const DOUBT = 1;
const PROOF = 2;
const TRUST = 1 / 8;
/** Milliseconds. Preemption of the process does not explain a longer pause. */
const LONGEST_PAUSE = 100;

export class Pace {
  #rest = 0;
  #penalty = FEWEST;
  #doubt = 0;

  /**
   * Whether the next operation should be asynchronous. Unlike `isQuick`, this does not count as an operation.
   */
  get isResting(): boolean {
    return this.#rest > 0;
  }

  /** Whether the next operation should be synchronous. Returning false counts one operation off the rest. */
  isQuick(): boolean {
    if (this.#rest === 0) return true;
    this.#rest--;
    return false;
  }

  /** Records that a synchronous operation on `byteLength` bytes took `milliseconds`. */
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
    // The first operation after the rest decides alone: one more slow operation starts the next rest.
    this.#doubt = PROOF - DOUBT;
  }
}
