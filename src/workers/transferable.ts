/** Memory that is transferred to workers and back. */
import { bufferPool } from "../engine/shards/buffers.js";

/** Encoded bytes of several chunks share memory of this size. */
const BLOCK = 1 << 20;

/** Buffers are used again: new memory costs more than the work that is done in it. */
export const transferable = bufferPool(32 << 20);

/** Memory for the encoded bytes of one band. */
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

  /** `bytes` in this memory, or in shared memory where they are there already. */
  hold(bytes: Uint8Array): Uint8Array {
    if (!(bytes.buffer instanceof ArrayBuffer) || this.buffers.includes(bytes.buffer)) return bytes;
    const copy = this.allocate(bytes.length);
    copy.set(bytes);
    return copy;
  }
}
