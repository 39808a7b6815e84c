/**
 * Directories of TIFF (IFDs): entries by tag. Values are read when they are asked for, and long lists, such
 * as the offsets of tiles, element by element. TIFF 6.0, section 2; BigTIFF has numbers of 8 bytes for counts
 * and offsets.
 */
import { StoreError } from "../../../core/for-stores.js";
import type { FileBytes } from "../file-bytes.js";
import { hasText } from "../formats.js";
import { TAG } from "./tags.js";

/** How numbers of a file are stored. */
export interface TiffBytes {
  readonly file: FileBytes;
  readonly littleEndian: boolean;
  readonly isBig: boolean;
  /** Offset of the first directory. */
  readonly first: number;
}

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Where the values are in the file. */
  readonly offset: number;
}

/** Bytes of a value by its type. */
const SIZES: readonly (number | undefined)[] = [
  ...[undefined, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4],
  ...[undefined, undefined, 8, 8, 8],
];
const [BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, SSHORT, SLONG, SRATIONAL, FLOAT, DOUBLE] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
];
const [IFD, LONG8, SLONG8, IFD8] = [13, 16, 17, 18];

/** Entries of a directory. TIFF 6.0 has 74 tags, and writers add some ten of their own. */
const MOST_ENTRIES = 4096;
/** Values that are read as a whole: keys of GeoTIFF, samples of a pixel, offsets of further directories. */
const MOST_VALUES = 1 << 16;
/** Bytes of a text or of tables. */
const LONGEST_BYTES = 16 << 20;

