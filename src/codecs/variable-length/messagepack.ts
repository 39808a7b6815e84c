/**
 * Converts between MessagePack and JavaScript values. Writes the shortest form of each value, as
 * msgpack-python does.
 *
 * Not by @msgpack/msgpack (3.1.3), which reads other values than were written, or more memory than there are
 * bytes: it stores -0 as 0; makes either all integers of 64 bits bigints, or those beyond 2^53 other numbers;
 * decodes bytes that are no UTF-8, and extension types; and allocates 256 MB for five bytes that claim as
 * many elements.
 */
import { CodecError, describe, InvalidArgumentError } from "../../core/for-codecs.js";

/** Deepest nesting that is read: deeper nesting could overflow the stack. */
const MAXIMUM_DEPTH = 512;

/** @throws CodecError for anything but exactly one message, and for extension types */
export function decodeMessage(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at === bytes.length) return value;
  throw new CodecError(`expected one message, got ${bytes.length - reader.at} more bytes after it`, {
    offset: reader.at,
  });
}

const TEXT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  value(depth: number): unknown {
    if (depth > MAXIMUM_DEPTH)
      throw this.#damaged(`values nested at most ${MAXIMUM_DEPTH} deep`, "deeper ones");
    const code = this.#unsigned(1);
    if (code < 0x80) return code;
    if (code >= 0xe0) return code - 256;
    if (code < 0x90) return this.#map(code & 15, depth);
    if (code < 0xa0) return this.#array(code & 15, depth);
    if (code < 0xc0) return this.#text(code & 31);
    switch (code) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#unsigned(1 << (code - 0xc4))).slice();
      case 0xca:
        return this.#number(4, (at) => this.#view.getFloat32(at));
      case 0xcb:
        return this.#number(8, (at) => this.#view.getFloat64(at));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (code - 0xcc));
      case 0xcf:
        return safe(this.#number(8, (at) => this.#view.getBigUint64(at)));
      case 0xd0:
        return this.#number(1, (at) => this.#view.getInt8(at));
      case 0xd1:
        return this.#number(2, (at) => this.#view.getInt16(at));
      case 0xd2:
        return this.#number(4, (at) => this.#view.getInt32(at));
      case 0xd3:
        return safe(this.#number(8, (at) => this.#view.getBigInt64(at)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (code - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(2 << (code - 0xdc)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 << (code - 0xde)), depth);
      default:
        throw this.#damaged("a value of JSON or bytes", `type 0x${code.toString(16)}`);
    }
  }

  /** Checks the count before it allocates: every element takes at least one byte. */
  #array(count: number, depth: number): unknown[] {
    this.#check(count);
    const values: unknown[] = [];
    for (let i = 0; i < count; i++) values.push(this.value(depth + 1));
    return values;
  }

  #map(count: number, depth: number): Readonly<Record<string, unknown>> {
    this.#check(2 * count);
    const entries: [string, unknown][] = [];
    for (let i = 0; i < count; i++) {
      const name = this.value(depth + 1);
      entries.push([typeof name === "string" ? name : String(name), this.value(depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  #text(length: number): string {
    const from = this.at;
    try {
      return TEXT.decode(this.#take(length).slice());
    } catch (cause) {
      if (cause instanceof CodecError) throw cause;
      this.at = from;
      throw this.#damaged("UTF-8", "other bytes");
    }
  }

  #unsigned(length: number): number {
    if (length === 1) return this.#number(1, (at) => this.#view.getUint8(at));
    if (length === 2) return this.#number(2, (at) => this.#view.getUint16(at));
    return this.#number(4, (at) => this.#view.getUint32(at));
  }

  #number<Value>(length: number, read: (at: number) => Value): Value {
    this.#check(length);
    const value = read(this.at);
    this.at += length;
    return value;
  }

  #take(length: number): Uint8Array {
    this.#check(length);
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #check(length: number): void {
    const left = this.#bytes.length - this.at;
    if (length > left) throw this.#damaged(`at least ${length} bytes more`, `${left}`);
  }

  #damaged(expected: string, got: string): CodecError {
    return new CodecError(`expected ${expected} at byte ${this.at}, got ${got}`, { offset: this.at });
  }
}

