/**
 * Reused memory for encoded bytes. A megabyte of fresh memory costs 0.2 to 0.7 ms in page faults (Linux,
 * virtual machine), which for uncompressed inner chunks is longer than reading and copying them takes.
 */

/** Smaller pieces cost less on the garbage-collected heap. */
const SMALLEST = 64 << 10;

/** Buffers that are free for reuse. */
export class BufferPool<Buffer extends ArrayBufferLike = ArrayBuffer> {
  readonly #capacity: number;
  readonly #make: (byteLength: number) => Buffer;
  /** In order of use: the last buffer was used last, and its pages are the likeliest to be in a cache. */
  readonly #free: Buffer[] = [];
  #byteLength = 0;

  /** @param capacity most bytes that are kept */
  constructor(capacity: number, make: (byteLength: number) => Buffer) {
    this.#capacity = capacity;
    this.#make = make;
  }

  take(byteLength: number): Buffer {
    // A buffer of several times the length is kept for longer pieces.
    const index = this.#free.findLastIndex(
      (buffer) => buffer.byteLength >= byteLength && buffer.byteLength <= 4 * byteLength,
    );
    const [found] = index < 0 ? [] : this.#free.splice(index, 1);
    this.#byteLength -= found?.byteLength ?? 0;
    return found ?? this.#make(roundUp(byteLength));
  }

  give(buffer: Buffer): void {
    this.#free.push(buffer);
    this.#byteLength += buffer.byteLength;
    while (this.#byteLength > this.#capacity) this.#byteLength -= this.#free.shift()?.byteLength ?? 0;
  }
}

/** A pool of ordinary memory. */
export function bufferPool(capacity: number): BufferPool {
  return new BufferPool(capacity, (byteLength) => new ArrayBuffer(byteLength));
}

/**
 * For reads of one thread. At most `HELD_FOR_SHARDS` bytes are under way, except for longer shards that are
 * one value; the next one begins while one is copied.
 */
const readBuffers = /* @__PURE__ */ bufferPool(48 << 20);

/** Memory for one batch. After `release` nobody may use it, including a store that filled it. */
export class Lease {
  readonly #pool: BufferPool;
  readonly #buffers: ArrayBuffer[] = [];

  constructor(pool = readBuffers) {
    this.#pool = pool;
  }

  readonly allocate = (byteLength: number): Uint8Array => {
    if (byteLength < SMALLEST) return new Uint8Array(byteLength);
    const buffer = this.#pool.take(byteLength);
    this.#buffers.push(buffer);
    return new Uint8Array(buffer, 0, byteLength);
  };

  release(): void {
    for (const buffer of this.#buffers.splice(0)) this.#pool.give(buffer);
  }
}

/** Allocates memory that is given away, or used once. */
export const ownMemory = (byteLength: number): Uint8Array => new Uint8Array(byteLength);

/** Rounds up by at most an eighth: shards of one array differ in length, and should share buffers. */
function roundUp(byteLength: number): number {
  const step = 2 ** (Math.floor(Math.log2(byteLength)) - 3);
  return Math.ceil(byteLength / step) * step;
}
