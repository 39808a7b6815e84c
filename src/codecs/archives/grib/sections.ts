/**
 * The sections of a GRIB message of edition 2 (WMO's Manual on Codes, FM 92 GRIB):
 *
 *     0 indicator | 1 identification | 2 local use | 3 grid | 4 product | 5 representation | 6 bitmap |
 *     7 data | 8 end
 *
 * Section 0 has 16 bytes, section 8 is "7777"; each other begins with its length (4 bytes) and its number.
 * Sections 2 to 7 repeat in a message of several fields: the first field is read, as eccodes does.
 */
import { CodecError, UnsupportedError } from "../../../core/for-codecs.js";

/** @param offset in the message */
export function damaged(message: string, offset: number): CodecError {
  return new CodecError(`${message}, at byte ${offset} of the GRIB message`, { offset });
}

/** Bytes of a section; positions are octets of the Manual less one. Numbers are big-endian. */
export interface Section {
  /** Offset of its first byte in the message. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  uint8(at: number): number;
  uint16(at: number): number;
  uint32(at: number): number;
  float32(at: number): number;
  /** A number of `length` bytes (up to 4) whose first bit is its sign. */
  signed(at: number, length: number): number;
  /** A number of `length` bytes, up to 4. */
  unsigned(at: number, length: number): number;
}

/** @throws CodecError, from its functions, for positions after the end of the section */
export function sectionOf(name: string, bytes: Uint8Array, offset: number): Section {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const need = (at: number, length: number): number => {
    if (at + length <= bytes.length) return at;
    throw damaged(`expected at least ${at + length} bytes in ${name}, got ${bytes.length}`, offset);
  };
  const unsigned = (at: number, length: number): number => {
    need(at, length);
    let number = 0;
    for (let i = 0; i < length; i++) number = number * 256 + view.getUint8(at + i);
    return number;
  };
  return {
    offset,
    bytes,
    uint8: (at) => view.getUint8(need(at, 1)),
    uint16: (at) => view.getUint16(need(at, 2)),
    uint32: (at) => view.getUint32(need(at, 4)),
    float32: (at) => view.getFloat32(need(at, 4)),
    unsigned,
    signed(at, length) {
      const sign = 2 ** (8 * length - 1);
      const number = unsigned(at, length);
      return number < sign || length === 0 ? number : sign - number;
    },
  };
}

/** The parts of a field that its values are in. */
export interface FieldSections {
  readonly grid: Section;
  readonly representation: Section;
  readonly bitmap: Section;
  readonly data: Section;
}

const INDICATOR_LENGTH = 16;
const END_LENGTH = 4;
const HEADER_LENGTH = 5;
const LAST_SECTION = 7;
const GRIB = [71, 82, 73, 66];
const END = 55;

/**
 * 1 or 2.
 * @throws UnsupportedError for other editions, CodecError unless `bytes` begin with "GRIB" and an edition
 */
export function editionOf(bytes: Uint8Array): number {
  const edition = bytes[7];
  if (edition === undefined || GRIB.some((letter, i) => bytes[i] !== letter)) {
    throw damaged(`expected a GRIB message, got ${bytes.length} bytes of something else`, 0);
  }
  if (edition === 1 || edition === 2) return edition;
  throw new UnsupportedError(`wazarr reads GRIB of edition 1 and 2, got edition ${edition}`, { offset: 7 });
}

/** @param length that the message says it has. @throws CodecError unless it is there, with its end */
export function checkEnd(bytes: Uint8Array, length: number, offset: number): number {
  if (length > bytes.length || length < END_LENGTH) {
    throw damaged(`expected a message of ${length} bytes, got ${bytes.length}`, offset);
  }
  const end = length - END_LENGTH;
  if (bytes.subarray(end, length).every((letter) => letter === END)) return end;
  throw damaged('expected "7777" at the end', end);
}

/**
 * The sections of the first field of a message of edition 2.
 * @throws CodecError if the message is truncated or lacks a section
 */
export function findSections(bytes: Uint8Array): FieldSections {
  const indicator = sectionOf("section 0", bytes.subarray(0, INDICATOR_LENGTH), 0);
  const end = checkEnd(bytes, indicator.uint32(8) * 2 ** 32 + indicator.uint32(12), 8);
  const found = new Map<number, Section>();
  for (let at = INDICATOR_LENGTH; at + HEADER_LENGTH <= end && !found.has(LAST_SECTION); ) {
    const header = sectionOf("a section", bytes.subarray(at, at + HEADER_LENGTH), at);
    const length = header.uint32(0);
    const number = header.uint8(4);
    if (number < 1 || number > LAST_SECTION) throw damaged(`expected section 1 to 7, got ${number}`, at + 4);
    if (length < HEADER_LENGTH || length > end - at) {
      throw damaged(`expected ${HEADER_LENGTH} to ${end - at} bytes in section ${number}, got ${length}`, at);
    }
    found.set(number, sectionOf(`section ${number}`, bytes.subarray(at, at + length), at));
    at += length;
  }
  const section = (number: number): Section => {
    const one = found.get(number);
    if (one === undefined) throw damaged(`expected section ${number}, got none`, end);
    return one;
  };
  return { grid: section(3), representation: section(5), bitmap: section(6), data: section(7) };
}
