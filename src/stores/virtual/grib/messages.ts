/**
 * Where the messages of a GRIB file are: each says in its first bytes how long it is, so that their values
 * are not read. WMO's Manual on Codes, FM 92 GRIB, section 0 (edition 1: FM 92-IX).
 */

import { sectionOf } from "../../../codecs/for-stores.js";
import { StoreError } from "../../../core/for-stores.js";
import type { FileBytes } from "../file-bytes.js";
import { hasText } from "../formats.js";

/** A message, and its first bytes. */
export interface GribMessage {
  readonly offset: number;
  readonly length: number;
  readonly edition: 1 | 2;
}

/** Messages of a file. A day of the largest models has some 50,000. */
const MOST_MESSAGES = 1 << 20;
/** Bytes before a message that are none of it: headers of bulletins, and padding. */
const LONGEST_GAP = 1 << 20;
const WINDOW = 4096;
const INDICATOR = 16;
/** The shortest message: section 0 of edition 1, and the end. */
const SHORTEST = 12;
/** Reads through the cache of the file bring the bytes after them, too: a gain if messages are short. */
const SHORT = 64 << 10;
/** A length of edition 1 with this bit counts units of 120 bytes. */
const LONG = 0x800000;

/** Reads bytes of a file alone, or with those around them. */
export class GribBytes {
  readonly file: FileBytes;
  #messages = 0;
  #bytes = 0;

  constructor(file: FileBytes) {
    this.file = file;
  }

  /** Says how long a message is, which decides how the next ones are read. */
  note(length: number): void {
    this.#messages++;
    this.#bytes += length;
  }

  /** Up to `length` bytes at `offset`: fewer at the end of the file. */
  async upTo(offset: number, length: number): Promise<Uint8Array> {
    const least = Math.max(0, Math.min(length, this.file.byteLength - offset));
    const isShort = this.#bytes < SHORT * Math.max(1, this.#messages);
    return isShort ? this.file.read(offset, least) : this.file.chunk({ offset, length: least });
  }
}

/**
 * The messages of a file, one after the other.
 * @throws StoreError for what is no message, and for too many
 */
export async function* scanMessages(bytes: GribBytes): AsyncGenerator<GribMessage> {
  let count = 0;
  for (let offset = 0; ; ) {
    const start = await nextStart(bytes, offset);
    if (start === undefined) return;
    if (++count > MOST_MESSAGES)
      throw new StoreError(`${bytes.file.name}: expected at most ${MOST_MESSAGES} messages, got more`);
    const message = await readMessage(bytes, start);
    yield message;
    offset = start + message.length;
  }
}

/** Where the next message begins; undefined if there is none. */
async function nextStart(bytes: GribBytes, offset: number): Promise<number | undefined> {
  const { name, byteLength } = bytes.file;
  // First a look at where it should be.
  let length = INDICATOR;
  for (let at = offset; at + SHORTEST <= byteLength; length = WINDOW) {
    const window = await bytes.upTo(at, length);
    for (let i = 0; i + SHORTEST <= window.length; i++) if (hasText(window, i, "GRIB")) return at + i;
    if (length === WINDOW) at += WINDOW - SHORTEST;
    if (at - offset > LONGEST_GAP)
      throw new StoreError(`${name}: expected a GRIB message within ${LONGEST_GAP} bytes of byte ${offset}`, {
        offset,
      });
  }
  return undefined;
}

/** @throws StoreError for another edition, and for a message that is longer than the file */
export async function readMessage(bytes: GribBytes, offset: number): Promise<GribMessage> {
  const { name, byteLength } = bytes.file;
  const damaged = (reason: string): StoreError =>
    new StoreError(`${name}: damaged GRIB message at byte ${offset}: ${reason}`, { offset });
  const indicator = await bytes.upTo(offset, INDICATOR);
  const edition = indicator[7];
  if (!hasText(indicator, 0, "GRIB") || indicator.length < INDICATOR || (edition !== 1 && edition !== 2))
    throw damaged(`expected edition 1 or 2, got ${edition ?? "the end of the file"}`);
  const section = sectionOf("section 0", indicator, offset);
  const stated = edition === 2 ? section.uint32(8) * 2 ** 32 + section.uint32(12) : section.unsigned(4, 3);
  const length = edition === 1 && stated >= LONG ? await longLength(bytes, offset, stated - LONG) : stated;
  if (length < SHORTEST || offset + length > byteLength)
    throw damaged(`expected a length of ${SHORTEST} to ${byteLength - offset} bytes, got ${length}`);
  bytes.note(length);
  return { offset, length, edition };
}

/**
 * The length of a message of edition 1 that is longer than 3 bytes can say, as ECMWF writes them: the length
 * of its section 4 is below 120 and says how far the units of 120 bytes reach past the end.
 */
async function longLength(bytes: GribBytes, offset: number, units: number): Promise<number> {
  const lengthAt = async (at: number): Promise<number> => {
    const [high = 0, middle = 0, low = 0] = await bytes.upTo(at, 3);
    return (high * 256 + middle) * 256 + low;
  };
  const [flags = 0] = await bytes.upTo(offset + 8 + 7, 1);
  let at = offset + 8;
  at += await lengthAt(at);
  if ((flags & 0x80) !== 0) at += await lengthAt(at);
  if ((flags & 0x40) !== 0) at += await lengthAt(at);
  return units * 120 - (await lengthAt(at)) + 4;
}
