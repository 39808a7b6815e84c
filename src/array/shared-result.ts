/** Results in shared memory; get.ts loads this when they are asked for. */
import { keepRoomFor } from "../engine/result-memory.js";
import { InvalidArgumentError, UnsupportedError } from "../errors.js";
import { addresses } from "../garbage.js";

/**
 * V8 does not count shared memory when it decides whether to collect garbage: 60 results of 64 MiB that nobody held any more stood there
 * at once. So where more than this is there, of every further result as many bytes are counted that nobody touches: addresses alone.
 */
const UNCOUNTED = 256 << 20;
let uncounted = 0;
const freed = new FinalizationRegistry((byteLength: number) => {
  uncounted -= byteLength;
});
/** What is counted lives as long as the result. */
const counted = new WeakMap<ArrayBufferLike, ArrayBuffer>();

function count(memory: ArrayBufferLike): void {
  const { byteLength } = memory;
  if (uncounted + byteLength <= UNCOUNTED) {
    uncounted += byteLength;
    freed.register(memory, byteLength);
    return;
  }
  try {
    counted.set(memory, addresses(byteLength));
  } catch {
    // No addresses to spare. The result is there all the same.
  }
}

/** @throws UnsupportedError where there is no SharedArrayBuffer, InvalidArgumentError where there is no room */
export function allocateShared(byteLength: number): Uint8Array {
  if (typeof SharedArrayBuffer === "undefined") {
    throw new UnsupportedError(
      'shared: expected SharedArrayBuffer, got a page that is not cross-origin isolated; send it with "Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp", or leave `shared` out',
    );
  }
  try {
    const memory = new Uint8Array(new SharedArrayBuffer(byteLength));
    count(memory.buffer);
    // Zeros where results stood are written by this thread, but in a fifth of the time that their pages take.
    if (typeof Buffer === "function") keepRoomFor(memory);
    return memory;
  } catch (cause) {
    throw new InvalidArgumentError(
      `cannot allocate ${byteLength} bytes of shared memory for the result: take less at a time, with \`read\` or a smaller selection`,
      { cause },
    );
  }
}
