/**
 * `json2`, `json` and `msgpack2` of elements of a fixed size: numbers, booleans, and text or bytes of a fixed
 * length, as numcodecs writes arrays that are not objects. The data type stands after the values.
 */

import {
  type ArrayToBytesCodec,
  type ChunkSpec,
  CodecError,
  type DataType,
  dataTypeFromV2,
  describe,
  InvalidMetadataError,
  isZarrError,
  product,
} from "../../core/for-codecs.js";

type FixedKind = "number" | "text" | "bytes";

const KINDS: readonly (readonly [RegExp, FixedKind])[] = [
  [/^(bool|u?int(8|16|32|64)|float(16|32|64))$/, "number"],
  [/^fixed_length_utf32$/, "text"],
  [/^(null_terminated_bytes|raw_bytes)$/, "bytes"],
];

/** How documents are written and read, and the flat list of the values in one. */
export interface ValueFormat {
  readonly codec: string;
  readonly kinds: readonly FixedKind[];
  parse(bytes: Uint8Array): unknown;
  valuesOf(document: unknown): readonly unknown[];
  /** Where the data type stands, counted from the end. */
  readonly typeAt: number;
  stringify(document: readonly unknown[]): Uint8Array;
}

/** @throws InvalidMetadataError for data types that numcodecs does not write so */
export function fixedValues(format: ValueFormat, spec: ChunkSpec): ArrayToBytesCodec {
  const { dataType, endian = "little" } = spec;
  const { codec, kinds } = format;
  const kind = KINDS.find(([name]) => name.test(dataType.name))?.[1];
  if (kind === undefined || !kinds.includes(kind)) {
    throw new InvalidMetadataError(
      `expected a data type of variable length, or ${kinds.join(", ")} of a fixed size, got ${dataType.name}`,
      { codec, member: "data_type" },
    );
  }
  const { itemSize } = dataType;
  return {
    kind: "array_to_bytes",
    decode(bytes) {
      const document = format.parse(bytes);
      const values = format.valuesOf(document);
      checkStated(document, format, dataType);
      const elements = new Uint8Array(values.length * itemSize);
      for (const [i, value] of values.entries())
        writeElement(value, i, dataType, elements.subarray(i * itemSize, (i + 1) * itemSize));
      return elements;
    },
    encode(elements) {
      const count = product(spec.shape);
      const values = Array.from({ length: count }, (_, i): unknown =>
        dataType.readScalar(elements.subarray(i * itemSize, (i + 1) * itemSize)),
      );
      return format.stringify([...values, dataType.toV2(endian), [count]]);
    },
  };
}

/** @throws CodecError with the index of a value that is not of the data type */
function writeElement(value: unknown, index: number, dataType: DataType, target: Uint8Array): void {
  try {
    dataType.writeScalar(dataType.cast(value), target);
  } catch (cause) {
    if (!isZarrError(cause, "InvalidArgumentError")) throw cause;
    throw new CodecError(`${cause.reason} in element ${index}`, { offset: index, cause });
  }
}

/** @throws CodecError unless the document states the array's data type, in either byte order */
function checkStated(document: unknown, { typeAt }: ValueFormat, dataType: DataType): void {
  const stated: unknown = Array.isArray(document) ? document.at(-typeAt) : undefined;
  if (typeof stated === "string" && nameOf(stated) === JSON.stringify(dataType.toV3())) return;
  throw new CodecError(
    `expected elements of ${dataType.name}, got a chunk of ${describe(stated)}: the chunk belongs to another array`,
  );
}

/** The data type of numpy's notation, without its byte order; undefined for others. */
function nameOf(stated: string): string | undefined {
  try {
    return JSON.stringify(dataTypeFromV2(stated).dataType.toV3());
  } catch {
    return undefined;
  }
}
