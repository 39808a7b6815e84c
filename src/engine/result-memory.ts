/**
 * Memory of results that was used before. A page that the kernel has to map costs 2 us on a virtual machine, seven times what copying
 * 4 KiB into it does: of reading 64 MiB without compression that was two thirds. Memory that the garbage collector gave back has its pages, if
 * the C library kept it, and needs no zeros where every byte is written anyway.
 *
 * glibc takes pieces of up to 32 MiB from its heap once it has seen one freed, and larger ones only where the heap has room
 * for them; what is free at the end of the heap goes back to the kernel from 64 MiB on, what lies before something that is in use stays.
 * So when the kernel had to map a large result, pieces with room for more of them are made and freed, and one behind them stays.
 * Nobody touches more than a page of each: they cost no memory until results stand there. When no large result was asked for in
 * a while the one behind them goes, too, and the kernel gets it all. Other C libraries do as they please. In about one process of a hundred
 * V8 has put its code right behind the heap, which cannot grow there: results of more than 32 MiB are mapped each time.
 */
import { free } from "../garbage.js";

/** Larger results are zeros that the kernel maps. */
const LARGEST = 512 << 20;
/** From here on it is looked whether the kernel had to map a result. */
const LARGE = 16 << 20;
/** The largest piece of which glibc learns, but for its own few bytes. */
const PIECE = (32 << 20) - (64 << 10);
/** Results that find room beside everything that is in use when there was none. */
const RESULTS = 2;
const PROBES = 64;
const IDLE_MILLISECONDS = 10_000;

/** Whether glibc was shown a piece. Until it was, what is free at the end of the heap goes back from far less on. */
let hasLearned = false;
/** Addresses of room that was made where no result has stood yet, whose pages the kernel has to map once more. */
let untouched = 0;
/** What keeps the pieces before it from going back to the kernel. */
let behind: Uint8Array | undefined;
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
      free(allocate(PIECE));
    }
    const memory = allocate(byteLength);
    if (memory === undefined || !keepRoomFor(memory)) return memory;
    // What the kernel mapped for this result alone would go with it; its pages stay where there is room now.
    free(memory);
    return allocate(byteLength);
  } catch {
    // So much is not to be had; whoever asks for zeros says that better.
    return undefined;
  }
}

/**
 * Sees to it that a result of this size has room, if this one had none: memory that nobody has written yet, shared or not.
 * @returns whether it had none
 */
export function keepRoomFor(memory: Uint8Array): boolean {
  const { byteLength } = memory;
  if (byteLength < LARGE || byteLength > LARGEST) return false;
  try {
    idle ??= setTimeout(giveBack, IDLE_MILLISECONDS).unref();
    idle.refresh();
    const mapped = byteLength * newPages(memory, PROBES);
    untouched -= mapped;
    if (mapped < byteLength / 2 || untouched >= 0) return false;
    keepRoom(RESULTS * byteLength);
    return true;
  } catch {
    // No room to spare, or no Node: bundlers bring a `Buffer` into browsers. The result is there all the same.
    return false;
  }
}

function allocate(byteLength: number): Uint8Array | undefined {
  const { buffer } = globalThis.Buffer.allocUnsafeSlow(byteLength);
  return buffer.byteLength === byteLength ? new Uint8Array(buffer) : undefined;
}

/** How many of some pages the kernel had to map, of 1. Those of a result are all written in the end, so nothing is lost. */
function newPages(memory: Uint8Array, probes: number): number {
  const before = globalThis.process.resourceUsage().minorPageFault;
  for (let i = 0; i < probes; i++) memory[Math.floor((i / probes) * memory.length)] = 0;
  return (globalThis.process.resourceUsage().minorPageFault - before) / probes;
}

function keepRoom(byteLength: number): void {
  const pieces: (Uint8Array | undefined)[] = [];
  // Some pieces fill gaps.
  for (let missing = byteLength; missing > 0 && pieces.length < (2 * byteLength) / PIECE; ) {
    const piece = allocate(PIECE);
    pieces.push(piece);
    if (piece === undefined || newPages(piece, 1) === 0) continue;
    missing -= PIECE;
  }
  const before = behind;
  // As large as they are, so that it does not fit into a gap before them. The one before is room in their midst, now.
  behind = allocate(PIECE);
  for (const piece of pieces) free(piece);
  free(before);
  untouched = byteLength;
}

function giveBack(): void {
  untouched = 0;
  free(behind);
  behind = undefined;
}
