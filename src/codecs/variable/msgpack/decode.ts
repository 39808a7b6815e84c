/** MessagePack to JavaScript values. */
import { CodecError } from "../../../errors.js";

/** Deeper nesting is refused: it would exhaust the stack. */
const MAXIMUM_DEPTH = 512;

/** @throws CodecError for anything but exactly one message, and for extension types */
export function decodeMessage(bytes: Uint8Array): unknown {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at === bytes.length) return value;
  throw new CodecError(`expected one message, got ${bytes.length - reader.at} bytes behind it`, {
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

  /** A claim of more elements than there are bytes is refused before anything is allocated for them. */
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
