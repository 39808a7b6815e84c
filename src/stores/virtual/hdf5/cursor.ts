/** Reads the little-endian fields of HDF5's structures, one after the other, and never past their end. */
import { StoreError } from "../../../core/for-stores.js";

/** Sizes of the fields that a file chooses, in bytes. */
export interface FieldSizes {
  /** Of addresses in the file. */
  readonly offset: number;
  /** Of lengths. */
  readonly length: number;
}

export class Cursor {
  readonly bytes: Uint8Array;
  /** What messages call the structure. */
  readonly #what: string;
  readonly #sizes: FieldSizes;
  readonly #view: DataView;
  /** Of the next field, from the beginning of `bytes`. */
  at = 0;

  constructor(bytes: Uint8Array, what: string, sizes: FieldSizes) {
    this.bytes = bytes;
    this.#what = what;
    this.#sizes = sizes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Bytes after the next field. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }
  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }
  u64(): number {
    return this.uint(8);
  }

  /** An unsigned integer of `size` bytes, at most 8. @throws StoreError for one of 2^53 or more */
  uint(size: number): number {
    const start = this.#take(size);
    let value = 0;
    for (let i = size - 1; i >= 0; i--) value = value * 256 + this.#view.getUint8(start + i);
    if (Number.isSafeInteger(value)) return value;
    throw this.refusal(`expected a number below 2^53, got ${value}`);
  }

  /** A length of bytes or a count. */
  length(): number {
    return this.uint(this.#sizes.length);
  }
  /** A length; undefined for all ones: any number of elements. */
  lengthOrUnlimited(): number | undefined {
    return this.#unlessAllOnes(this.#sizes.length);
  }
  /** An address; undefined for all ones, which says that there is nothing. */
  address(): number | undefined {
    return this.#unlessAllOnes(this.#sizes.offset);
  }
  /** An address that has to be there. */
  addressOf(what: string): number {
    const address = this.address();
    if (address !== undefined) return address;
    throw this.refusal(`expected the address of ${what}, got none`);
  }

  skip(count: number): void {
    this.#take(count);
  }
  /** Skips to a multiple of 8 bytes from `start`. */
  align(start: number): void {
    this.#take((8 - ((this.at - start) % 8)) % 8);
  }
  /** A view. */
  take(count: number): Uint8Array {
    const start = this.#take(count);
    return this.bytes.subarray(start, start + count);
  }
  /** The text up to a NUL, which is skipped too. */
  text(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) throw this.refusal("expected a name that ends in a NUL");
    const text = textOf(this.bytes.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }

  /** @throws StoreError unless these characters are next */
  signature(expected: string): void {
    const found = String.fromCharCode(...this.take(4));
    if (found !== expected)
      throw this.refusal(`expected the signature ${expected}, got ${JSON.stringify(found)}`);
  }
  /** A version field. @throws StoreError for another than these */
  version(...known: readonly number[]): number {
    const version = this.u8();
    if (known.includes(version)) return version;
    throw this.refusal(`expected version ${known.join(" or ")}, got ${version}`);
  }

  refusal(message: string): StoreError {
    return new StoreError(`HDF5, ${this.#what}: ${message}`);
  }

  #unlessAllOnes(size: number): number | undefined {
    const isNone = this.bytes.subarray(this.at, this.at + size).every((byte) => byte === 0xff);
    if (!isNone || this.left < size) return this.uint(size);
    this.at += size;
    return undefined;
  }

  #take(count: number): number {
    const start = this.at;
    if (!(count >= 0 && count <= this.left))
      throw this.refusal(`expected ${count} more bytes at byte ${start}, got ${this.left}`);
    this.at += count;
    return start;
  }
}

/** Text of names and attributes: UTF-8, of which ASCII is a part. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Bytes that hold every number up to `limit`. */
export function bytesFor(limit: number): number {
  return Math.floor(Math.log2(Math.max(1, limit)) / 8) + 1;
}
