/**
 * Memory that encoded bytes are read into, used again and again: a megabyte of fresh memory costs 0.2 to 0.7 ms in page faults
 * (Linux, virtual machine), which for inner chunks without compression is longer than reading and copying them takes.
 */

/** Smaller pieces come from the garbage-collected heap for less. */
const SMALLEST = 64 << 10;
/** Bytes kept for the next read, per thread. */
const CAPACITY = 64 << 20;

/** Buffers that nobody uses; the one used last, whose pages are the likeliest to be in a cache, stands last. */
const free: ArrayBuffer[] = [];
let freeBytes = 0;

/** Memory for one batch of reads. Nothing of it may be used after `release`, nor by the store that filled it. */
export class Lease {
  readonly #buffers: ArrayBuffer[] = [];

  readonly allocate = (byteLength: number): Uint8Array => {
    if (byteLength < SMALLEST) return new Uint8Array(byteLength);
    const buffer = takeFree(byteLength) ?? new ArrayBuffer(roundUp(byteLength));
    this.#buffers.push(buffer);
    return new Uint8Array(buffer, 0, byteLength);
  };

  release(): void {
    for (const buffer of this.#buffers.splice(0)) {
      free.push(buffer);
      freeBytes += buffer.byteLength;
    }
    while (freeBytes > CAPACITY) freeBytes -= free.shift()?.byteLength ?? 0;
  }
}

function takeFree(byteLength: number): ArrayBuffer | undefined {
  // Not one of several times the size: a longer piece would miss it.
  const index = free.findLastIndex(
    (buffer) => buffer.byteLength >= byteLength && buffer.byteLength <= 4 * byteLength,
  );
  const [found] = index < 0 ? [] : free.splice(index, 1);
  freeBytes -= found?.byteLength ?? 0;
  return found;
}

/** To an eighth or less above: shards of one array differ in length, and are to use the same buffers. */
function roundUp(byteLength: number): number {
  const step = 2 ** (Math.floor(Math.log2(byteLength)) - 3);
  return Math.ceil(byteLength / step) * step;
}
