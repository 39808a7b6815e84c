/**
 * `packbits` (array -> bytes): the bits of all elements one behind the other, least significant bit first, without gaps.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/packbits
 * `padding_encoding` ("none", "first_byte", "last_byte") says where the number of padding bits is stored; only the bits from `first_bit`
 * to `last_bit` (inclusive; null or absent: all) of each component are. Signed integers get their sign back, all else zeros. The same
 * bits as zarrs, which however writes no padding byte where elements are whole bytes. The specification calls "first_byte" compatible
 * with numcodecs' `packbits`, but numcodecs begins with the most significant bit (packbits-numcodecs.ts).
 * `{"name": "packbits", "configuration": {"padding_encoding": "none", "first_bit": null, "last_bit": null}}`
 */
import type { DataType } from "../data-types/data-type.js";
import { CodecError, describe, InvalidMetadataError, UnsupportedError } from "../errors.js";
import { type Elements, loadElements } from "../kernels/elements.js";
import type { Kernels } from "../kernels/kernels.js";
import type { JsonObject } from "../metadata/json.js";
import { product } from "../shape.js";
import type { ArrayToBytesCodec, CodecEntry } from "./codec.js";
import { readConfiguration } from "./configuration.js";
import { packComponents, unpackComponents } from "./filters/bit-fields.js";
import { numberTypeOf } from "./filters/number-type.js";

const CODEC = "packbits";
const loaded = new WeakMap<Kernels, Elements>();

/** What elements are made of: `count` components of `bytes` bytes in memory, of which `bits` bits count. */
interface Components {
  readonly count: 1 | 2;
  readonly bytes: number;
  readonly bits: number;
  readonly signed: boolean;
}

const entry: CodecEntry = {
  kind: "array_to_bytes",
  async load(kernels) {
    loaded.set(kernels, await loadElements(kernels));
  },
  fromConfig(configuration, spec): ArrayToBytesCodec {
    readConfiguration(CODEC, configuration, ["padding_encoding", "first_bit", "last_bit"]);
    const paddingEncoding = readPaddingEncoding(configuration);
    const components = componentsOf(spec.dataType);
    const first = readBit(configuration, "first_bit", 0, components.bits - 1) ?? 0;
    const last = readBit(configuration, "last_bit", first, components.bits - 1) ?? components.bits - 1;
    const field = { ...components, first, width: last - first + 1 };
    const fields = product(spec.shape) * components.count;
    const packedLength = Math.ceil((fields * field.width) / 8);
    const padding = 8 * packedLength - fields * field.width;
    const before = paddingEncoding === "first_byte" ? 1 : 0;
    const encodedByteLength = packedLength + (paddingEncoding === "none" ? 0 : 1);
    return {
      kind: "array_to_bytes",
      encodedByteLength,
      scratchByteLength: encodedByteLength,
      decode(bytes, { kernels }) {
        if (bytes.length !== encodedByteLength) {
          throw new CodecError(
            `expected ${encodedByteLength} bytes (${fields} x ${field.width} bits), got ${bytes.length}`,
            { codec: CODEC },
          );
        }
        const stored = before === 1 ? bytes[0] : bytes[packedLength];
        if (paddingEncoding !== "none" && stored !== padding) {
          throw new CodecError(`expected ${padding} bits of padding, got ${stored}`, {
            codec: CODEC,
            offset: before === 1 ? 0 : packedLength,
          });
        }
        const target = kernels.allocate(fields * components.bytes);
        const packed = bytes.subarray(before, before + packedLength);
        if (components.bytes > 1 || field.first > 0 || signExtends(field)) {
          unpackComponents(target, packed, field);
        } else kernelsOf(kernels).unpackBits(target, packed, field.width, false);
        return target;
      },
      encode(elements, { kernels }) {
        const target = kernels.allocate(encodedByteLength);
        const packed = target.subarray(before, before + packedLength);
        const { packBits, normaliseBooleans } = kernelsOf(kernels);
        if (components.bytes > 1 || field.first > 0) packComponents(packed, elements, field);
        else if (spec.dataType.name === "bool") {
          const booleans = kernels.allocate(fields);
          normaliseBooleans(booleans, elements);
          packBits(packed, booleans, 1, false);
        } else packBits(packed, elements, field.width, false);
        if (paddingEncoding !== "none") target[before === 1 ? 0 : packedLength] = padding;
        return target;
      },
    };
  },
};
export default entry;

/** Whether bits above the field have to repeat its sign; what is above the type's own bits nobody looks at. */
function signExtends({ signed, first, width, bits }: Components & { first: number; width: number }): boolean {
  return signed && first + width < bits;
}

function kernelsOf(kernels: Kernels): Elements {
  const elements = loaded.get(kernels);
  if (elements === undefined) throw new CodecError("used before it was loaded", { codec: CODEC });
  return elements;
}

function readPaddingEncoding(configuration: JsonObject): "none" | "first_byte" | "last_byte" {
  const { padding_encoding: json = "none" } = configuration;
  if (json === "none" || json === "first_byte" || json === "last_byte") return json;
  throw new InvalidMetadataError(`expected "none", "first_byte" or "last_byte", got ${describe(json)}`, {
    codec: CODEC,
    member: "configuration.padding_encoding",
  });
}

/** Undefined where it is absent or null. */
function readBit(
  configuration: JsonObject,
  member: string,
  minimum: number,
  maximum: number,
): number | undefined {
  const json = configuration[member] ?? null;
  if (json === null) return undefined;
  if (typeof json === "number" && Number.isInteger(json) && json >= minimum && json <= maximum) return json;
  throw new InvalidMetadataError(
    `expected null or a bit from ${minimum} to ${maximum}, got ${describe(json)}`,
    { codec: CODEC, member: `configuration.${member}` },
  );
}

const COMPLEX: Readonly<Record<string, number>> = {
  complex64: 32,
  complex128: 64,
  complex_float4_e2m1fn: 4,
  complex_float6_e2m3fn: 6,
  complex_float6_e3m2fn: 6,
};

function componentsOf(dataType: DataType): Components {
  const { name, itemSize } = dataType;
  const type = numberTypeOf(dataType);
  if (type !== undefined) {
    return { count: 1, bytes: itemSize, bits: type.bits, signed: type.kind === "integer" && type.signed };
  }
  if (name.startsWith("complex")) {
    const bytes = itemSize / 2;
    return { count: 2, bytes, bits: COMPLEX[name] ?? 8 * bytes, signed: false };
  }
  // zarrs packs dates as int64.
  if (/^numpy\.(datetime|timedelta)64$/.test(name)) return { count: 1, bytes: 8, bits: 64, signed: true };
  throw new UnsupportedError(
    `packbits of data type ${name} is not supported: expected bool, integers, floats or complex numbers`,
    { codec: CODEC },
  );
}
