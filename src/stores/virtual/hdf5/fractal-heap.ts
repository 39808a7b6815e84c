/** Fractal heaps: links and attributes of new groups. Specification III.G. */
import { BoundedCache, UnsupportedError } from "../../../core/for-stores.js";
import { bytesFor, type Cursor } from "./cursor.js";
import type { Hdf5File } from "./hdf5-file.js";
import { findRecord } from "./indexes/btree2.js";

interface HeapHeader {
  readonly idLength: number;
  readonly hasChecksums: boolean;
  readonly hugeTree: number | undefined;
  readonly width: number;
  readonly startSize: number;
  readonly maximumDirect: number;
  /** Bytes of offsets in the heap, and of lengths of objects, in heap IDs. */
  readonly offsetSize: number;
  readonly lengthSize: number;
  readonly root: number | undefined;
  /** Rows of the root block; 0 if it is a direct block. */
  readonly rows: number;
}

/** Levels of indirect blocks: each is at least twice as large as the one below, and offsets have 64 bits. */
const DEEPEST = 64;
const BLOCKS_KEPT = 1024;

export class FractalHeap {
  readonly #file: Hdf5File;
  readonly #address: number;
  readonly #header: HeapHeader;
  readonly #blocks = new BoundedCache<number, Promise<Cursor>>({ entries: BLOCKS_KEPT });

  private constructor(file: Hdf5File, address: number, header: HeapHeader) {
    this.#file = file;
    this.#address = address;
    this.#header = header;
  }

  static async open(file: Hdf5File, address: number): Promise<FractalHeap> {
    const { offset, length } = file.sizes;
    const cursor = await file.atMost(address, 26 + 3 * offset + 12 * length, "fractal heap");
    return new FractalHeap(file, address, readHeader(cursor));
  }

  /** The bytes of an object. @throws StoreError for an ID that names none */
  async object(id: Uint8Array): Promise<Uint8Array> {
    const cursor = this.#file.cursor(id, `ID in the fractal heap at address ${this.#address}`);
    const first = cursor.u8();
    const kind = (first >> 4) & 3;
    if (first >> 6 !== 0) throw cursor.refusal(`expected version 0, got ${first >> 6}`);
    if (kind === 0) {
      const offset = cursor.uint(this.#header.offsetSize);
      return this.#managed(offset, cursor.uint(this.#header.lengthSize), cursor);
    }
    if (kind === 1) return this.#huge(cursor);
    if (kind === 2) {
      const isLong = this.#header.idLength > 17;
      const length = isLong ? ((first & 0xf) << 8) + cursor.u8() + 1 : (first & 0xf) + 1;
      return cursor.take(length);
    }
    throw cursor.refusal(`expected an object of kind 0, 1 or 2, got ${kind}`);
  }

  async #managed(offset: number, length: number, cursor: Cursor): Promise<Uint8Array> {
    const { root, rows, startSize } = this.#header;
    let address = root;
    let blockRows = rows;
    let within = offset;
    let size = startSize;
    for (let depth = 0; blockRows > 0; depth++) {
      if (address === undefined || depth === DEEPEST) throw cursor.refusal(`no object at offset ${offset}`);
      const entry = this.#entryAt(within, blockRows);
      if (entry === undefined) throw cursor.refusal(`no object at offset ${offset}`);
      const block = await this.#indirect(address, blockRows);
      block.at = this.#prefix(false) + entry.index * this.#file.sizes.offset;
      address = block.address();
      within -= entry.start;
      size = entry.size;
      blockRows = entry.rows;
    }
    if (address === undefined || within < this.#prefix(true) || within + length > size)
      throw cursor.refusal(`no object of ${length} bytes at offset ${offset}`);
    return this.#file.bytes(address + within, length);
  }

  /** The entry of an indirect block that an offset in its space is in. */
  #entryAt(offset: number, rows: number) {
    const { width, startSize, maximumDirect } = this.#header;
    for (let row = 0, start = 0, size = startSize; row < rows; row++) {
      if (row > 1) size *= 2;
      const end = start + width * size;
      if (offset < end) {
        const column = Math.floor((offset - start) / size);
        const isDirect = size <= maximumDirect;
        const below = isDirect ? 0 : Math.round(Math.log2(size / (startSize * width))) + 1;
        if (!isDirect && below < 1) return undefined;
        return { index: row * width + column, start: start + column * size, size, rows: below };
      }
      start = end;
    }
    return undefined;
  }

  #indirect(address: number, rows: number): Promise<Cursor> {
    const known = this.#blocks.get(address);
    // Each reader has a cursor of its own: others may be on their way through the same block.
    if (known !== undefined) return known.then(({ bytes }) => this.#file.cursor(bytes, "indirect block"));
    const length = this.#prefix(false) + rows * this.#header.width * this.#file.sizes.offset;
    const read = this.#file.structure(address, length, "indirect block of a fractal heap").then((cursor) => {
      cursor.signature("FHIB");
      return cursor;
    });
    this.#blocks.set(address, read);
    read.catch(() => this.#blocks.delete(address));
    return read;
  }

  /** Bytes before the entries of an indirect block, or the objects of a direct one. */
  #prefix(isDirect: boolean): number {
    const { offsetSize, hasChecksums } = this.#header;
    return 5 + this.#file.sizes.offset + offsetSize + (isDirect && hasChecksums ? 4 : 0);
  }

  async #huge(cursor: Cursor): Promise<Uint8Array> {
    const { offset, length } = this.#file.sizes;
    const { idLength, hugeTree } = this.#header;
    if (idLength - 1 >= offset + length) {
      const address = cursor.addressOf("a huge object");
      return this.#file.bytes(address, cursor.length());
    }
    const key = cursor.uint(Math.min(length, idLength - 1));
    const found =
      hugeTree === undefined
        ? undefined
        : await findRecord(this.#file, hugeTree, (record) => {
            record.skip(offset + length);
            return record.length() - key;
          });
    if (found === undefined) throw cursor.refusal(`no huge object ${key}`);
    const address = found.addressOf("a huge object");
    return this.#file.bytes(address, found.length());
  }
}

function readHeader(cursor: Cursor): HeapHeader {
  cursor.signature("FRHP");
  cursor.version(0);
  const idLength = cursor.u16();
  const filters = cursor.u16();
  if (filters > 0) throw new UnsupportedError("HDF5: heaps of compressed links or attributes are not read");
  const hasChecksums = (cursor.u8() & 2) !== 0;
  const largestObject = cursor.u32();
  cursor.length();
  const hugeTree = cursor.address();
  cursor.length();
  cursor.address();
  for (let i = 0; i < 8; i++) cursor.length();
  const width = cursor.u16();
  const startSize = cursor.length();
  const maximumDirect = cursor.length();
  const bits = cursor.u16();
  cursor.skip(2);
  const root = cursor.address();
  const rows = cursor.u16();
  const isPower = (size: number) => size >= 1 && size <= 2 ** 48 && Number.isInteger(Math.log2(size));
  if (![width, startSize, maximumDirect].every(isPower) || bits < 1 || bits > 64 || rows > 128)
    throw cursor.refusal("expected blocks whose sizes are powers of two");
  return {
    ...{ idLength, hasChecksums, hugeTree, width, startSize, maximumDirect, root, rows },
    offsetSize: Math.ceil(bits / 8),
    lengthSize: Math.min(Math.ceil(Math.log2(maximumDirect) / 8), bytesFor(largestObject)),
  };
}
