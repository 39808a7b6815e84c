/**
 * LZF, HDF5's filter 32000 (bytes -> bytes), as imagecodecs names it. `{"id": "imagecodecs_lzf", "header":
 * false}`: HDF5 has no header; with one, the decoded length comes first, as a little-endian u32. It
 * encodes without compressing.
 * https://github.com/h5py/h5py/blob/master/lzf/lzf_filter.c
 */
import {
  ALIKE,
  at,
  BAD_DISTANCE,
  type BytesToBytesCodec,
  byteAt,
  type CodecEntry,
  damagedData,
  decodeIntoOutput,
  describeFailure,
  failure,
  OUTPUT_OVERRUN,
  readChoice,
  readImagecodecs,
  TRUNCATED,
} from "../../../core/for-codecs.js";

const CODEC = "imagecodecs_lzf";
const HEADER_LENGTH = 4;
/** Three bytes make at most 264. */
const MAXIMUM_EXPANSION = 88;
const LONGEST_LITERAL = 32;

export const lzf: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: { both: ALIKE },
  fromConfig(configuration): BytesToBytesCodec {
    readImagecodecs(CODEC, configuration, ["header"]);
    const hasHeader = readChoice(CODEC, configuration, "header", [true, false], true);
    const start = hasHeader ? HEADER_LENGTH : 0;
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      encode: (bytes) => literals(bytes, hasHeader),
      decode(bytes, context) {
        const sizes = { estimate: 4 * bytes.length, maximum: MAXIMUM_EXPANSION * bytes.length };
        return decodeIntoOutput(context, { codec: CODEC, format: "LZF", ...sizes }, (output) => {
          const result = decode(output, bytes, start);
          if (result >= 0) return result;
          const { code, reason, offset } = describeFailure(result);
          if (code === OUTPUT_OVERRUN) return undefined;
          throw damagedData(CODEC, "LZF", offset, reason);
        });
      },
    };
  },
};

/** @returns the number of bytes, or a failure */
function decode(target: Uint8Array, source: Uint8Array, start: number): number {
  let end = 0;
  for (let i = start; i < source.length; ) {
    const control = byteAt(source, i);
    i++;
    if (control < LONGEST_LITERAL) {
      const length = control + 1;
      if (i + length > source.length) return failure(TRUNCATED, i);
      if (end + length > target.length) return failure(OUTPUT_OVERRUN, i);
      target.set(source.subarray(i, i + length), end);
      i += length;
      end += length;
      continue;
    }
    let length = control >> 5;
    const isLong = length === 7;
    if (i + (isLong ? 2 : 1) > source.length) return failure(TRUNCATED, source.length);
    if (isLong) length += at(source, i++);
    const distance = (((control & 31) << 8) | at(source, i++)) + 1;
    length += 2;
    if (distance > end) return failure(BAD_DISTANCE, i);
    if (end + length > target.length) return failure(OUTPUT_OVERRUN, i);
    if (distance >= length) target.copyWithin(end, end - distance, end - distance + length);
    else for (let j = end; j < end + length; j++) target[j] = byteAt(target, j - distance);
    end += length;
  }
  return end;
}

function literals(bytes: Uint8Array, hasHeader: boolean): Uint8Array {
  const header = hasHeader ? HEADER_LENGTH : 0;
  const target = new Uint8Array(header + bytes.length + Math.ceil(bytes.length / LONGEST_LITERAL));
  if (hasHeader) new DataView(target.buffer).setUint32(0, bytes.length, true);
  for (let i = 0, to = header; i < bytes.length; i += LONGEST_LITERAL) {
    const part = bytes.subarray(i, i + LONGEST_LITERAL);
    target[to] = part.length - 1;
    target.set(part, to + 1);
    to += part.length + 1;
  }
  return target;
}
