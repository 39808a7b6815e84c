/**
 * N-bit, HDF5's filter 5 (bytes -> bytes): of each element only the bits that its type uses, the highest
 * first. The others are 0. `{"name": "hdf5.nbit", "configuration": {"parameters": [...]}}`: those of the
 * file, of which numbers and types that are copied whole are read, no arrays and compounds. Read only.
 */
import {
  type BytesToBytesCodec,
  byteAt,
  type CodecEntry,
  damagedData,
  decoderEntry,
  UnsupportedError,
  wrongMember,
} from "../../../core/for-codecs.js";
import { PackedBits } from "./packed-bits.js";
import { readParameters } from "./parameters.js";

const CODEC = "hdf5.nbit";
const ATOMIC = 1;
const WHOLE = 4;

export const nbit: CodecEntry = decoderEntry(CODEC, { only: "v3" }, (configuration) => {
  const parameters = readParameters(CODEC, configuration, 5);
  const [, isStored = 0, count = 0, kind = 0, size = 0, order = 0, precision = 0, offset = 0] = parameters;
  if (isStored !== 0 || kind === WHOLE) return (bytes) => bytes;
  if (kind !== ATOMIC)
    throw new UnsupportedError("N-bit of arrays and compounds is not read", { codec: CODEC });
  if (![1, 2, 4, 8].includes(size) || precision < 1 || precision + offset > 8 * size || order > 1)
    throw wrongMember(CODEC, "parameters", "a number of 1, 2, 4 or 8 bytes", parameters.slice(3, 8));
  return decoder(count, size, order === 0, precision, offset);
});

function decoder(
  count: number,
  size: number,
  isLittle: boolean,
  precision: number,
  offset: number,
): BytesToBytesCodec["decode"] {
  return (bytes, context) => {
    const bits = new PackedBits(bytes, 0);
    if (bits.left < count * precision)
      throw damagedData(CODEC, "N-bit data", bytes.length, `expected ${count} elements of ${precision} bits`);
    if (count * size > context.maximumByteLength)
      throw damagedData(
        CODEC,
        "N-bit data",
        0,
        `expected at most ${context.maximumByteLength} decoded bytes`,
      );
    const target = context.kernels.allocate(count * size);
    target.fill(0);
    const element = new Uint8Array(size);
    for (let i = 0; i < count; i++) {
      const [high, low] = bits.takeLong(precision);
      element.fill(0);
      // The value, shifted to its place, byte by byte from the lowest.
      const value = (BigInt(high) * 0x1_0000_0000n + BigInt(low)) << BigInt(offset);
      for (let byte = 0; byte < size; byte++) element[byte] = Number((value >> BigInt(8 * byte)) & 0xffn);
      for (let byte = 0; byte < size; byte++)
        target[i * size + byte] = byteAt(element, isLittle ? byte : size - 1 - byte);
    }
    return target;
  };
}
