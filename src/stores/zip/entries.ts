/**
 * Parses the records of a zip archive (PKWARE APPNOTE 6.3.10, sections 4.3.12 - 4.3.16 and 4.5.3) and decodes
 * its entries. All input is untrusted. All numbers are little-endian.
 */

import { StoreError } from "../../core/for-stores.js";

/**
 * Largest length of an archive's end in bytes: end record (22), its comment, zip64 record (56) and locator
 * (20).
 */
export const LONGEST_END = 22 + 0xffff + 56 + 20;

const END = 0x06054b50;
const ZIP64_END_LOCATOR = 0x07064b50;
const ZIP64_END = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;

export const LOCAL_HEADER_LENGTH = 30;

/** The place of the central directory, which lists the entries. Offset and length are in bytes. */
interface DirectoryPlace {
  readonly offset: number;
  readonly byteLength: number;
  readonly entryCount: number;
}

export interface ZipEntry {
  readonly name: string;
  /** Length of the stored name in bytes. */
  readonly nameLength: number;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedLength: number;
  readonly byteLength: number;
  /** Byte offset of the entry's local header in the archive. */
  readonly offset: number;
}

export function zipError(problem: string): StoreError {
  return new StoreError(`bad zip archive: ${problem}`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function uint64(view: DataView, offset: number): number {
  const value = Number(view.getBigUint64(offset, true));
  if (!Number.isSafeInteger(value)) throw zipError(`expected an offset or length below 2^53, got ${value}`);
  return value;
}

/**
 * Content of the end record: the place of the central directory, or the offset of the zip64 record that has
 * this place.
 */
type EndOfArchive = (DirectoryPlace & { readonly recordStart: number }) | { readonly zip64Offset: number };

/** Bytes of the zip64 end record that are read: its fixed part. */
export const ZIP64_END_LENGTH = 56;

/**
 * Parses the last bytes of an archive.
 * @throws StoreError when they are not the end of a zip archive, or the archive is split into several files
 */
export function readEnd(tail: Uint8Array): EndOfArchive {
  const view = viewOf(tail);
  // A comment may contain the signature. The true record is the one whose comment ends at the archive's end.
  let position = tail.byteLength - 22;
  while (
    position >= 0 &&
    (view.getUint32(position, true) !== END ||
      position + 22 + view.getUint16(position + 20, true) !== tail.byteLength)
  ) {
    position--;
  }
  if (position < 0) throw zipError("its end is missing: the file is incomplete or not a zip archive");
  if (position >= 20 && view.getUint32(position - 20, true) === ZIP64_END_LOCATOR) {
    return { zip64Offset: uint64(view, position - 12) };
  }
  if (view.getUint16(position + 4, true) !== 0 || view.getUint16(position + 6, true) !== 0) {
    throw zipError("it is one part of several; join them first");
  }
  return {
    entryCount: view.getUint16(position + 10, true),
    byteLength: view.getUint32(position + 12, true),
    offset: view.getUint32(position + 16, true),
    recordStart: position,
  };
}

/**
 * The bytes of the central directory, if `tail` has them right before the end record, where nearly all
 * writers put them.
 */
export function directoryInTail(tail: Uint8Array, end: EndOfArchive): Uint8Array | undefined {
  if (!("recordStart" in end) || end.byteLength > end.recordStart) return undefined;
  const directory = tail.subarray(end.recordStart - end.byteLength, end.recordStart);
  return end.byteLength === 0 || viewOf(directory).getUint32(0, true) === ENTRY ? directory : undefined;
}

/** @throws StoreError when the bytes are not a zip64 end of central directory record */
export function readZip64End(bytes: Uint8Array): DirectoryPlace {
  const view = viewOf(bytes);
  if (bytes.byteLength < ZIP64_END_LENGTH || view.getUint32(0, true) !== ZIP64_END) {
    throw zipError("its zip64 end is not where its locator points");
  }
  return { entryCount: uint64(view, 32), byteLength: uint64(view, 40), offset: uint64(view, 48) };
}

/**
 * Parses the central directory and returns the entries in the order of their offsets.
 * @throws StoreError when it is damaged, or when an entry lies outside the archive or overlaps another one
 */
export function readDirectory(bytes: Uint8Array, place: DirectoryPlace): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let position = 0;
  // Do not allocate by the entry count: some archives store it modulo 2^16, and malicious ones store any
  // number.
  while (position + 46 <= bytes.byteLength && view.getUint32(position, true) === ENTRY) {
    const nameLength = view.getUint16(position + 28, true);
    const extraLength = view.getUint16(position + 30, true);
    const next = position + 46 + nameLength + extraLength + view.getUint16(position + 32, true);
    if (next > bytes.byteLength) break;
    entries.push(readEntry(bytes, view, position, nameLength, extraLength));
    position = next;
  }
  if (position !== bytes.byteLength || (entries.length & 0xffff) !== (place.entryCount & 0xffff)) {
    throw zipError(
      `expected a central directory of ${place.byteLength} bytes and ${place.entryCount} entries, got ` +
        `${position} bytes and ${entries.length} entries; is the file complete?`,
    );
  }
  entries.sort((a, b) => a.offset - b.offset);
  checkPlaces(entries, place.offset);
  return entries;
}

function readEntry(
  bytes: Uint8Array,
  view: DataView,
  position: number,
  nameLength: number,
  extraLength: number,
): ZipEntry {
  const nameStart = position + 46;
  let byteLength = view.getUint32(position + 24, true);
  let compressedLength = view.getUint32(position + 20, true);
  let offset = view.getUint32(position + 42, true);
  // The zip64 extra field has a 64-bit number for each of these fields whose 32 bits are all ones, in this
  // order.
  const zip64 = findExtra(view, nameStart + nameLength, extraLength, 1);
  if (zip64 !== undefined) {
    let { start } = zip64;
    const next = (short: number): number => {
      if (short !== 0xffffffff) return short;
      if (start + 8 > zip64.end) throw zipError("an entry's zip64 field is too short");
      start += 8;
      return uint64(view, start - 8);
    };
    byteLength = next(byteLength);
    compressedLength = next(compressedLength);
    offset = next(offset);
  }
  return {
    name: new TextDecoder().decode(bytes.subarray(nameStart, nameStart + nameLength)),
    nameLength,
    flags: view.getUint16(position + 8, true),
    method: view.getUint16(position + 10, true),
    crc32: view.getUint32(position + 16, true),
    compressedLength,
    byteLength,
    offset,
  };
}

function findExtra(
  view: DataView,
  start: number,
  byteLength: number,
  id: number,
): { start: number; end: number } | undefined {
  const last = start + byteLength;
  for (let position = start; position + 4 <= last; ) {
    const end = position + 4 + view.getUint16(position + 2, true);
    if (view.getUint16(position, true) === id) return end <= last ? { start: position + 4, end } : undefined;
    position = end;
  }
  return undefined;
}

/**
 * Rejects entries that share bytes: malicious archives use them to unpack to petabytes, and no writer makes
 * them.
 */
function checkPlaces(entries: readonly ZipEntry[], directoryOffset: number): void {
  for (const [index, entry] of entries.entries()) {
    const end = entry.offset + LOCAL_HEADER_LENGTH + entry.nameLength + entry.compressedLength;
    const limit = entries[index + 1]?.offset ?? directoryOffset;
    if (end > limit) {
      throw zipError(
        `entry ${JSON.stringify(entry.name)} ends at byte ${end}, and overlaps what begins at byte ${limit}`,
      );
    }
  }
}

/**
 * Returns the byte offset of an entry's data in the archive.
 * @throws StoreError when `header` is not a local header that belongs to the entry
 */
export function readDataOffset(header: Uint8Array, entry: ZipEntry): number {
  const view = viewOf(header);
  if (
    header.byteLength < LOCAL_HEADER_LENGTH ||
    view.getUint32(0, true) !== LOCAL_HEADER ||
    view.getUint16(8, true) !== entry.method ||
    view.getUint16(26, true) !== entry.nameLength
  ) {
    throw zipError(`no local header of entry ${JSON.stringify(entry.name)} at byte ${entry.offset}`);
  }
  return entry.offset + LOCAL_HEADER_LENGTH + entry.nameLength + view.getUint16(28, true);
}
