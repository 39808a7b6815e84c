/**
 * `packbits` (array -> bytes): the bits of all elements one after the other, least significant bit first,
 * without gaps. https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/packbits
 * `padding_encoding` ("none", "first_byte", "last_byte") says where the number of padding bits is stored.
 * Only bits `first_bit` to `last_bit` (inclusive; null or absent: all) of each component are stored. Decoding
 * extends the sign of signed integers, and fills other bits with zeros. zarrs writes the same bits, but no
 * padding byte if elements are whole bytes. The specification calls "first_byte" compatible with numcodecs'
 * `packbits`, but numcodecs begins with the most significant bit: see `numcodecsPackbits` below. `{"name":
 * "packbits", "configuration": {"padding_encoding": "none", "first_bit": null, "last_bit": null}}`
 */
import {
  type ArrayToArrayCodec,
  type ArrayToBytesCodec,
  byteAt,
  type CodecEntry,
  CodecError,
  elementsOf,
  type JsonObject,
  type Kernels,
  loadElements,
  product,
  readChoice,
  readConfiguration,
  readNumcodecs,
  UnsupportedError,
  uint8,
  wrongMember,
} from "../../core/for-codecs.js";
import { partTypeOf } from "./numbers.js";
import { numbersOf } from "./numpy-types.js";

const CODEC = "packbits";
async function load(kernels: Kernels): Promise<void> {
  await loadElements(kernels);
}

const entry: CodecEntry = {
  codecKind: "array_to_bytes",
  load,
  fromConfig(configuration, spec): ArrayToBytesCodec {
    readConfiguration(CODEC, configuration, ["padding_encoding", "first_bit", "last_bit"]);
    const encodings = ["none", "first_byte", "last_byte"] as const;
    const paddingEncoding = readChoice(CODEC, configuration, "padding_encoding", encodings, "none");
    const { name, itemSize } = spec.dataType;
    const type = partTypeOf(name);
    if (type === undefined) {
      throw new UnsupportedError(
        `packbits of data type ${name} is not supported: expected bool, integers, floats or complex numbers`,
        { codec: CODEC },
      );
    }
    const { itemSize: bytes, bits } = type;
    const first = readBit(configuration, "first_bit", 0, bits - 1) ?? 0;
    const last = readBit(configuration, "last_bit", first, bits - 1) ?? bits - 1;
    const signed = type.kind === "integer" && type.signed;
    const field: BitField = { bytes, bits, first, width: last - first + 1, signed };
    const fields = product(spec.shape) * (itemSize / bytes);
    const packedLength = Math.ceil((fields * field.width) / 8);
    const padding = 8 * packedLength - fields * field.width;
    const before = paddingEncoding === "first_byte" ? 1 : 0;
    const paddingAt = before === 1 ? 0 : packedLength;
    const encodedByteLength = packedLength + (paddingEncoding === "none" ? 0 : 1);
    return {
      kind: "array_to_bytes",
      encodedByteLength,
      scratchByteLength: encodedByteLength,
      decode(stored, { kernels }) {
        if (stored.length !== encodedByteLength) {
          throw new CodecError(
            `expected ${encodedByteLength} bytes (${fields} x ${field.width} bits), got ${stored.length}`,
            { codec: CODEC },
          );
        }
        const unused = stored[paddingAt];
        if (paddingEncoding !== "none" && unused !== padding) {
          throw new CodecError(`expected ${padding} bits of padding, got ${unused}`, {
            codec: CODEC,
            offset: paddingAt,
          });
        }
        const target = kernels.allocate(fields * bytes);
        const packed = stored.subarray(before, before + packedLength);
        // Unused bits of the byte above the type's bits do not matter.
        if (bytes > 1 || first > 0 || (signed && field.width < bits)) {
          unpackComponents(target, packed, field);
        } else elementsOf(kernels).unpackBits(target, packed, field.width, false);
        return target;
      },
      encode(elements, { kernels }) {
        const target = kernels.allocate(encodedByteLength);
        const packed = target.subarray(before, before + packedLength);
        const { packBits, normaliseBooleans } = elementsOf(kernels);
        if (bytes > 1 || first > 0) packComponents(packed, elements, field);
        else if (name === "bool") {
          const booleans = kernels.allocate(fields);
          normaliseBooleans(booleans, elements);
          packBits(packed, booleans, 1, false);
        } else packBits(packed, elements, field.width, false);
        if (paddingEncoding !== "none") target[paddingAt] = padding;
        return target;
      },
    };
  },
};
export default entry;

