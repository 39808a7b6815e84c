/** Streams of blocks as HDF5's filters for LZ4 and bitshuffle write them: lengths are big-endian. */
import { type DecodeContext, DecodedTooLong, damagedData } from "../../../core/for-codecs.js";

export const HEADER_LENGTH = 12;

export interface BlockStream {
  /** Decoded bytes of all blocks, and of one; the last may be shorter. */
  readonly byteLength: number;
  readonly blockLength: number;
  readonly view: DataView;
}

/** @throws CodecError for a header that claims too much */
export function readBlockStream(bytes: Uint8Array, context: DecodeContext, codec: string): BlockStream {
  if (bytes.length < HEADER_LENGTH) throw damagedData(codec, "header", 0, "the data end too early");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const byteLength = Number(view.getBigUint64(0));
  const blockLength = view.getUint32(8);
  // A byte of LZ4 makes at most 255, and each block has a length in front.
  const maximum = Math.min(context.maximumByteLength, 255 * bytes.length);
  if (byteLength > maximum || (context.byteLength !== undefined && byteLength !== context.byteLength)) {
    const expected = byteLength > maximum ? `at most ${maximum}` : context.byteLength;
    const message = `expected ${expected} decoded bytes, got a header that claims ${byteLength}`;
    throw new DecodedTooLong(message, maximum, { codec, offset: 0 });
  }
  if (blockLength === 0 && byteLength > 0) throw damagedData(codec, "header", 8, "blocks have no length");
  return { byteLength, blockLength, view };
}

/** The encoded bytes of the block at `at`, without the length in front of them. @throws CodecError */
export function blockAt({ view }: BlockStream, bytes: Uint8Array, at: number, codec: string): Uint8Array {
  const end = at + 4 <= bytes.length ? at + 4 + view.getUint32(at) : Number.POSITIVE_INFINITY;
  if (end > bytes.length) throw damagedData(codec, "stream of blocks", at, "the data end too early");
  return bytes.subarray(at + 4, end);
}
