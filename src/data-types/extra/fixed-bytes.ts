/**
 * Elements of a fixed number of bytes: raw bits (`r8`, `r16`, ... of the core; `raw_bytes` of zarr-python;
 * `|V3` in v2), and null-terminated bytes (`null_terminated_bytes`; `|S3`), whose trailing zero bytes do not
 * belong to the value.
 */
import { CodecError, describe, InvalidArgumentError, InvalidMetadataError } from "../../base/errors.js";
import type { Json } from "../../metadata/json.js";
import { ArrayView } from "../array-view.js";
import type { DataType, ZarrFormat } from "../data-type.js";
import { checkMembers, type DataTypeFamily, namedConfiguration } from "../family.js";
import { bytesOfView } from "../typed-array.js";
import { bytesFromJson, castToBytes, checkLength, lengthBytes, toBase64 } from "./byte-scalars.js";

export function withoutTrailingZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

/** Byte strings of one length over a buffer. `get` returns a view of the buffer, not a copy. */
export class FixedBytesArray extends ArrayView<Uint8Array> {
  readonly nullTerminated: boolean;

  constructor(bytes: Uint8Array, itemSize: number, nullTerminated: boolean) {
    super(bytes, itemSize);
    this.nullTerminated = nullTerminated;
  }

  get(index: number): Uint8Array {
    const element = this.element(index);
    return this.nullTerminated ? withoutTrailingZeros(element) : element;
  }
  /**
   * @throws InvalidArgumentError if `value` is not a Uint8Array of the element's length; null-terminated
   * elements also accept shorter ones
   */
  set(index: number, value: Uint8Array): void {
    const element = this.element(index);
    if (!(value instanceof Uint8Array)) {
      throw new InvalidArgumentError(
        `expected a Uint8Array, got ${describe(value)}; TextEncoder makes one from a string`,
      );
    }
    if (this.nullTerminated ? value.length > this.itemSize : value.length !== this.itemSize) {
      throw new InvalidArgumentError(
        `expected ${this.nullTerminated ? "at most " : ""}${this.itemSize} bytes, got ${value.length}`,
      );
    }
    // Copies before it fills, because `value` may be a view of the same memory.
    element.set(value);
    element.fill(0, value.length);
  }
  subarray(begin?: number, end?: number): FixedBytesArray {
    return new FixedBytesArray(this.range(begin, end), this.itemSize, this.nullTerminated);
  }
  /** The elements as strings. @throws CodecError for an element that is not UTF-8 */
  toStrings(): string[] {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return Array.from(this, (bytes, index) => {
      try {
        return decoder.decode(bytes);
      } catch (cause) {
        throw new CodecError(`expected UTF-8 in element ${index}, got ${describe(Array.from(bytes))}`, {
          offset: index,
          cause,
        });
      }
    });
  }
}

/**
 * Converts the draft's form of raw bits, "0x" or "0b" and digits in the order of the bytes, to a list of
 * integers.
 */
function fromDigits(json: Json): Json {
  if (typeof json !== "string") return json;
  const hexadecimal = /^0x((?:[\da-fA-F]{2})+)$/.exec(json)?.[1]?.match(/../g);
  const binary = /^0b((?:[01]{8})+)$/.exec(json)?.[1]?.match(/.{8}/g);
  const digits = hexadecimal ?? binary;
  return digits?.map((byte) => Number.parseInt(byte, hexadecimal ? 16 : 2)) ?? json;
}

interface FixedBytesOptions {
  readonly name: string;
  readonly length: number;
  readonly nullTerminated: boolean;
  readonly v3: Json;
  /**
   * Whether v3 writes a fill value as an array of integers (r*, as in the core specification) or as base64
   * (zarr-python).
   */
  readonly integersInV3: boolean;
}

