/**
 * Memory of results that was used before. A page that the kernel has to map costs 2 us on a virtual machine, seven times what copying
 * 4 KiB into it does: of reading 64 MiB without compression that was two thirds. Memory that the garbage collector gave back has its pages, if
 * the C library kept it, and needs no zeros where every byte is written anyway.
 *
 * glibc takes pieces of up to 32 MiB from its heap once it has seen one freed, and larger ones only where the heap has room
 * for them; what is free at the end of the heap goes back to the kernel from 64 MiB on, what lies before something that is in use stays.
 * So when the kernel had to map a large result, pieces with room for more of them are made and dropped, and one behind them stays.
 * Nobody touches more than a page of each: they cost no memory until results stand there. When no large result was asked for in
 * a while what is behind them goes, too, and the kernel gets it all. Other C libraries do as they please.
 */

/** Larger results are zeros that the kernel maps. */
const LARGEST = 128 << 20;
/** From here on it is looked whether the kernel had to map a result. */
const LARGE = 16 << 20;
/** The largest piece of which glibc learns, but for its own few bytes. */
const PIECE = (32 << 20) - (64 << 10);
/** Results that find room beside everything that is in use when there was none. */
const RESULTS = 2;
/** Addresses that are kept at once. */
const MOST_KEPT = 1 << 30;
const PROBES = 64;
const IDLE_MILLISECONDS = 10_000;

/** Whether glibc was shown a piece. Until it was, what is free at the end of the heap goes back from far less on. */
let hasLearned = false;
let kept = 0;
/** What keeps the pieces before it from going back to the kernel; changed in place, so that no bundler takes it for unused. */
const behind: unknown[] = [];
/** Whether pieces were dropped that are not free yet. */
let isWaiting = false;
const freed = new FinalizationRegistry(() => {
  isWaiting = false;
});
let idle: NodeJS.Timeout | undefined;

/**
 * Memory with arbitrary contents, for a result that nobody sees before all of it is written; undefined where zeros cost no more. For where
 * there is a `Buffer`.
 */
export function usedMemory(byteLength: number): Uint8Array | undefined {
  if (byteLength > LARGEST) return undefined;
  try {
    if (!hasLearned) {
      hasLearned = true;
      drop([allocate(PIECE)]);
    }
    const memory = allocate(byteLength);
    if (memory !== undefined) keepRoomFor(memory);
    return memory;
  } catch {
    // So much is not to be had; whoever asks for zeros says that better.
    return undefined;
  }
}

/** Sees to it that the next result of this size has room, if this one had none: memory that nobody has written yet, shared or not. */
export function keepRoomFor(memory: Uint8Array): void {
  const { byteLength } = memory;
  if (byteLength < LARGE || byteLength > LARGEST) return;
  try {
    idle ??= setTimeout(giveBack, IDLE_MILLISECONDS).unref();
    idle.refresh();
    if (!isWaiting && isNew(memory, PROBES)) keepRoom(RESULTS * byteLength);
  } catch {
    // No room to spare, or no Node: bundlers bring a `Buffer` into browsers. The result is there all the same.
  }
}

function allocate(byteLength: number): Uint8Array | undefined {
  const { buffer } = Buffer.allocUnsafeSlow(byteLength);
  return buffer.byteLength === byteLength ? new Uint8Array(buffer) : undefined;
}

/** Whether the kernel had to map most of some pages. Those of a result are all written in the end, so nothing is lost. */
function isNew(memory: Uint8Array, probes: number): boolean {
  const before = process.resourceUsage().minorPageFault;
  for (let i = 0; i < probes; i++) memory[Math.floor((i / probes) * memory.length)] = 0;
  return process.resourceUsage().minorPageFault - before > probes / 2;
}

function keepRoom(byteLength: number): void {
  const pieces: unknown[] = [];
  // Some pieces fill gaps.
  for (
    let missing = byteLength;
    missing > 0 && kept < MOST_KEPT && pieces.length < (2 * byteLength) / PIECE;
  ) {
    const piece = allocate(PIECE);
    pieces.push(piece);
    if (piece === undefined || !isNew(piece, 1)) continue;
    missing -= PIECE;
    kept += PIECE;
  }
  // As large as they are, so that it does not fit into a gap before them. The one before is room in their midst, now.
  behind.splice(0, behind.length, allocate(PIECE));
  drop(pieces);
}

function drop(pieces: unknown[]): void {
  isWaiting = true;
  freed.register(pieces, undefined);
}

function giveBack(): void {
  kept = 0;
  behind.length = 0;
  idle = undefined;
}
