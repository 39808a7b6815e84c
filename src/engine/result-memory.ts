/**
 * Memory of results that the C library has used before. A page that the kernel has to map costs 2 us on a virtual machine, seven times what
 * copying 4 KiB into it does; memory that was freed has its pages, and needs no zeros where every byte is written anyway.
 */

/** Smaller results are cheap however they are made. */
const SMALLEST = 64 << 10;
/** malloc maps what is larger anew each time (glibc), and mapped pages are zeros. */
const LARGEST = (32 << 20) - (64 << 10);
let isKept = false;

/**
 * Memory with arbitrary contents, for a result that nobody sees before all of it is written. Undefined where zeros cost no more:
 * for such sizes, and outside Node and what is like it.
 */
export function usedMemory(byteLength: number): Uint8Array | undefined {
  if (typeof Buffer !== "function" || byteLength < SMALLEST || byteLength > LARGEST) return undefined;
  if (!isKept) {
    isKept = true;
    // glibc gives freed memory back to the kernel unless it has seen a piece as large as this freed; no page of it is ever mapped.
    Buffer.allocUnsafeSlow(LARGEST);
  }
  const { buffer } = Buffer.allocUnsafeSlow(byteLength);
  return buffer.byteLength === byteLength ? new Uint8Array(buffer) : undefined;
}
