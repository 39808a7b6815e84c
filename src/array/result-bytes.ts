/** Chooses the memory of a result: the caller's `out`, shared, used (not zeroed), or new. */
import { keepRoomFor, usedMemory } from "../engine/result-memory.js";
import { InvalidArgumentError, UnsupportedError } from "../errors.js";
import { addresses } from "../garbage.js";
import type { GetOptions } from "./get-options.js";
import type { ZarrArray } from "./nodes.js";

interface ResultBytes {
  readonly bytes: Uint8Array;
  /** Whether all bytes are zero. */
  readonly fresh: boolean;
}

/** @throws InvalidArgumentError if memory is short or `out` does not fit, UnsupportedError for `shared` without SharedArrayBuffer */
export function resultBytes(
  array: ZarrArray<unknown>,
  { out, shared }: GetOptions<unknown>,
  byteLength: number,
): ResultBytes {
  if (out !== undefined) return { bytes: outBytes(array, out, byteLength), fresh: false };
  if (shared === true) return { bytes: allocateShared(byteLength), fresh: true };
  const used = typeof globalThis.Buffer === "function" ? usedMemory(byteLength) : undefined;
  return { bytes: used ?? allocateResult(byteLength), fresh: used === undefined };
}

/** The bytes of `out`. @throws InvalidArgumentError unless it has the array's data type and `byteLength` bytes */
function outBytes(array: ZarrArray<unknown>, out: unknown, byteLength: number): Uint8Array {
  const bytes = array.dataType.bytesOf(out);
  if (bytes === undefined || bytes.length !== byteLength) {
    const got = bytes === undefined ? "another kind of array" : `${bytes.length} bytes`;
    throw new InvalidArgumentError(
      `out: expected ${byteLength} bytes of data type ${array.dtype}, got ${got}`,
      {
        path: array.path,
      },
    );
  }
  return bytes;
}

/** Allocates a zero-filled result. @throws InvalidArgumentError if memory is short */
export function allocateResult(byteLength: number): Uint8Array {
  try {
    return new Uint8Array(byteLength);
  } catch (cause) {
    throw new InvalidArgumentError(
      `cannot allocate ${byteLength} bytes for the result: take less at a time, with \`read\` or a smaller selection`,
      { cause },
    );
  }
}

/**
 * V8 does not count shared memory when it decides whether to collect garbage: 60 unused results of 64 MiB were in memory at once.
 * Beyond this many bytes of shared results, each further one keeps as many reserved addresses alive, which V8 counts.
 */
const UNCOUNTED = 256 << 20;
let uncounted = 0;
const freed = new FinalizationRegistry((byteLength: number) => {
  uncounted -= byteLength;
});
/** Reserved addresses, which live as long as the result. */
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
    // If no addresses are left to reserve, the result is not counted.
  }
}

/** @throws UnsupportedError without SharedArrayBuffer, InvalidArgumentError if memory is short */
function allocateShared(byteLength: number): Uint8Array {
  if (typeof SharedArrayBuffer === "undefined") {
    throw new UnsupportedError(
      'shared: expected SharedArrayBuffer, got a page that is not cross-origin isolated; send it with "Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp", or leave `shared` out',
    );
  }
  try {
    const memory = new Uint8Array(new SharedArrayBuffer(byteLength));
    count(memory.buffer);
    // Zeroing used memory takes a fifth of the time of mapping new pages.
    if (typeof globalThis.Buffer === "function") keepRoomFor(memory);
    return memory;
  } catch (cause) {
    throw new InvalidArgumentError(
      `cannot allocate ${byteLength} bytes of shared memory for the result: take less at a time, with \`read\` or a smaller selection`,
      { cause },
    );
  }
}