/** Undefined if the member is absent or null. */
function readBit(
  configuration: JsonObject,
  member: string,
  minimum: number,
  maximum: number,
): number | undefined {
  const json = configuration[member] ?? null;
  if (json === null) return undefined;
  if (typeof json === "number" && Number.isInteger(json) && json >= minimum && json <= maximum) return json;
  throw wrongMember(CODEC, member, `null or a bit from ${minimum} to ${maximum}`, json);
}

/** The stored bits of a component: of an element, or of one part of a complex number. */
interface BitField {
  /** Bytes of a component in memory, least significant first. */
  readonly bytes: number;
  /** Used bits of a component. */
  readonly bits: number;
  /** The stored field: `width` bits from bit `first` on. */
  readonly first: number;
  readonly width: number;
  /** Whether bits above the field repeat its sign when it is unpacked. */
  readonly signed: boolean;
}

/**
 * ORs `count` (1 to 8) bits of `source` from bit `from` into `target` at bit `to`; both may cross a byte
 * boundary.
 */
function moveBits(target: Uint8Array, to: number, source: Uint8Array, from: number, count: number): void {
  const byte = Math.floor(from / 8);
  const shift = from % 8;
  const pair = byteAt(source, byte) | ((shift + count > 8 ? byteAt(source, byte + 1) : 0) << 8);
  const bits = ((pair >> shift) & (2 ** count - 1)) << (to % 8);
  const at = Math.floor(to / 8);
  target[at] = byteAt(target, at) | bits;
  if (bits > 0xff) target[at + 1] = byteAt(target, at + 1) | (bits >> 8);
}

/** @param target room for the fields of all components of `source`, rounded up to whole bytes */
function packComponents(target: Uint8Array, source: Uint8Array, field: BitField): void {
  const { bytes, first, width } = field;
  target.fill(0);
  let to = 0;
  for (let from = first; from < 8 * source.length; from += 8 * bytes) {
    for (let done = 0; done < width; done += 8) {
      moveBits(target, to + done, source, from + done, Math.min(8, width - done));
    }
    to += width;
  }
}

/** @param target components in memory; bits outside the field become zero, or the sign above the field */
function unpackComponents(target: Uint8Array, source: Uint8Array, field: BitField): void {
  const { bytes, bits, first, width, signed } = field;
  target.fill(0);
  let from = 0;
  for (let at = 0; at < target.length; at += bytes) {
    for (let done = 0; done < width; done += 8) {
      moveBits(target, 8 * at + first + done, source, from + done, Math.min(8, width - done));
    }
    from += width;
    const top = first + width - 1;
    const isNegative = signed && (byteAt(target, at + (top >> 3)) >> (top & 7)) & 1;
    if (isNegative) setBits(target, 8 * at + top + 1, 8 * at + bits);
  }
}

function setBits(target: Uint8Array, from: number, to: number): void {
  for (let bit = from; bit < to; bit++) target[bit >> 3] = byteAt(target, bit >> 3) | (1 << (bit & 7));
}

/**
 * numcodecs' `packbits` (array -> array of uint8): one byte with the number of padding bits in the last byte,
 * then booleans as bits, the first element in the most significant bit.
 * https://numcodecs.readthedocs.io/en/stable/filter/packbits.html Also `numcodecs.packbits`. Not the
 * `packbits` of zarr-extensions, which has the opposite bit order. No configuration. `{"id": "packbits"}`
 */
export const numcodecsPackbits: CodecEntry = {
  codecKind: "array_to_array",
  load,
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, []);
    numbersOf(CODEC, spec.dataType, ["boolean"]);
    const elements = product(spec.shape);
    const padding = (8 - (elements % 8)) % 8;
    return {
      kind: "array_to_array",
      encoded: { shape: [1 + Math.ceil(elements / 8)], dataType: uint8, fillValue: 0 },
      decode(bytes, { kernels }) {
        if (bytes[0] !== padding) {
          throw new CodecError(
            `expected ${padding} bits of padding after ${elements} elements, got ${bytes[0]}`,
            { codec: CODEC, offset: 0 },
          );
        }
        const target = kernels.allocate(elements);
        elementsOf(kernels).unpackBits(target, bytes.subarray(1), 1, true);
        return target;
      },
      encode(source, { kernels }) {
        const target = kernels.allocate(1 + Math.ceil(elements / 8));
        const booleans = kernels.allocate(elements);
        const { normaliseBooleans, packBits } = elementsOf(kernels);
        normaliseBooleans(booleans, source);
        packBits(target.subarray(1), booleans, 1, true);
        target[0] = padding;
        return target;
      },
    };
  },
};
