/** Buffers that are transferred to workers and back. */
import { bufferPool } from "../core/line/shared/buffers.js";

/** Bytes of a buffer that encoded chunks share. */
const BLOCK = 1 << 20;

/** A pool of buffers for reuse: allocating new memory costs more than the work that is done in it. */
export const transferable = bufferPool(32 << 20);

/** Allocates memory for the encoded chunks of one band, from buffers that can be transferred. */
export class TransferableMemory {
  readonly buffers: ArrayBuffer[] = [];
  #block: ArrayBuffer | undefined;
  #used = 0;

  readonly allocate = (byteLength: number): Uint8Array => {
    if (this.#block === undefined || this.#used + byteLength > this.#block.byteLength) {
      this.#block = transferable.take(Math.max(byteLength, BLOCK));
      this.buffers.push(this.#block);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += byteLength;
    return new Uint8Array(this.#block, start, byteLength);
  };

  /**
   * Returns `bytes` unchanged if they are in shared memory or in this memory already; otherwise a copy in
   * this memory.
   */
  hold(bytes: Uint8Array): Uint8Array {
    if (!(bytes.buffer instanceof ArrayBuffer) || this.buffers.includes(bytes.buffer)) return bytes;
    const copy = this.allocate(bytes.length);
    copy.set(bytes);
    return copy;
  }
}
