/**
 * Memory of results that was used before. A page that the kernel has to map costs 2 us on a virtual machine, seven times what copying
 * 4 KiB into it does: of reading 64 MiB without compression that was two thirds. Memory that the garbage collector gave back has its pages, if
 * the C library kept it, and needs no zeros where every byte is written anyway.
 *
 * glibc takes pieces of up to 32 MiB from its heap once it has seen one freed, and larger ones only where the heap has room
 * for them; what is free at the end of the heap goes back to the kernel from 64 MiB on, what lies before something that is in use stays.
 * So a large piece is made and dropped, and, when that is gone and results are large, some more with one behind them that stays. Nobody
 * touches them: they cost no memory until results stand there. Other C libraries do as they please with them.
 */

/** Larger results are zeros that the kernel maps. */
const LARGEST = 128 << 20;
/** The largest piece of which glibc learns, but for its own few bytes. */
const PIECE = (32 << 20) - (64 << 10);
/** Room for two results of 64 MiB, one of which waits to be collected. */
const PIECES = 5;

let stage: "unprepared" | "dropped" | "collected" | "reserved" = "unprepared";
const collected = new FinalizationRegistry(() => {
  stage = "collected";
});
/** What keeps the pieces before it from going back to the kernel. */
const behind: Uint8Array[] = [];

/**
 * Memory with arbitrary contents, for a result that nobody sees before all of it is written; undefined where zeros cost no more. For where
 * there is a `Buffer`.
 */
export function usedMemory(byteLength: number): Uint8Array | undefined {
  if (byteLength > LARGEST) return undefined;
  try {
    const isReserved = prepare(byteLength);
    if (byteLength > PIECE && !isReserved) return undefined;
    const { buffer } = Buffer.allocUnsafeSlow(byteLength);
    return buffer.byteLength === byteLength ? new Uint8Array(buffer) : undefined;
  } catch {
    // So much is not to be had; whoever asks for zeros says that better.
    return undefined;
  }
}

function prepare(byteLength: number): boolean {
  if (stage === "unprepared") {
    stage = "dropped";
    collected.register(Buffer.allocUnsafeSlow(PIECE), undefined);
  } else if (stage === "collected" && byteLength > PIECE) {
    stage = "reserved";
    const pieces = Array.from({ length: PIECES }, () => Buffer.allocUnsafeSlow(PIECE));
    // As large as they are, so that it does not fit into a gap before them.
    behind.push(Buffer.allocUnsafeSlow(PIECE));
    pieces.length = 0;
    return false;
  }
  return stage === "reserved";
}