export function damaged({ file }: TiffBytes, offset: number, reason: string): StoreError {
  return new StoreError(`${file.name}: damaged TIFF at byte ${offset}: ${reason}`, { offset });
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Reads the header. @throws StoreError for a file that ends in it, and for offsets of another size than 8 */
export async function readHeader(file: FileBytes): Promise<TiffBytes> {
  const start = await file.read(0, 8);
  const littleEndian = hasText(start, 0, "II");
  const isBig = viewOf(start).getUint16(2, littleEndian) === 43;
  const bytes = { file, littleEndian, isBig, first: 0 };
  if (!isBig) return { ...bytes, first: viewOf(start).getUint32(4, littleEndian) };
  const size = viewOf(start).getUint16(4, littleEndian);
  if (size !== 8) throw damaged(bytes, 4, `expected offsets of 8 bytes, got ${size}`);
  return { ...bytes, first: uint64(bytes, viewOf(await file.read(8, 8)), 0, 8) };
}

/** @param place of the number in the file */
function uint64(bytes: TiffBytes, view: DataView, at: number, place: number): number {
  const number = view.getBigUint64(at, bytes.littleEndian);
  if (number <= Number.MAX_SAFE_INTEGER) return Number(number);
  throw damaged(bytes, place, `expected a number below 2^53, got ${number}`);
}

export class Directory {
  readonly bytes: TiffBytes;
  /** Where it is in the file. */
  readonly offset: number;
  /** Offset of the next directory; 0 after the last one. */
  readonly next: number;
  readonly #entries: ReadonlyMap<number, Entry>;

  private constructor(bytes: TiffBytes, offset: number, next: number, entries: ReadonlyMap<number, Entry>) {
    this.bytes = bytes;
    this.offset = offset;
    this.next = next;
    this.#entries = entries;
  }

  /** Reads the entries of the directory at `offset`, and none of their values. @throws StoreError */
  static async read(bytes: TiffBytes, offset: number): Promise<Directory> {
    const { file, littleEndian, isBig } = bytes;
    const [countSize, entrySize, wordSize] = isBig ? [8, 20, 8] : [2, 12, 4];
    const counted = viewOf(await file.read(offset, countSize));
    const count = isBig ? uint64(bytes, counted, 0, offset) : counted.getUint16(0, littleEndian);
    if (count === 0 || count > MOST_ENTRIES)
      throw damaged(bytes, offset, `expected 1 to ${MOST_ENTRIES} entries of a directory, got ${count}`);
    const start = offset + countSize;
    const view = viewOf(await file.read(start, count * entrySize + wordSize));
    const word = (at: number): number =>
      isBig ? uint64(bytes, view, at, start + at) : view.getUint32(at, littleEndian);
    const entries = new Map<number, Entry>();
    for (let at = 0; at < count * entrySize; at += entrySize) {
      const tag = view.getUint16(at, littleEndian);
      const type = view.getUint16(at + 2, littleEndian);
      const size = SIZES[type];
      // Readers must skip types that they do not know (section 2). Of two entries the first one counts.
      if (size === undefined || entries.has(tag)) continue;
      const values = word(at + 4);
      const place = at + 4 + wordSize;
      entries.set(tag, {
        type,
        count: values,
        offset: values * size <= wordSize ? start + place : word(place),
      });
    }
    return new Directory(bytes, offset, word(count * entrySize), entries);
  }

  has(tag: number): boolean {
    return this.#entries.has(tag);
  }

  /** How many values a tag has; 0 for a tag that is not there. */
  countOf(tag: number): number {
    return this.#entries.get(tag)?.count ?? 0;
  }

  /** All numbers of a tag; empty for a tag that is not there. */
  async numbers(tag: number): Promise<readonly number[]> {
    const entry = this.#entries.get(tag);
    if (entry === undefined) return [];
    if (entry.count > MOST_VALUES)
      throw this.#damaged(tag, `expected at most ${MOST_VALUES} values, got ${entry.count}`);
    const size = this.#sizeOf(tag, entry);
    const view = viewOf(await this.bytes.file.read(entry.offset, entry.count * size));
    return Array.from({ length: entry.count }, (_, i) => this.#number(tag, entry, view, i * size));
  }

  /** The first number of a tag; `absent` for a tag that is not there or has no values. */
  async number<Absent>(tag: number, absent: Absent): Promise<number | Absent> {
    return this.countOf(tag) === 0 ? absent : this.numberAt(tag, 0);
  }

  /** One number of a list, of which no others are read. @throws StoreError for an index past its end */
  async numberAt(tag: number, index: number): Promise<number> {
    const entry = this.#entries.get(tag);
    if (entry === undefined || index >= entry.count)
      throw this.#damaged(tag, `expected at least ${index + 1} values, got ${entry?.count ?? "none"}`);
    const size = this.#sizeOf(tag, entry);
    const view = viewOf(await this.bytes.file.read(entry.offset + index * size, size));
    return this.#number(tag, entry, view, 0);
  }

  /** Height and width of the image; 0 for one that the directory does not say. */
  async size(): Promise<readonly [height: number, width: number]> {
    return [await this.number(TAG.height, 0), await this.number(TAG.width, 0)];
  }

  /** The bytes of a tag, such as tables; undefined for a tag that is not there. */
  async raw(tag: number): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(tag);
    if (entry === undefined) return undefined;
    const length = entry.count * this.#sizeOf(tag, entry);
    if (length > LONGEST_BYTES)
      throw this.#damaged(tag, `expected at most ${LONGEST_BYTES} bytes, got ${length}`);
    return this.bytes.file.read(entry.offset, length);
  }

  /** The text of a tag, up to its first NUL; undefined for a tag that is not there or is no text. */
  async text(tag: number): Promise<string | undefined> {
    const type = this.#entries.get(tag)?.type;
    if (type !== ASCII && type !== BYTE && type !== UNDEFINED) return undefined;
    const [text] = new TextDecoder().decode(await this.raw(tag)).split("\0", 1);
    return text;
  }

  #sizeOf(tag: number, { type }: Entry): number {
    const size = SIZES[type];
    if (size === undefined) throw this.#damaged(tag, `there is no type ${type}`);
    return size;
  }

  #number(tag: number, { type, offset }: Entry, view: DataView, at: number): number {
    const { littleEndian } = this.bytes;
    if (type === BYTE || type === ASCII || type === UNDEFINED) return view.getUint8(at);
    if (type === SBYTE) return view.getInt8(at);
    if (type === SHORT) return view.getUint16(at, littleEndian);
    if (type === SSHORT) return view.getInt16(at, littleEndian);
    if (type === LONG || type === IFD) return view.getUint32(at, littleEndian);
    if (type === SLONG) return view.getInt32(at, littleEndian);
    if (type === FLOAT) return view.getFloat32(at, littleEndian);
    if (type === DOUBLE) return view.getFloat64(at, littleEndian);
    if (type === RATIONAL) return view.getUint32(at, littleEndian) / view.getUint32(at + 4, littleEndian);
    if (type === SRATIONAL) return view.getInt32(at, littleEndian) / view.getInt32(at + 4, littleEndian);
    if (type === LONG8 || type === IFD8) return uint64(this.bytes, view, at, offset + at);
    if (type === SLONG8) return Number(view.getBigInt64(at, littleEndian));
    throw this.#damaged(tag, `there is no type ${type}`);
  }

  #damaged(tag: number, reason: string): StoreError {
    return damaged(this.bytes, this.offset, `tag ${tag}: ${reason}`);
  }
}
