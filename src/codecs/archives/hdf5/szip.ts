/**
 * SZIP, HDF5's filter 4 (bytes -> bytes), as imagecodecs names it: the decoded length (little-endian u32),
 * then CCSDS 121.0-B as libaec writes it for the interface of SZIP. `{"id": "imagecodecs_szip",
 * "options_mask": 141, "pixels_per_block": 32, "bits_per_pixel": 16, "pixels_per_scanline": 256}`. Samples of
 * 32 and 64 bits are compressed as bytes, the first of all samples first; scanlines that are no multiple of a
 * block are padded. Read only.
 */
import {
  ALIKE,
  type BytesToBytesCodec,
  type CodecEntry,
  type DecodeContext,
  DecodedTooLong,
  damagedData,
  decoderEntry,
  describeFailure,
  readChoice,
  readImagecodecs,
  readInteger,
  uint32At,
  wrongMember,
} from "../../../core/for-codecs.js";
import { ccsdsSamples, loadGrib } from "../grib/kernels.js";

const CODEC = "imagecodecs_szip";
/** Of the options mask. */
const BIG_ENDIAN = 16;
const NEAREST_NEIGHBOUR = 32;
/** libaec's flag for differences. */
const PREPROCESS = 8;
const HEADER_LENGTH = 4;
/** A bit may stand for 64 blocks of 64 samples of zeros. */
const MAXIMUM_EXPANSION = 64 * 64 * 8 * 4;

const entry = decoderEntry(CODEC, { both: ALIKE }, (configuration) => {
  const members = ["options_mask", "pixels_per_block", "bits_per_pixel", "pixels_per_scanline"];
  readImagecodecs(CODEC, configuration, [...members, "header"]);
  const read = (member: string, maximum: number) =>
    readInteger(CODEC, configuration, member, { minimum: 0, maximum, absent: 0 });
  const options = read("options_mask", 0xffff);
  const [block, bits, line] = [
    read("pixels_per_block", 64),
    read("bits_per_pixel", 64),
    read("pixels_per_scanline", 4096),
  ];
  if (block < 2 || block % 2 !== 0)
    throw wrongMember(CODEC, "pixels_per_block", "an even number from 2 to 64", block);
  if (line < 1) throw wrongMember(CODEC, "pixels_per_scanline", "a number from 1 to 4096", line);
  if (bits < 1 || (bits > 24 && bits !== 32 && bits !== 64))
    throw wrongMember(CODEC, "bits_per_pixel", "1 to 24, 32 or 64", bits);
  const hasHeader = readChoice(CODEC, configuration, "header", [true, false], true);
  return decoder({
    block,
    bits,
    line,
    hasHeader,
    isBig: (options & BIG_ENDIAN) !== 0,
    flags: options & NEAREST_NEIGHBOUR ? PREPROCESS : 0,
  });
});

export const szip: CodecEntry = { ...entry, load: loadGrib };

interface Settings {
  /** Samples of a block, and of a line. */
  readonly block: number;
  readonly line: number;
  readonly bits: number;
  readonly hasHeader: boolean;
  readonly isBig: boolean;
  readonly flags: number;
}

function decoder(settings: Settings): BytesToBytesCodec["decode"] {
  const { block, line, bits, hasHeader, flags } = settings;
  const isInPlanes = bits === 32 || bits === 64;
  const sampleSize = bits > 16 ? (bits === 64 ? 8 : 4) : bits > 8 ? 2 : 1;
  const blocks = Math.ceil(line / block);
  const paddedLine = blocks * block;
  return (bytes, context) => {
    const byteLength = lengthOf(bytes, context, hasHeader);
    const isPadded = paddedLine !== line;
    const lines = Math.ceil(byteLength / sampleSize / line);
    const decodedLength = isPadded ? lines * paddedLine * sampleSize : byteLength;
    const count = isInPlanes ? decodedLength : decodedLength / sampleSize;
    const source = bytes.subarray(hasHeader ? HEADER_LENGTH : 0);
    const width = isInPlanes ? 8 : bits;
    const { kernels } = context;
    const target = kernels.allocate(byteLength);
    const mark = kernels.mark();
    const { samples, result } = ccsdsSamples(kernels, count, source, {
      width,
      blockSize: block,
      referenceInterval: blocks,
      flags,
    });
    if (result !== 0) {
      const { reason, offset } = describeFailure(result);
      throw damagedData(CODEC, "SZIP", offset, reason);
    }
    const place = isPadded
      ? (index: number) => Math.floor(index / line) * paddedLine + (index % line)
      : (index: number) => index;
    if (isInPlanes) joinPlanes(target, samples, sampleSize, place);
    else storeSamples(target, samples, sampleSize, settings.isBig, place);
    kernels.release(mark);
    return target;
  };
}

/** @throws CodecError for a length that the context does not allow */
function lengthOf(
  bytes: Uint8Array,
  { byteLength, maximumByteLength }: DecodeContext,
  hasHeader: boolean,
): number {
  if (!hasHeader) {
    if (byteLength !== undefined) return byteLength;
    throw damagedData(CODEC, "SZIP", 0, "the decoded length is not known");
  }
  if (bytes.length < HEADER_LENGTH) throw damagedData(CODEC, "header", 0, "the data end too early");
  const claimed = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true);
  const maximum = Math.min(maximumByteLength, MAXIMUM_EXPANSION * bytes.length);
  if (claimed <= maximum && (byteLength === undefined || claimed === byteLength)) return claimed;
  const expected = claimed > maximum ? `at most ${maximum}` : byteLength;
  throw new DecodedTooLong(
    `expected ${expected} decoded bytes, got a header that claims ${claimed}`,
    maximum,
    {
      codec: CODEC,
      offset: 0,
    },
  );
}

/** The planes have one byte of every sample each. */
function joinPlanes(
  target: Uint8Array,
  samples: Uint32Array,
  size: number,
  place: (index: number) => number,
): void {
  const plane = samples.length / size;
  for (let i = 0, at = 0; at < target.length; i++) {
    const from = place(i);
    for (let byte = 0; byte < size; byte++, at++) target[at] = uint32At(samples, byte * plane + from);
  }
}

function storeSamples(
  target: Uint8Array,
  samples: Uint32Array,
  size: number,
  isBig: boolean,
  place: (index: number) => number,
): void {
  const view = new DataView(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < target.length / size; i++) {
    const from = place(i);
    const sample = uint32At(samples, from);
    if (size === 1) view.setUint8(i, sample);
    else if (size === 2) view.setUint16(2 * i, sample, !isBig);
    else view.setUint32(4 * i, sample, !isBig);
  }
}
