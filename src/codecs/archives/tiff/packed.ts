/**
 * Samples of TIFF that are no whole bytes, and bytes with their lowest bit first, under the names of
 * imagecodecs (bytes -> bytes), read only. `imagecodecs_packints`: integers of `bitspersample` bits (1 to
 * 32), the highest bit first, in rows of `runlen` integers that begin at whole bytes (0: one row), become
 * integers of `dtype`. `imagecodecs_bitorder` reverses the bits of each byte (TIFF 6.0, FillOrder 2).
 * tifffile has both. `{"id": "imagecodecs_packints", "dtype": "<u2", "bitspersample": 12, "runlen": 256}`
 */
import {
  ALIKE,
  type BytesToBytesCodec,
  byteOrZero,
  type CodecEntry,
  decodeIntoOutput,
  decoderEntry,
  readChoice,
  readImagecodecs,
  readInteger,
  wrongMember,
} from "../../../core/for-codecs.js";

const PACKINTS = "imagecodecs_packints";
const BITORDER = "imagecodecs_bitorder";

interface Packing {
  /** Bits of an integer as it is stored, and bytes of it in the output. */
  readonly bits: number;
  readonly size: number;
  readonly littleEndian: boolean;
  /** Integers of a row; 0 if all are one. */
  readonly length: number;
}

/** Unpacks into as many integers as `output` holds. */
function unpack(output: Uint8Array, bytes: Uint8Array, { bits, size, littleEndian, length }: Packing): void {
  const count = output.length / size;
  const perRow = length === 0 ? count : length;
  const rowBytes = Math.ceil((perRow * bits) / 8);
  for (let i = 0, row = 0; i < count; row++) {
    let at = row * rowBytes;
    // Up to 39 bits are held: more than integers of 32 bits can shift.
    let buffered = 0;
    let holding = 0;
    for (const end = Math.min(count, i + perRow); i < end; i++) {
      while (holding < bits) {
        buffered = buffered * 256 + byteOrZero(bytes, at++);
        holding += 8;
      }
      holding -= bits;
      const unit = 2 ** holding;
      let value = Math.floor(buffered / unit);
      buffered -= value * unit;
      for (let byte = 0; byte < size; byte++) {
        output[i * size + (littleEndian ? byte : size - 1 - byte)] = value & 255;
        value = Math.floor(value / 256);
      }
    }
  }
}

/** How many integers `byteLength` bytes hold. */
function countIn(byteLength: number, { bits, length }: Packing): number {
  if (length === 0) return Math.floor((byteLength * 8) / bits);
  return Math.floor(byteLength / Math.ceil((length * bits) / 8)) * length;
}

const TYPES = ["|u1", "<u1", ">u1", "|b1", "<u2", ">u2", "<u4", ">u4"] as const;

export const packints: CodecEntry = decoderEntry(PACKINTS, { both: ALIKE }, (configuration) => {
  readImagecodecs(PACKINTS, configuration, ["dtype", "bitspersample", "bitorder", "runlen"]);
  const dtype = readChoice(PACKINTS, configuration, "dtype", TYPES);
  const size = Number(dtype.slice(2));
  const bounds = { minimum: 1, maximum: 8 * size, absent: 0 };
  const bits = readInteger(PACKINTS, configuration, "bitspersample", bounds);
  if (bits === 0) throw wrongMember(PACKINTS, "bitspersample", "the bits of an integer", undefined);
  const { bitorder, ...rest } = configuration;
  // Without it, and as null, the highest bit is the first.
  if (bitorder !== undefined && bitorder !== null) readChoice(PACKINTS, configuration, "bitorder", [">"]);
  const length = readInteger(PACKINTS, rest, "runlen", { minimum: 0, maximum: 2 ** 31, absent: 0 });
  const packing: Packing = { bits, size, littleEndian: !dtype.startsWith(">"), length };
  const decode: BytesToBytesCodec["decode"] = (bytes, context) => {
    const byteLength = countIn(bytes.length, packing) * size;
    const sizes = { claimed: byteLength, estimate: byteLength, maximum: byteLength };
    return decodeIntoOutput(context, { codec: PACKINTS, format: "packed integers", ...sizes }, (output) => {
      if (output.length < byteLength) return undefined;
      unpack(output, bytes, packing);
      return output.length;
    });
  };
  return decode;
});

const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) reversed |= 128 >> bit;
  return reversed;
});

export const bitorder: CodecEntry = decoderEntry(BITORDER, { both: ALIKE }, (configuration) => {
  readImagecodecs(BITORDER, configuration, []);
  return (bytes, { kernels }) => {
    const output = kernels.allocate(bytes.length);
    for (const [i, byte] of bytes.entries()) output[i] = byteOrZero(REVERSED, byte);
    return output;
  };
});