function fixedBytesType(options: FixedBytesOptions): DataType<Uint8Array, FixedBytesArray> {
  const { name, length, nullTerminated } = options;
  const fits = (bytes: Uint8Array): boolean =>
    nullTerminated ? bytes.length <= length : bytes.length === length;
  const expected = `expected ${nullTerminated ? "at most " : ""}${length} bytes as ${name}`;
  const fromJson = (json: Json, zarrFormat: ZarrFormat): Uint8Array => {
    // v2 writers use 0 as the fill value of every data type.
    if (zarrFormat === 2 && json === 0) return new Uint8Array(nullTerminated ? 0 : length);
    // The core writes raw bits as integers; v2: "MUST be encoded ... using the standard Base64 alphabet".
    const mayBeIntegers = !nullTerminated && zarrFormat !== 2;
    return bytesFromJson(zarrFormat === "draft" ? fromDigits(json) : json, name, mayBeIntegers);
  };
  return {
    name,
    itemSize: length,
    swapUnit: 1,
    needsEndian: false,
    toV3: () => options.v3,
    toV2: () => `|${nullTerminated ? "S" : "V"}${length}`,
    // A getter, so that metadata that claims elements of 2 GiB allocates nothing.
    get defaultScalar() {
      return new Uint8Array(nullTerminated ? 0 : length);
    },
    scalarFromJson(json, zarrFormat) {
      const bytes = fromJson(json, zarrFormat);
      if (!fits(bytes)) throw new InvalidMetadataError(`${expected}, got ${bytes.length}: ${describe(json)}`);
      return bytes;
    },
    scalarToJson(scalar, zarrFormat) {
      if (zarrFormat === "draft") {
        return `0x${Array.from(scalar, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
      }
      return zarrFormat === 3 && options.integersInV3 ? Array.from(scalar) : toBase64(scalar);
    },
    cast(value) {
      const bytes = castToBytes(value, name);
      if (!fits(bytes)) throw new InvalidArgumentError(`${expected}, got ${bytes.length}`);
      return bytes;
    },
    writeScalar(scalar, target) {
      target.set(scalar);
      target.fill(0, scalar.length, length);
    },
    readScalar: (source) => {
      const bytes = source.slice(0, length);
      return nullTerminated ? withoutTrailingZeros(bytes) : bytes;
    },
    view: (bytes) => new FixedBytesArray(bytes, length, nullTerminated),
    bytesOf: (data) =>
      data instanceof FixedBytesArray && data.itemSize === length && data.nullTerminated === nullTerminated
        ? bytesOfView(data)
        : undefined,
  };
}

function fixedBytes(name: string, length: number): DataType<Uint8Array, FixedBytesArray> {
  return fixedBytesType({
    name,
    length,
    nullTerminated: name === "null_terminated_bytes",
    v3: { name, configuration: { length_bytes: length } },
    integersInV3: false,
  });
}

/** Parses a dtype such as `|V3` or `|S3`. @param code regular expression for the part before the length */
function fromV2Code(json: Json, code: string, name: string): ReturnType<DataTypeFamily["fromV2"]> {
  const digits = typeof json === "string" ? new RegExp(`^${code}(\\d+)$`).exec(json)?.[1] : undefined;
  if (digits === undefined) return undefined;
  const length = checkLength(Number(digits), 1, String(json), "dtype");
  return { dataType: fixedBytes(name, length), endian: undefined };
}

/** Writes the same v3 name that it reads: `r16` is for TensorStore and zarrs, `raw_bytes` for zarr-python. */
export const rawBytesFamily: DataTypeFamily = {
  name: "raw_bytes",
  fromV3(json) {
    const named = namedConfiguration(json);
    if (named === undefined) return undefined;
    if (named.name === "raw_bytes") return fixedBytes("raw_bytes", lengthBytes(named, 1));
    const bits = /^r(\d+)$/.exec(named.name)?.[1];
    if (bits === undefined) return undefined;
    checkMembers(named, []);
    const length = checkLength(Number(bits), 8, named.name, "data_type") / 8;
    return fixedBytesType({
      name: named.name,
      length,
      nullTerminated: false,
      v3: named.name,
      integersInV3: true,
    });
  },
  // numpy and zarr-python ignore the byte order of raw bytes.
  fromV2: (json) => fromV2Code(json, "[|<>]V", "raw_bytes"),
};

export const nullTerminatedBytesFamily: DataTypeFamily = {
  name: "null_terminated_bytes",
  fromV3(json) {
    const named = namedConfiguration(json);
    return named?.name === "null_terminated_bytes"
      ? fixedBytes(named.name, lengthBytes(named, 1))
      : undefined;
  },
  fromV2: (json) => fromV2Code(json, "\\|S", "null_terminated_bytes"),
};
