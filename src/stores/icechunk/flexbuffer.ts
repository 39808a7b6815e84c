/**
 * Reads a FlexBuffer, in which format 2 of Icechunk keeps its configuration, as JSON.
 * https://flatbuffers.dev/internals/#flexbuffers
 */
import type { Json } from "../../core/for-stores.js";
import { OutOfBounds, UTF8 } from "./flatbuffer.js";

/** Types of values. Others than these, which no configuration has, are read as null. */
const INT = 1;
const UINT = 2;
const FLOAT = 3;
const KEY = 4;
const STRING = 5;
const MAP = 9;
const VECTOR = 10;
const BOOL = 26;

const DEEPEST = 32;

/** @throws OutOfBounds, or RangeError of a DataView, for a damaged buffer */
export function readFlexBuffer(bytes: Uint8Array): Json {
  return new Reader(bytes).root();
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /**
   * Values that may still be read: many references may lead to one value, so lists in lists would multiply.
   */
  #left: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = bytes.byteLength;
  }

  root(): Json {
    const end = this.#bytes.length;
    const width = this.#view.getUint8(end - 1);
    return this.#value(end - 2 - width, width, this.#view.getUint8(end - 2), 0);
  }

  /** @param width bytes of the value at `at` @param packed its type, and the width of what it refers to */
  #value(at: number, width: number, packed: number, depth: number): Json {
    if (depth > DEEPEST) throw new OutOfBounds(`more than ${DEEPEST} levels`);
    this.#spend(1);
    const inner = 1 << (packed & 3);
    switch (packed >>> 2) {
      case INT:
        return this.#signed(at, width);
      case UINT:
        return this.#unsigned(at, width);
      case FLOAT:
        return width === 4 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
      case BOOL:
        return this.#unsigned(at, width) !== 0;
      case KEY:
        return this.#key(this.#follow(at, width));
      case STRING:
        return this.#string(this.#follow(at, width), inner);
      case VECTOR:
        return this.#vector(this.#follow(at, width), inner, depth);
      case MAP:
        return this.#map(this.#follow(at, width), inner, depth);
      default:
        return null;
    }
  }

  #vector(start: number, width: number, depth: number): Json[] {
    const length = this.#unsigned(start - width, width);
    this.#spend(length);
    const types = start + length * width;
    return Array.from({ length }, (_, i) =>
      this.#value(start + i * width, width, this.#view.getUint8(types + i), depth + 1),
    );
  }

  #map(start: number, width: number, depth: number): Json {
    const keys = this.#follow(start - 3 * width, width);
    const keyWidth = this.#unsigned(start - 2 * width, width);
    const values = this.#vector(start, width, depth);
    return Object.fromEntries(
      values.map((value, i) => [this.#key(this.#follow(keys + i * keyWidth, keyWidth)), value]),
    );
  }

  #string(start: number, width: number): string {
    const length = this.#unsigned(start - width, width);
    this.#spend(length);
    if (start + length > this.#bytes.length) throw new OutOfBounds(`a string of ${length} bytes`);
    return UTF8.decode(this.#bytes.subarray(start, start + length));
  }

  #key(start: number): string {
    const end = this.#bytes.indexOf(0, start);
    if (end < 0) throw new OutOfBounds("a key without an end");
    this.#spend(end - start);
    return UTF8.decode(this.#bytes.subarray(start, end));
  }

  #follow(at: number, width: number): number {
    const target = at - this.#unsigned(at, width);
    if (target < 0) throw new OutOfBounds("a reference before the start");
    return target;
  }

  #unsigned(at: number, width: number): number {
    if (width === 1) return this.#view.getUint8(at);
    if (width === 2) return this.#view.getUint16(at, true);
    if (width === 4) return this.#view.getUint32(at, true);
    return Number(this.#view.getBigUint64(at, true));
  }

  #signed(at: number, width: number): number {
    if (width === 1) return this.#view.getInt8(at);
    if (width === 2) return this.#view.getInt16(at, true);
    if (width === 4) return this.#view.getInt32(at, true);
    return Number(this.#view.getBigInt64(at, true));
  }

  #spend(count: number): void {
    this.#left -= count;
    if (!(this.#left >= 0)) throw new OutOfBounds("lists that share their elements");
  }
}
