/**
 * The 16-byte header of a blosc chunk, format 2 (c-blosc 1.x): version, compressor version, flags, typesize,
 * then decoded length, block size and encoded length as little-endian u32.
 * https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst
 */
import { CodecError } from "../../../base/errors.js";
import {
  BLOSC,
  type BloscHeader,
  COMPRESSOR_FORMATS,
  COMPRESSOR_VERSION,
  FLAG_BITSHUFFLE,
  FLAG_COPIED,
  FLAG_RESERVED,
  FLAG_SHUFFLE,
  FLAG_UNSPLIT,
  FORMAT_SHIFT,
  FORMAT_VERSION,
  HEADER_LENGTH,
} from "./formats.js";

function refuse(message: string, offset: number): CodecError {
  return new CodecError(message, { codec: BLOSC, offset });
}

/** Reads the header and checks it against `bytes`. @throws CodecError with the offset of the wrong field */
export function readHeader(bytes: Uint8Array): BloscHeader {
  if (bytes.length < HEADER_LENGTH) {
    throw refuse(`expected a blosc header of ${HEADER_LENGTH} bytes, got ${bytes.length}`, 0);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint8(0);
  if (version !== FORMAT_VERSION) {
    const hint = version > FORMAT_VERSION ? " (3 to 5 are Blosc2, which is not Zarr's blosc)" : "";
    throw refuse(`expected blosc chunk format ${FORMAT_VERSION}, got ${version}${hint}`, 0);
  }
  const flags = view.getUint8(2);
  const shuffled = (flags & FLAG_SHUFFLE) !== 0;
  const bitshuffled = (flags & FLAG_BITSHUFFLE) !== 0;
  if ((flags & FLAG_RESERVED) !== 0 || (shuffled && bitshuffled)) {
    throw refuse(`expected blosc flags of format ${FORMAT_VERSION}, got 0x${flags.toString(16)}`, 2);
  }
  const copied = (flags & FLAG_COPIED) !== 0;
  const format = COMPRESSOR_FORMATS[flags >> FORMAT_SHIFT];
  if (format === undefined) throw refuse(`expected compressor 0 to 4, got ${flags >> FORMAT_SHIFT}`, 2);
  if (!copied && view.getUint8(1) !== COMPRESSOR_VERSION) {
    throw refuse(`expected version ${COMPRESSOR_VERSION} of ${format}, got ${view.getUint8(1)}`, 1);
  }
  const typesize = view.getUint8(3);
  const byteLength = view.getUint32(4, true);
  const blocksize = view.getUint32(8, true);
  const encodedLength = view.getUint32(12, true);
  if (encodedLength !== bytes.length) {
    throw refuse(`expected ${encodedLength} bytes, as the blosc header says, got ${bytes.length}`, 12);
  }
  if (typesize === 0) throw refuse("expected a typesize of 1 to 255, got 0", 3);
  // An empty chunk has block size 1.
  if (blocksize === 0 || blocksize > Math.max(byteLength, 1)) {
    throw refuse(`expected a block size of 1 to ${byteLength}, got ${blocksize}`, 8);
  }
  if (copied && byteLength + HEADER_LENGTH !== encodedLength) {
    throw refuse(`expected ${byteLength} bytes after the header, got ${encodedLength - 16}`, 4);
  }
  const blocks = Math.ceil(byteLength / blocksize);
  if (!copied && blocks * 4 > encodedLength - HEADER_LENGTH) {
    throw refuse(
      `expected a table of ${blocks} blocks, got ${encodedLength - HEADER_LENGTH} bytes after the header`,
      8,
    );
  }
  return {
    format,
    copied,
    // The byte shuffle leaves single bytes unchanged.
    filter: shuffled && typesize > 1 ? "shuffle" : bitshuffled ? "bitshuffle" : "none",
    splitAllowed: (flags & FLAG_UNSPLIT) === 0,
    typesize,
    byteLength,
    blocksize,
  };
}
