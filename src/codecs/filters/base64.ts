/**
 * numcodecs' `base64` (bytes -> bytes): text in the standard alphabet, with padding and without line breaks
 * (RFC 4648, section 4). https://numcodecs.readthedocs.io/en/stable/other/base64.html No configuration.
 * `{"id": "base64"}`
 */
import {
  type BytesToBytesCodec,
  byteAt,
  byteOrZero,
  type CodecEntry,
  CodecError,
  readConfiguration,
} from "../../core/for-codecs.js";

const CODEC = "base64";
const ALPHABET = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const PADDING = 0x3d;
const NONE = 64;
/** The six bits of each character, or NONE for other bytes. */
const VALUES = new Uint8Array(256).fill(NONE);
ALPHABET.forEach((character, value) => {
  VALUES[character] = value;
});

const encodedByteLength = (byteLength: number): number => 4 * Math.ceil(byteLength / 3);

const base64: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: { only: "numcodecs" },
  fromConfig(configuration): BytesToBytesCodec {
    readConfiguration(CODEC, configuration, []);
    return { kind: "bytes_to_bytes", synchronous: true, decode, encode, encodedByteLength };
  },
};
export default base64;

function decode(text: Uint8Array): Uint8Array {
  if (text.length % 4 !== 0) {
    throw new CodecError(`expected a multiple of 4 characters, got ${text.length}`, { codec: CODEC });
  }
  const padding = text.at(-1) !== PADDING ? 0 : text.at(-2) !== PADDING ? 1 : 2;
  const characters = text.length - padding;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let i = 0, at = 0; i < text.length; i += 4, at += 3) {
    let bits = 0;
    for (let j = i; j < i + 4; j++) {
      const value = j < characters ? (VALUES[byteAt(text, j)] ?? NONE) : 0;
      if (value === NONE) {
        throw new CodecError(`expected a base64 character, got byte ${text[j]}`, {
          codec: CODEC,
          offset: j,
        });
      }
      bits = (bits << 6) | value;
    }
    // Typed arrays ignore writes beyond their end, which drops the bytes of padding.
    bytes[at] = bits >> 16;
    bytes[at + 1] = bits >> 8;
    bytes[at + 2] = bits;
  }
  return bytes;
}

function encode(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(encodedByteLength(bytes.length));
  for (let i = 0, at = 0; i < bytes.length; i += 3) {
    // Missing bytes at the end are zeros, whose characters become padding.
    const low = (byteOrZero(bytes, i + 1) << 8) | byteOrZero(bytes, i + 2);
    const bits = (byteAt(bytes, i) << 16) | low;
    for (let shift = 18; shift >= 0; shift -= 6) text[at++] = ALPHABET[(bits >> shift) & 63] ?? PADDING;
  }
  for (let missing = (3 - (bytes.length % 3)) % 3; missing > 0; missing--)
    text[text.length - missing] = PADDING;
  return text;
}
