/**
 * Reuses the memory of former results. A page that the kernel has to map costs 2 us on a virtual machine, seven times as much as copying
 * 4 KiB into it: two thirds of the time of reading 64 MiB without compression. Memory that the garbage collector freed still has its pages if
 * the C library kept it, and it needs no zeros if every byte is written anyway.
 *
 * glibc allocates pieces of up to 32 MiB on its heap once it has seen one freed, and larger ones there only if the heap has room. It
 * returns free memory at the end of the heap to the kernel from 64 MiB on, but keeps free memory that lies before a piece in use.
 * So if the kernel had to map a large result, `keepRoom` allocates pieces for more results and frees them, but keeps one piece behind them.
 * Only one page of each piece is touched, so pieces take no memory until results use them. `giveBack` frees the piece behind them
 * when no large result was requested for a while. Other C libraries may behave differently. In about one process of a hundred
 * V8 has placed its code right behind the heap, which cannot grow then: results of more than 32 MiB are mapped each time.
 */
import { free } from "../garbage.js";

/** Larger results are zero-filled memory that the kernel maps. */
const LARGEST = 512 << 20;
/** From this size on, page faults are counted to see if the kernel had to map a result. */
const LARGE = 16 << 20;
/** The largest piece that changes glibc's threshold, less glibc's own few bytes. */
const PIECE = (32 << 20) - (64 << 10);
/** How many further results get room when one had none. */
const RESULTS = 2;
const PROBES = 64;
const IDLE_MILLISECONDS = 10_000;

/** Whether glibc has seen a large piece freed. Before that it returns the end of the heap from a much lower threshold on. */
let hasLearned = false;
/** Bytes of room that no result has used yet: the kernel has to map their pages once more. */
let untouched = 0;
/** The piece that keeps the free pieces before it from going back to the kernel. */
let behind: Uint8Array | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Allocates memory with arbitrary contents, for a result that is written completely before anyone sees it. Needs `Buffer`. Returns
 * undefined if zero-filled memory costs no more.
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
    // Mapped memory of this result alone would be unmapped with it. The heap has room now, and keeps its pages.
    free(memory);
    return allocate(byteLength);
  } catch {
    // Not enough memory. The caller allocates zeros, which throws a better error.
    return undefined;
  }
}

/**
 * Makes room for more results of this size, if the kernel had to map this one. The memory may be shared; nobody has written it yet.
 * @returns whether the kernel had to map it
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
    // No memory to spare, or not Node (bundlers provide a `Buffer` in browsers). The result itself exists already.
    return false;
  }
}

function allocate(byteLength: number): Uint8Array | undefined {
  const { buffer } = globalThis.Buffer.allocUnsafeSlow(byteLength);
  return buffer.byteLength === byteLength ? new Uint8Array(buffer) : undefined;
}

/** The share (0 to 1) of probed pages that the kernel had to map. The probes write zeros; the result is overwritten later. */
function newPages(memory: Uint8Array, probes: number): number {
  const before = globalThis.process.resourceUsage().minorPageFault;
  for (let i = 0; i < probes; i++) memory[Math.floor((i / probes) * memory.length)] = 0;
  return (globalThis.process.resourceUsage().minorPageFault - before) / probes;
}

function keepRoom(byteLength: number): void {
  const pieces: (Uint8Array | undefined)[] = [];
  // Pieces without new pages fill gaps of the heap and do not count.
  for (let missing = byteLength; missing > 0 && pieces.length < (2 * byteLength) / PIECE; ) {
    const piece = allocate(PIECE);
    pieces.push(piece);
    if (piece === undefined || newPages(piece, 1) === 0) continue;
    missing -= PIECE;
  }
  const before = behind;
  // As large as the pieces, so that it does not fit into a gap before them. The former last piece is freed: it is room now.
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
