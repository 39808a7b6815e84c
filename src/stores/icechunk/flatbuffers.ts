/**
 * Tables of flatbuffers, read where they stand. Every access is checked: positions come from the file.
 * https://flatbuffers.dev/internals/
 */

/** Thrown for positions outside of the file; the file's reader says which one it was. */
export class OutOfBounds extends Error {}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Elements of a list, made when they are asked for. */
export interface List<Element> {
  readonly length: number;
  at(index: number): Element;
}

export class Table {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #position: number;

  constructor(bytes: Uint8Array, view: DataView, position: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.#position = position;
  }

  static root(bytes: Uint8Array): Table {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new Table(bytes, view, view.getUint32(0, true));
  }

  /** Of the whole file. */
  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  uint8(field: number): number {
    const at = this.#field(field);
    return at === undefined ? 0 : this.#view.getUint8(at);
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

  /** A struct of so many bytes. */
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
    return bytes && UTF8.decode(bytes);
  }

  table(field: number): Table | undefined {
    const at = this.#field(field);
    return at === undefined ? undefined : this.#follow(at);
  }

  tables(field: number): List<Table> {
    return this.#list(field, 4, (at) => this.#follow(at));
  }

  uint32s(field: number): List<number> {
    return this.#list(field, 4, (at) => this.#view.getUint32(at, true));
  }

  structs(field: number, byteLength: number): List<Uint8Array> {
    return this.#list(field, byteLength, (at) => this.#slice(at, byteLength));
  }

  #list<Element>(field: number, width: number, read: (at: number) => Element): List<Element> {
    const { start, length } = this.#vector(field, width) ?? { start: 0, length: 0 };
    return {
      length,
      at(index) {
        if (index < 0 || index >= length) throw new OutOfBounds(`index ${index} of a list of ${length}`);
        return read(start + index * width);
      },
    };
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
    return new Table(this.#bytes, this.#view, at + this.#view.getUint32(at, true));
  }

  #slice(start: number, length: number): Uint8Array {
    if (start + length > this.#bytes.length) throw new OutOfBounds(`${length} bytes at ${start}`);
    return this.#bytes.subarray(start, start + length);
  }

  /** Where a field stands; undefined where the table leaves it out. */
  #field(field: number): number | undefined {
    const vtable = this.#position - this.#view.getInt32(this.#position, true);
    const entry = 4 + 2 * field;
    if (entry + 2 > this.#view.getUint16(vtable, true)) return undefined;
    const offset = this.#view.getUint16(vtable + entry, true);
    return offset === 0 ? undefined : this.#position + offset;
  }
}
