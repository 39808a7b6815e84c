/**
 * Checks the pages of a column before `hyparquet` reads them. That package believes what a file says: a run
 * of a few bytes may claim a billion elements.
 * https://parquet.apache.org/docs/file-format/data-pages/
 */
import { StoreError } from "../../../core/for-stores.js";
import { readStruct, readVarint, type Struct } from "./thrift.js";

/** The pages of one column in one row group. */
export interface ColumnPages {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** Whether elements may be null. */
  readonly isOptional: boolean;
  readonly decompress: (page: Uint8Array, byteLength: number) => Uint8Array;
}

// Ids of fields, and numbers of types and encodings, in parquet.thrift.
const [PAGE_TYPE, UNCOMPRESSED_SIZE, COMPRESSED_SIZE, DATA_HEADER, DICTIONARY_HEADER] = [1, 2, 3, 5, 7];
const [NUM_VALUES, ENCODING, LEVELS_ENCODING] = [1, 2, 3];
const [DATA_PAGE, DICTIONARY_PAGE] = [0, 2];
const [PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY] = [0, 2, 3, 8];

/**
 * @param most largest number of bytes that the pages may have when they are decompressed
 * @returns that number
 * @throws StoreError for pages that contradict each other or their column; RangeError where bytes end too
 * early
 */
export function checkPages({ bytes, rows, isOptional, decompress }: ColumnPages, most: number): number {
  const view = viewOf(bytes);
  let [offset, seen, decoded, dictionary] = [0, 0, 0, 0];
  while (offset < bytes.length && seen < rows) {
    const header = readStruct(view, offset);
    const length = numberOf(header, UNCOMPRESSED_SIZE);
    const stored = numberOf(header, COMPRESSED_SIZE);
    offset = header.end + stored;
    decoded += length;
    if (offset > bytes.length) throw new StoreError(`a page of ${stored} bytes ends after its column`);
    if (decoded > most) throw new StoreError(`expected at most ${most} bytes of pages, got more`);
    const page = decompress(bytes.subarray(header.end, offset), length);
    if (page.length !== length)
      throw new StoreError(`expected a page of ${length} bytes, got ${page.length}`);
    const type = numberOf(header, PAGE_TYPE);
    if (type === DICTIONARY_PAGE) {
      const { count } = countOf(header, DICTIONARY_HEADER);
      // Each element has 4 bytes or more: a length, or a number.
      if (4 * count > length) throw new StoreError(`a dictionary of ${count} elements in ${length} bytes`);
      dictionary = count;
    } else if (type === DATA_PAGE) {
      const { count, about } = countOf(header, DATA_HEADER);
      seen += count;
      if (seen > rows) throw new StoreError(`expected ${rows} elements of a column, got ${seen} or more`);
      checkDataPage(page, about, count, isOptional, dictionary);
    } else throw new StoreError(`expected pages of types ${DATA_PAGE} and ${DICTIONARY_PAGE}, got ${type}`);
  }
  if (seen !== rows) throw new StoreError(`expected ${rows} elements of a column, got ${seen}`);
  return decoded;
}

function checkDataPage(
  page: Uint8Array,
  about: Struct,
  count: number,
  isOptional: boolean,
  dictionary: number,
): void {
  const view = viewOf(page);
  const encoding = numberOf(about, ENCODING);
  let [offset, present] = [0, count];
  if (isOptional) {
    if (numberOf(about, LEVELS_ENCODING) !== RLE) throw new StoreError("expected levels as runs");
    const end = 4 + view.getUint32(0, true);
    if (end > page.length) throw new StoreError(`levels of ${end - 4} bytes in a page of ${page.length}`);
    present = sumOfRuns(new DataView(page.buffer, page.byteOffset, end), 4, 1, count, 2);
    offset = end;
  }
  if (encoding === PLAIN) {
    // As above: a string has a length of 4 bytes, and a number has 4 or 8.
    if (4 * present > page.length - offset)
      throw new StoreError(`${present} elements in ${page.length - offset} bytes`);
  } else if (encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY) {
    if (present === 0) return;
    const width = view.getUint8(offset);
    if (width > 24) throw new StoreError(`expected at most 24 bits for an element, got ${width}`);
    sumOfRuns(view, offset + 1, width, present, dictionary);
  } else throw new StoreError(`expected elements as they are or by a dictionary, got encoding ${encoding}`);
}

/**
 * Walks over runs of equal numbers and of packed ones, and adds up their numbers.
 * @param bound that each number is below
 * @throws StoreError for runs of more than `count` numbers, which may be filled up to a multiple of 8
 */
function sumOfRuns(view: DataView, start: number, width: number, count: number, bound: number): number {
  let sum = 0;
  let offset = start;
  const add = (value: number): void => {
    if (value >= bound) throw new StoreError(`expected a number below ${bound}, got ${value}`);
    sum += value;
  };
  for (let seen = 0; seen < count; ) {
    const { value: header, end } = readVarint(view, offset);
    const left = count - seen;
    const isPacked = (header & 1) === 1;
    const length = isPacked ? 8 * (header >>> 1) : header >>> 1;
    if (length > (isPacked ? left + 7 : left))
      throw new StoreError(`expected a run of at most ${left}, got ${length}`);
    offset = end;
    if (isPacked) {
      for (let i = 0; i < Math.min(length, left); i++) add(packedAt(view, offset, i * width, width));
      offset += (length / 8) * width;
    } else {
      let value = 0;
      for (let i = 0; i < Math.ceil(width / 8); i++) value |= view.getUint8(offset++) << (8 * i);
      if (length > 0) {
        add(value);
        sum += value * (length - 1);
      }
    }
    seen += Math.min(length, left);
  }
  return sum;
}

/** A number of at most 24 bits, the lowest first. */
function packedAt(view: DataView, start: number, bit: number, width: number): number {
  let value = 0;
  const first = bit >>> 3;
  const bytes = Math.ceil(((bit & 7) + width) / 8);
  for (let i = 0; i < bytes; i++) value += view.getUint8(start + first + i) * 2 ** (8 * i);
  return Math.floor(value / 2 ** (bit & 7)) % 2 ** width;
}

function countOf(header: Struct, id: number): { readonly count: number; readonly about: Struct } {
  const about = header.structs.get(id);
  if (about === undefined) throw new StoreError("a page without its header");
  return { count: numberOf(about, NUM_VALUES), about };
}

function numberOf({ numbers }: Struct, id: number): number {
  const number = numbers.get(id);
  if (number !== undefined && number >= 0) return number;
  throw new StoreError(`expected a number in field ${id} of the header of a page, got ${number ?? "none"}`);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
