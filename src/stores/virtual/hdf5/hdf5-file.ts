/** An HDF5 file: its superblock, and structures by their addresses. Specification II. */
import { StoreError } from "../../../core/for-stores.js";
import type { FileBytes } from "../file-bytes.js";
import { hdf5Offset } from "../formats.js";
import { Cursor, type FieldSizes } from "./cursor.js";

/** Most entries of one structure, and nodes of one walk, in a file that is not damaged on purpose. */
export const MOST_ENTRIES = 1 << 24;

export class Hdf5File {
  readonly file: FileBytes;
  readonly sizes: FieldSizes;
  /** Address of the object header of the root group. */
  readonly root: number;
  /** Address of the superblock's extension; undefined if there is none. */
  readonly extension: number | undefined;
  /** Where addresses count from: the superblock, after a user block. */
  readonly #base: number;

  private constructor(file: FileBytes, base: number, superblock: Superblock) {
    this.file = file;
    this.#base = base;
    this.sizes = superblock.sizes;
    this.root = superblock.root;
    this.extension = superblock.extension;
  }

  static async open(file: FileBytes): Promise<Hdf5File> {
    const base = hdf5Offset(file.beginning);
    if (base === undefined) throw new StoreError(`${file.name}: expected the signature of HDF5`);
    const bytes = await file.read(base, Math.min(LONGEST_SUPERBLOCK, file.byteLength - base));
    return new Hdf5File(file, base, readSuperblock(bytes));
  }

  /** A structure of `length` bytes. @throws StoreError past the end of the file */
  async structure(address: number, length: number, what: string): Promise<Cursor> {
    return this.cursor(await this.bytes(address, length), `${what} at address ${address}`);
  }

  /** Bytes that are no structure. @throws StoreError past the end of the file */
  bytes(address: number, length: number): Promise<Uint8Array> {
    return this.file.read(this.offsetOf(address), length);
  }

  cursor(bytes: Uint8Array, what: string): Cursor {
    return new Cursor(bytes, what, this.sizes);
  }

  /** At most `length` bytes: structures that say how long they are may be near the end of the file. */
  async atMost(address: number, length: number, what: string): Promise<Cursor> {
    const left = this.file.byteLength - this.offsetOf(address);
    return this.structure(address, Math.max(0, Math.min(length, left)), what);
  }

  /** The offset in the file of an address. */
  offsetOf(address: number): number {
    return this.#base + address;
  }
}

const LONGEST_SUPERBLOCK = 160;

interface Superblock {
  readonly sizes: FieldSizes;
  readonly root: number;
  readonly extension: number | undefined;
}

function readSuperblock(bytes: Uint8Array): Superblock {
  const what = "superblock";
  const first = new Cursor(bytes, what, { offset: 8, length: 8 });
  first.skip(8);
  const version = first.version(0, 1, 2, 3);
  if (version < 2) first.skip(4);
  const sizes = { offset: first.u8(), length: first.u8() };
  if (![2, 4, 8].includes(sizes.offset) || ![2, 4, 8].includes(sizes.length))
    throw first.refusal(`expected sizes of 2, 4 or 8 bytes, got ${sizes.offset} and ${sizes.length}`);
  const cursor = new Cursor(bytes, what, sizes);
  cursor.skip(first.at);
  if (version >= 2) {
    cursor.skip(1 + sizes.offset);
    const extension = cursor.address();
    cursor.skip(sizes.offset);
    return { sizes, extension, root: cursor.addressOf("the root group") };
  }
  cursor.skip(version === 0 ? 9 : 13);
  // Base address, free space, end of the file, driver information; then the symbol table entry of the root.
  cursor.skip(4 * sizes.offset + sizes.offset);
  return { sizes, extension: undefined, root: cursor.addressOf("the root group") };
}
