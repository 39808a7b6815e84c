/**
 * Memory of results that was used before. A page that the kernel has to map costs 2 us on a virtual machine, seven times what copying
 * 4 KiB into it does: of reading 64 MiB without compression that was two thirds. Memory that the garbage collector gave back has its pages, if
 * the C library kept it, and needs no zeros where every byte is written anyway.
 *
 * glibc takes pieces of up to 32 MiB from its heap once it has seen one freed, and larger ones only where the heap has room
 * for them; what is free at the end of the heap goes back to the kernel from 64 MiB on, what lies before something that is in use stays.
 * So a large piece is made and dropped, and, where results are large and find no room beside those that are still held, some more
 * with one behind them that stays. Nobody touches them: they cost no memory until results stand there. When no large
 * result was asked for in a while what is behind them goes, too, and the kernel gets it all. Other C libraries do as they please.
 */

/** Larger results are zeros that the kernel maps. */
const LARGEST = 128 << 20;
/** The largest piece of which glibc learns, but for its own few bytes. */
const PIECE = (32 << 20) - (64 << 10);
/** Address space that is kept at once, for as many results as somebody holds. */
const MOST_KEPT = 1 << 30;
const IDLE_MILLISECONDS = 10_000;

let hasLearned: "not yet" | "dropped" | "yes" = "not yet";
const learned = new FinalizationRegistry(() => {
  hasLearned = "yes";
});

let kept = 0;
/** What keeps the pieces before it from going back to the kernel. */
let behind: Uint8Array[] = [];
let idle: NodeJS.Timeout | undefined;

/** Bytes of large results that were not collected when last looked at. */
let held = 0;
const results = new FinalizationRegistry((byteLength: number) => {
  held -= byteLength;
});

/**
 * Memory with arbitrary contents, for a result that nobody sees before all of it is written; undefined where zeros cost no more. For where
 * there is a `Buffer`.
 */
export function usedMemory(byteLength: number): Uint8Array | undefined {
  if (byteLength > LARGEST) return undefined;
  try {
    if (hasLearned === "not yet") {
      hasLearned = "dropped";
      learned.register(Buffer.allocUnsafeSlow(PIECE), undefined);
    }
    const isLarge = byteLength > PIECE;
    if (isLarge && hasLearned !== "yes") return undefined;
    if (isLarge) keepRoom(byteLength);
    const { buffer } = Buffer.allocUnsafeSlow(byteLength);
    if (buffer.byteLength !== byteLength) return undefined;
    if (isLarge) {
      held += byteLength;
      results.register(buffer, byteLength);
    }
    return new Uint8Array(buffer);
  } catch {
    // So much is not to be had; whoever asks for zeros says that better.
    return undefined;
  }
}

/** Room for this result and another one, which may wait to be collected, beside those that are held. */
function keepRoom(byteLength: number): void {
  idle ??= setTimeout(giveBack, IDLE_MILLISECONDS).unref();
  idle.refresh();
  if (held + 2 * byteLength <= kept || kept >= MOST_KEPT) return;
  const pieces = Array.from({ length: Math.ceil((3 * byteLength) / PIECE) }, () =>
    Buffer.allocUnsafeSlow(PIECE),
  );
  kept += pieces.length * PIECE;
  // As large as they are, so that it does not fit into a gap before them.
  behind.push(Buffer.allocUnsafeSlow(PIECE));
  // `pieces` are garbage now, and free when the collector finds that out.
}

function giveBack(): void {
  kept = 0;
  behind = [];
  idle = undefined;
}
