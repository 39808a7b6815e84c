/**
 * Encoded chunks of pcodec's standalone format (docs/format.md of pcodec):
 *
 *     "pco!" | version of the standalone format | type of all numbers or 0 | count of numbers, a hint |
 *       version of the format
 *     chunks: type of numbers | count | what chunk.ts reads | a page
 *     0
 */
import {
  BAD_DISTANCE,
  BAD_LENGTH,
  BAD_TABLE,
  describeFailure,
  type Kernels,
  UnsupportedError,
} from "../../../core/for-codecs.js";
import { BitReader, damaged } from "./bit-reader.js";
import { readChunk, type Version } from "./chunk.js";
import { pageDecoder } from "./kernels.js";
import { NUMBER_TYPES, type NumberType } from "./number-types.js";
import { planOf } from "./plan.js";

const MAGIC = [112, 99, 111, 33];
const STANDALONE_VERSION = 3;
const MAJOR_VERSION = 4;

/**
 * @param count of numbers that there must be
 * @throws CodecError for damaged data and for other numbers, UnsupportedError for later versions
 */
export function decodeNumbers(
  bytes: Uint8Array,
  kernels: Kernels,
  type: NumberType,
  count: number,
): Uint8Array {
  const reader = new BitReader(bytes);
  const version = readHeader(reader);
  const itemSize = type.width / 8;
  const target = kernels.allocate(count * itemSize);
  const mark = kernels.mark();
  const decodePage = pageDecoder(kernels, bytes);
  let done = 0;
  for (;;) {
    const { offset } = reader;
    const code = reader.read(8, "the type of numbers");
    if (code === 0) break;
    if (NUMBER_TYPES.get(code) !== type) {
      throw damaged(`expected ${type.name}, got ${NUMBER_TYPES.get(code)?.name ?? `type ${code}`}`, offset);
    }
    const length = 1 + reader.read(24, "the count of numbers");
    if (length > count - done) {
      throw damaged(`expected ${count} numbers, got at least ${done + length}`, offset);
    }
    const chunk = readChunk(reader, version, type, length);
    const before = kernels.mark();
    const start = reader.offset;
    const part = target.subarray(done * itemSize, (done + length) * itemSize);
    const end = decodePage(part, start, length, planOf(kernels, chunk, type, length));
    kernels.release(before);
    if (end < 0) throw pageError(end);
    reader.seek(end);
    done += length;
  }
  kernels.release(mark);
  if (done === count) return target;
  throw damaged(`expected ${count} numbers, got ${done}`, reader.offset);
}

/** @throws CodecError unless the data begin as pcodec's do */
function readHeader(reader: BitReader): Version {
  const { bytes } = reader;
  if (MAGIC.some((letter, i) => bytes[i] !== letter)) {
    throw damaged(`expected data of pcodec, got ${bytes.length} bytes of something else`, 0);
  }
  reader.seek(MAGIC.length);
  const standalone = reader.read(8, "the version");
  if (standalone > STANDALONE_VERSION) throw unread("standalone format", [standalone, 0], 4);
  // Versions 0 and 1 have no version of their own.
  if (standalone < 2) return [standalone, 0];
  // The type of all numbers: each chunk says its type, too.
  if (standalone > 2) reader.read(8, "the type of numbers");
  const hintWidth = 1 + reader.read(6, "the count of numbers");
  reader.read(Math.min(hintWidth, 32), "the count of numbers");
  reader.read(Math.max(hintWidth - 32, 0), "the count of numbers");
  reader.align("the count of numbers");
  const { offset } = reader;
  const major = reader.read(8, "the version");
  const minor = major < 4 ? 0 : reader.read(8, "the version");
  if (major > MAJOR_VERSION) throw unread("format", [major, minor], offset);
  return [major, minor];
}

const unread = (what: string, version: Version, offset: number): UnsupportedError =>
  new UnsupportedError(
    `wazarr reads pcodec's ${what} up to version ${what === "format" ? MAJOR_VERSION : STANDALONE_VERSION}, got version ${version.join(".")}, at byte ${offset} of the pcodec data`,
    { offset },
  );

function pageError(result: number): Error {
  const { code, reason, offset } = describeFailure(result);
  const reasons = new Map([
    [BAD_DISTANCE, "a lookback reaches before the window"],
    [BAD_TABLE, "an index exceeds the dictionary"],
    [BAD_LENGTH, "bits after the last number are not 0"],
  ]);
  return damaged(`damaged batch of numbers: ${reasons.get(code) ?? reason}`, offset);
}
