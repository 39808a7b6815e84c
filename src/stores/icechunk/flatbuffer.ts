/**
 * Reads flatbuffers tables in place. Every access is bounds-checked, because positions come from an untrusted
 * file. https://flatbuffers.dev/internals/
 *
 * Nothing in the format forbids that many references lead to one table, so lists in lists could be as long as
 * the product of their lengths. What `map` and `text` return is therefore bounded by what the file can hold
 * without that.
 */
import { at } from "../../core/for-stores.js";

/** Thrown for positions outside of the file; `checked` turns it into a StoreError that names the file. */
export class OutOfBounds extends Error {}

export const UTF8: InstanceType<typeof TextDecoder> = new TextDecoder("utf-8", { fatal: true });

/** A list in a flatbuffer, which reads an element on each access. */
export interface List<Element> {
  readonly length: number;
  at(index: number): Element;
  /** @throws OutOfBounds if the file cannot hold what was read since `begin` */
  map<Result>(make: (element: Element) => Result): Result[];
}

/** The least a table takes: the offset of its vtable and one field. */
const TABLE_BYTES = 8;

/** The file of some tables. `left` is how many bytes may still be read from it, see `begin`. */
interface File {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  left: number;
}

export class Table {
  readonly #file: File;
  readonly #position: number;

  private constructor(file: File, position: number) {
    this.#file = file;
    this.#position = position;
  }

  static root(bytes: Uint8Array): Table {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new Table({ bytes, view, left: bytes.length }, view.getUint32(0, true));
  }

  /** Begins another operation, which may read as much as the file is long. */
  begin(): void {
    this.#file.left = this.#bytes.length;
  }

  get #bytes(): Uint8Array {
    return this.#file.bytes;
  }

  get #view(): DataView {
    return this.#file.view;
  }

  #spend(byteLength: number): void {
    this.#file.left -= byteLength;
    if (this.#file.left < 0) throw new OutOfBounds("lists that share their elements");
  }

  /** Length of the whole decompressed file in bytes. */
  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  /** @param absent the field's default in the schema */
  uint8(field: number, absent = 0): number {
    const at = this.#field(field);
    return at === undefined ? absent : this.#view.getUint8(at);
  }

  int32(field: number): number {
    const at = this.#field(field);
    return at === undefined ? 0 : this.#view.getInt32(at, true);
  }

  uint32(field: number): number {
    const at = this.#field(field);
    return at === undefined ? 0 : this.#view.getUint32(at, true);
  }

  /** @throws OutOfBounds beyond 2^53 */
  uint64(field: number): number {
    const at = this.#field(field);
    const value = at === undefined ? 0 : Number(this.#view.getBigUint64(at, true));
    if (!Number.isSafeInteger(value)) throw new OutOfBounds("a number beyond 2^53");
    return value;
  }

  /** A view of a struct of `byteLength` bytes; undefined when the field is absent. */
  struct(field: number, byteLength: number): Uint8Array | undefined {
    const at = this.#field(field);
    return at === undefined ? undefined : this.#slice(at, byteLength);
  }

  bytes(field: number): Uint8Array | undefined {
    const vector = this.#vector(field, 1);
    return vector && this.#slice(vector.start, vector.length);
  }

  text(field: number): string | undefined {
    const bytes = this.bytes(field);
    if (bytes !== undefined) this.#spend(bytes.length);
    return bytes && UTF8.decode(bytes);
  }

  table(field: number): Table | undefined {
    const at = this.#field(field);
    return at === undefined ? undefined : this.#follow(at);
  }

  tables(field: number): List<Table> {
    return this.#list(field, 4, (at) => this.#follow(at), TABLE_BYTES);
  }

  uint32s(field: number): List<number> {
    return this.#list(field, 4, (at) => this.#view.getUint32(at, true));
  }

  structs(field: number, byteLength: number): List<Uint8Array> {
    return this.#list(field, byteLength, (at) => this.#slice(at, byteLength));
  }

  /** @param more bytes that each element has elsewhere in the file, at least */
  #list<Element>(field: number, width: number, read: (at: number) => Element, more = 0): List<Element> {
    const { start, length } = this.#vector(field, width) ?? { start: 0, length: 0 };
    const at = (index: number): Element => {
      if (index < 0 || index >= length) throw new OutOfBounds(`index ${index} of a list of ${length}`);
      return read(start + index * width);
    };
    const map = <Result>(make: (element: Element) => Result): Result[] => {
      this.#spend(length * (width + more));
      return Array.from({ length }, (_, index) => make(at(index)));
    };
    return { length, at, map };
  }

  #vector(field: number, width: number): { readonly start: number; readonly length: number } | undefined {
    const at = this.#field(field);
    if (at === undefined) return undefined;
    const position = at + this.#view.getUint32(at, true);
    const length = this.#view.getUint32(position, true);
    if (length * width > this.#bytes.length - position - 4) throw new OutOfBounds(`a list of ${length}`);
    return { start: position + 4, length };
  }

  #follow(at: number): Table {
    return new Table(this.#file, at + this.#view.getUint32(at, true));
  }

  #slice(start: number, length: number): Uint8Array {
    if (start + length > this.#bytes.length) throw new OutOfBounds(`${length} bytes at ${start}`);
    return this.#bytes.subarray(start, start + length);
  }

  /** The position of a field's data in the file; undefined when the table omits the field. */
  #field(field: number): number | undefined {
    const vtable = this.#position - this.#view.getInt32(this.#position, true);
    const entry = 4 + 2 * field;
    if (entry + 2 > this.#view.getUint16(vtable, true)) return undefined;
    const offset = this.#view.getUint16(vtable + entry, true);
    return offset === 0 ? undefined : this.#position + offset;
  }
}

/** @throws OutOfBounds for a member that the schema requires and the file lacks */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new OutOfBounds("a member is missing");
  return value;
}

/** Binary search in an ascending list: returns the element for which `compare` returns 0. */
export function search(list: List<Table>, compare: (element: Table) => number): Table | undefined {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const element = list.at(middle);
    const order = compare(element);
    if (order === 0) return element;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** The order of ids, which are equally long. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const index = one.findIndex((byte, i) => byte !== other[i]);
  return index < 0 ? 0 : at(one, index) - at(other, index);
}
