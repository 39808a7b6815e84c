/**
 * The header of data that numcodecs and zarrs write as `zfpy`: "zfp" and a version, the type, the lengths of
 * dimensions, the mode. Fields begin at the lowest bit.
 */
import { type CodecError, damagedData, noItem } from "../../../core/for-codecs.js";
import type { ZfpArray } from "./array.js";
import { areLimits, fixedAccuracy, fixedPrecision, fixedRate, type Limits, REVERSIBLE } from "./limits.js";
import { STORED_TYPES } from "./number-types.js";

/** "zfp" and the version of the format, which is that of all zfp since 0.5. */
const MAGIC = [122, 102, 112, 5];
const SHORT_LENGTH = 12;
const LONG_LENGTH = 19;
/** By dimensions: the bits of a length. */
const LENGTH_WIDTHS = [48, 24, 16, 12] as const;

export const damaged = (offset: number, reason: string): CodecError =>
  damagedData("zfpy", "data of zfp", offset, reason);

/** @throws CodecError */
export function readHeader(bytes: Uint8Array): ZfpArray {
  if (bytes.length < SHORT_LENGTH) throw damaged(bytes.length, "the header ends too early");
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw damaged(
      0,
      `expected ${MAGIC.join(", ")}, the beginning of data of zfp, got ${bytes.slice(0, 4).join(", ")}`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = view.getBigUint64(4, true);
  let at = 4n;
  const field = (width: number): number => {
    const value = Number(BigInt.asUintN(width, word >> at));
    at += BigInt(width);
    return value;
  };
  const type = STORED_TYPES[Number(word & 3n)] ?? STORED_TYPES[0];
  const dimensions = Number((word >> 2n) & 3n) + 1;
  const width = LENGTH_WIDTHS[dimensions - 1] ?? noItem(LENGTH_WIDTHS, dimensions - 1);
  const lengths = Array.from({ length: dimensions }, () => 1 + field(width));
  const mode = view.getUint16(10, true) >> 4;
  const isLong = mode === 0xfff;
  if (isLong && bytes.length < LONG_LENGTH) throw damaged(bytes.length, "the header ends too early");
  const limits = isLong ? longLimits(view) : shortLimits(mode);
  if (!areLimits(limits, type)) throw damaged(10, `the limits of its mode fit no block of ${type.name}`);
  return { type, shape: lengths.reverse(), limits, start: isLong ? 148 : 96 };
}

function shortLimits(mode: number): Limits {
  if (mode < 2048) return fixedRate(mode + 1);
  if (mode < 2176) return fixedPrecision(mode - 2047);
  return mode === 2176 ? REVERSIBLE : fixedAccuracy(mode - 2177 - 1074);
}

/** After 12 bits of ones. */
function longLimits(view: DataView): Limits {
  const word = view.getBigUint64(11, true) >> 8n;
  const field = (at: bigint, width: number): number => Number(BigInt.asUintN(width, word >> at));
  return {
    minimumBits: field(0n, 15) + 1,
    maximumBits: field(15n, 15) + 1,
    precision: field(30n, 7) + 1,
    exponent: field(37n, 15) - 16495,
  };
}
