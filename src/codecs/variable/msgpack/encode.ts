/** JavaScript values to MessagePack, each in its shortest form, as msgpack-python writes them. */
import { describe, InvalidArgumentError } from "../../../errors.js";

/** @throws InvalidArgumentError for what MessagePack cannot say */
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

  /** A length in 8, 16 or 32 bits behind one of three consecutive codes. */
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