function safe(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** @throws InvalidArgumentError for values that MessagePack cannot represent */
export function encodeMessage(value: unknown): Uint8Array {
  const writer = new Writer();
  writer.value(value);
  return writer.finish();
}

class Writer {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  value(value: unknown): void {
    if (value === null || value === undefined) this.#byte(0xc0);
    else if (typeof value === "boolean") this.#byte(value ? 0xc3 : 0xc2);
    else if (typeof value === "number") this.#number(value);
    else if (typeof value === "bigint") this.#integer(value);
    else if (typeof value === "string") this.#text(value);
    else if (value instanceof Uint8Array) this.#binary(value);
    else if (Array.isArray(value)) {
      this.#header(value.length, 0x90, 16, 0xdc);
      for (const member of value) this.value(member);
    } else if (typeof value === "object") {
      const entries = Object.entries(value);
      this.#header(entries.length, 0x80, 16, 0xde);
      for (const [name, member] of entries) {
        this.#text(name);
        this.value(member);
      }
    } else {
      throw new InvalidArgumentError(`expected a value that MessagePack can hold, got ${describe(value)}`);
    }
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      this.#integer(BigInt(value));
      return;
    }
    this.#byte(0xcb);
    this.#room(8);
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
  }

  #integer(value: bigint): void {
    const number = Number(value);
    if (value >= 0n) {
      if (value < 128n) this.#byte(number);
      else if (value < 2n ** 8n) this.#tagged(0xcc, 1, number);
      else if (value < 2n ** 16n) this.#tagged(0xcd, 2, number);
      else if (value < 2n ** 32n) this.#tagged(0xce, 4, number);
      else if (value < 2n ** 64n) this.#wide(0xcf, value);
      else throw new InvalidArgumentError(`expected an integer below 2^64, got ${value}`);
    } else if (value >= -32n) this.#byte(number + 256);
    else if (value >= -(2n ** 7n)) this.#tagged(0xd0, 1, number);
    else if (value >= -(2n ** 15n)) this.#tagged(0xd1, 2, number);
    else if (value >= -(2n ** 31n)) this.#tagged(0xd2, 4, number);
    else if (value >= -(2n ** 63n)) this.#wide(0xd3, value);
    else throw new InvalidArgumentError(`expected an integer of at least -2^63, got ${value}`);
  }

  #text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    if (bytes.length < 32) this.#byte(0xa0 | bytes.length);
    else this.#length(bytes.length, 0xd9);
    this.#raw(bytes);
  }

  #binary(bytes: Uint8Array): void {
    this.#length(bytes.length, 0xc4);
    this.#raw(bytes);
  }

  /** Writes one of three consecutive codes, then the length in 8, 16 or 32 bits. */
  #length(length: number, code: number): void {
    if (length < 2 ** 8) this.#tagged(code, 1, length);
    else if (length < 2 ** 16) this.#tagged(code + 1, 2, length);
    else this.#tagged(code + 2, 4, length);
  }

  #header(count: number, short: number, limit: number, code: number): void {
    if (count < limit) this.#byte(short | count);
    else if (count < 2 ** 16) this.#tagged(code, 2, count);
    else this.#tagged(code + 1, 4, count);
  }

  #byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  #tagged(code: number, length: 1 | 2 | 4, value: number): void {
    this.#byte(code);
    this.#room(length);
    if (length === 1) this.#view.setUint8(this.#at, value);
    else if (length === 2) this.#view.setUint16(this.#at, value);
    else this.#view.setUint32(this.#at, value);
    this.#at += length;
  }

  #wide(code: number, value: bigint): void {
    this.#byte(code);
    this.#room(8);
    this.#view.setBigUint64(this.#at, BigInt.asUintN(64, value));
    this.#at += 8;
  }

  #raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #room(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#at + length));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
