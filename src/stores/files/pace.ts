/**
 * Decides whether file operations are worth doing synchronously, by the time the last ones took.
 *
 * Measured on Node 20, ext4, two cores, files in the page cache: open + fstat + read + close of a 4 KiB file takes 6 us
 * synchronously and 26-43 us through the thread pool (four hops); of a 1 MiB file 46 us into memory that is there
 * already, against 110-160 us. On a disk that has to seek, or across a network, the same call blocks the event loop for
 * milliseconds and nothing overlaps; there the thread pool wins. One slow operation sends the next few through the
 * thread pool, and every further slow attempt doubles how many.
 */

/** Milliseconds that an operation may take, whatever its size, and still count as answered from memory. */
const GRACE = 0.25;
/** 1 GB/s in bytes per millisecond: a third of what the page cache gives, and more than most disks do. */
const MEMORY_SPEED = 1e6;
const FEWEST = 8;
const MOST = 1024;

export class Pace {
  #rest = 0;
  #penalty = FEWEST;

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
    } else {
      this.#rest = this.#penalty;
      this.#penalty = Math.min(MOST, this.#penalty * 2);
    }
  }
}
