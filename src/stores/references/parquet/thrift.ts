/**
 * Walks structs of Thrift's compact protocol, in which Parquet writes its footer and the headers of its
 * pages, and keeps their numbers. Lists may not claim more elements than there are bytes, and all structs
 * and lists together have a bound: an element of one byte becomes an object of a hundred.
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
import { StoreError } from "../../../core/for-stores.js";

/** Numbers and structs by the ids of their fields; strings and lists are walked over. */
export interface Struct {
  readonly numbers: ReadonlyMap<number, number>;
  readonly structs: ReadonlyMap<number, Struct>;
  /** Offset of the first byte after the struct. */
  readonly end: number;
}

/** Levels of structs and lists: Parquet has 6. */
const DEEPEST = 16;
/** Most fields and elements of lists together. A footer has about 60 for a column of a group of rows. */
const MOST_VALUES = 100_000;

/** @throws StoreError; RangeError if the bytes end too early */
export function readStruct(view: DataView, start: number): Struct {
  return new Walk(view, start).struct(0);
}

class Walk {
  readonly #view: DataView;
  #offset: number;
  #count = 0;

  constructor(view: DataView, start: number) {
    this.#view = view;
    this.#offset = start;
  }

  struct(depth: number): Struct {
    if (depth > DEEPEST) throw new StoreError(`expected at most ${DEEPEST} levels of structs, got more`);
    const numbers = new Map<number, number>();
    const structs = new Map<number, Struct>();
    for (let id = 0; ; ) {
      const header = this.#byte();
      const type = header & 15;
      if (type === 0) return { numbers, structs, end: this.#offset };
      id = header >> 4 === 0 ? this.#zigzag() : id + (header >> 4);
      // The last of several fields with one id counts, as in hyparquet.
      numbers.delete(id);
      structs.delete(id);
      if (type === 12) {
        this.#countOne();
        structs.set(id, this.struct(depth + 1));
      } else {
        const value = this.#value(type, depth);
        if (value !== undefined) numbers.set(id, value);
      }
    }
  }

  #value(type: number, depth: number): number | undefined {
    this.#countOne();
    switch (type) {
      case 1: // true and false have no bytes.
      case 2:
        return undefined;
      case 3:
        this.#byte();
        return undefined;
      case 4:
      case 5:
        return this.#zigzag();
      case 6:
        this.#varint(10);
        return undefined;
      case 7:
        this.#skip(8);
        return undefined;
      case 8:
        this.#skip(this.#varint(5));
        return undefined;
      case 9:
        this.#list(depth + 1);
        return undefined;
      case 12:
        this.struct(depth + 1);
        return undefined;
      default:
        throw new StoreError(`unknown type ${type} of a field`);
    }
  }

  #list(depth: number): void {
    if (depth > DEEPEST) throw new StoreError(`expected at most ${DEEPEST} levels of lists, got more`);
    const header = this.#byte();
    const type = header & 15;
    const count = header >> 4 === 15 ? this.#varint(5) : header >> 4;
    const left = this.#view.byteLength - this.#offset;
    if (count < 0 || count > left) throw new StoreError(`a list of ${count} elements in ${left} bytes`);
    for (let i = 0; i < count; i++) this.#value(type < 3 ? 3 : type, depth);
  }

  #countOne(): void {
    if (++this.#count > MOST_VALUES)
      throw new StoreError(`expected at most ${MOST_VALUES} fields and elements, got more`);
  }

  #byte(): number {
    return this.#view.getUint8(this.#offset++);
  }

  #skip(byteLength: number): void {
    const left = this.#view.byteLength - this.#offset;
    if (byteLength < 0 || byteLength > left)
      throw new StoreError(`a string of ${byteLength} bytes in ${left} bytes`);
    this.#offset += byteLength;
  }

  #zigzag(): number {
    const number = this.#varint(5);
    return (number >>> 1) ^ -(number & 1);
  }

  /** The lower 32 bits, signed. */
  #varint(longest: number): number {
    const { value, end } = readVarint(this.#view, this.#offset, longest);
    this.#offset = end;
    return value;
  }
}

/** Reads the lower 32 bits, signed. @throws StoreError for one of more than `longest` bytes */
export function readVarint(view: DataView, start: number, longest = 5): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < longest; i++) {
    const byte = view.getUint8(start + i);
    if (i < 5) value |= (byte & 127) << (7 * i);
    if (byte < 128) return { value, end: start + i + 1 };
  }
  throw new StoreError(`expected a number of at most ${longest} bytes, got more`);
}
