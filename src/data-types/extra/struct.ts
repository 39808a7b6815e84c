/**
 * Structs: named fields of fixed size, one after the other without padding; fields may be structs.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/struct
 */
import { at, noItem } from "../../base/at.js";
import { describe, InvalidArgumentError, InvalidMetadataError } from "../../base/errors.js";
import { isJsonObject, type Json } from "../../metadata/json.js";
import { ArrayView } from "../array-view.js";
import { type DataType, type Endian, swapRunsOf } from "../data-type.js";
import { bytesOfView } from "../typed-array.js";
import { fromBase64, toBase64 } from "./byte-scalars.js";
import { isSubarray, mergeRuns, subarrayType } from "./subarray.js";

/** A record: scalars by field name. */
export type StructRecord = Readonly<Record<string, unknown>>;

/** A field and its offset in the bytes of an element. */
export interface StructField {
  /** Name of the field. */
  readonly name: string;
  /** Data type of the field. */
  readonly dataType: DataType;
  /** In bytes, from the start of the element. */
  readonly offset: number;
}

/** The data type of a StructArray. */
export interface StructDataType extends DataType<StructRecord, StructArray> {
  /** In the order of the document. */
  readonly fields: readonly StructField[];
}

export function isStruct(dataType: DataType): dataType is StructDataType {
  return "fields" in dataType;
}

/**
 * Structs over a buffer: records one by one, and columns by field name over the same memory.
 * @typeParam Row a record: scalars by field name
 * @typeParam Columns types of `column(name).toData()`, by field name
 */
export class StructArray<Row = StructRecord, Columns = StructRecord> extends ArrayView<Row> {
  /** The data type of the elements, with their fields. */
  readonly dataType: StructDataType;

  constructor(bytes: Uint8Array, dataType: StructDataType) {
    super(bytes, dataType.itemSize);
    this.dataType = dataType;
  }

  /** A copy of one element as a record. */
  get(index: number): Row;
  get(index: number): unknown {
    return this.dataType.readScalar(this.element(index));
  }
  /**
   * @param value an object with every field
   * @throws InvalidArgumentError for a missing, unknown or invalid field
   */
  set(index: number, value: Row): void {
    this.dataType.writeScalar(this.dataType.cast(value), this.element(index));
  }
  subarray(begin?: number, end?: number): StructArray<Row, Columns> {
    return new StructArray(this.range(begin, end), this.dataType);
  }
  /** The names of the fields, in the order of the type. */
  get fieldNames(): string[] {
    return this.dataType.fields.map(({ name }) => name);
  }
  /**
   * One field of every element, over the same memory.
   * @throws InvalidArgumentError for an unknown field name
   */
  column<Name extends keyof Row & keyof Columns & string>(name: Name): StructColumn<Row[Name], Columns[Name]>;
  column(name: string): StructColumn<unknown, unknown> {
    const field = this.dataType.fields.find((candidate) => candidate.name === name);
    if (field !== undefined) return new StructColumn(this.bytes, this.itemSize, field.offset, field.dataType);
    throw new InvalidArgumentError(
      `no field ${describe(name)}; the fields are ${this.fieldNames.join(", ")}`,
    );
  }
}

/** One field of every struct of a buffer. */
export class StructColumn<Scalar, Data> extends ArrayView<Scalar> {
  /** The data type of the field. */
  readonly dataType: DataType<Scalar, Data>;
  readonly #offset: number;

  /** @param itemSize bytes from one struct to the next @param offset of the field in a struct */
  constructor(bytes: Uint8Array, itemSize: number, offset: number, dataType: DataType<Scalar, Data>) {
    super(bytes, itemSize);
    this.dataType = dataType;
    this.#offset = offset;
  }

  #field(index: number): Uint8Array {
    const start = this.checked(index) * this.itemSize + this.#offset;
    return this.bytes.subarray(start, start + this.dataType.itemSize);
  }
  get(index: number): Scalar {
    return this.dataType.readScalar(this.#field(index));
  }
  /** @throws InvalidArgumentError for a value that does not fit the field */
  set(index: number, value: Scalar): void {
    this.dataType.writeScalar(this.dataType.cast(value), this.#field(index));
  }
  subarray(begin?: number, end?: number): StructColumn<Scalar, Data> {
    return new StructColumn(this.range(begin, end), this.itemSize, this.#offset, this.dataType);
  }
  /** A copy of the column in the array class of the field: a Float32Array for a float32 field. */
  toData(): Data {
    const { itemSize } = this.dataType;
    const copy = new Uint8Array(this.length * itemSize);
    const source = this.bytes.subarray(this.#offset);
    // Copies the widest words that divide offset, element and field: usually three times as fast as bytes.
    const sizes = source.byteOffset | this.itemSize | itemSize;
    const unit = sizes % 4 === 0 ? 4 : sizes % 2 === 0 ? 2 : 1;
    const [from, to] = [wordsOf(source, unit), wordsOf(copy, unit)];
    const [width, step] = [itemSize / unit, this.itemSize / unit];
    for (let word = 0; word < width; word++) {
      for (let target = word, source = word; target < to.length; target += width, source += step) {
        to[target] = from[source] ?? noItem(from, source);
      }
    }
    return this.dataType.view(copy);
  }
}

/** A view of whole words of `unit` bytes; `byteOffset` must be aligned. */
function wordsOf(
  { buffer, byteOffset, length }: Uint8Array,
  unit: 1 | 2 | 4,
): Uint8Array | Uint16Array | Uint32Array {
  if (unit === 1) return new Uint8Array(buffer, byteOffset, length);
  return unit === 2
    ? new Uint16Array(buffer, byteOffset, Math.floor(length / 2))
    : new Uint32Array(buffer, byteOffset, Math.floor(length / 4));
}

export type FieldDefinition = Pick<StructField, "name" | "dataType">;

/**
 * The type of a field that v2 stores little-endian next to big-endian fields: its bytes are never swapped.
 * The byte order of such a struct is "big", which applies to the other fields.
 */
export function alwaysLittle(dataType: DataType): DataType {
  if (!dataType.needsEndian) return dataType;
  if (isSubarray(dataType)) return subarrayType(alwaysLittle(dataType.base), dataType.shape);
  if (isStruct(dataType)) return structType(dataType.fields.map(littleField));
  return {
    ...dataType,
    uniform: dataType,
    swapUnit: 1,
    needsEndian: false,
    toV2: () => dataType.toV2("little"),
  };
}

/** @param definitions already checked: names are not empty and differ, no field has variable length */
export function structType(definitions: readonly FieldDefinition[]): StructDataType {
  const fields = withOffsets(definitions);
  const last = fields.at(-1);
  const itemSize = last === undefined ? 0 : last.offset + last.dataType.itemSize;
  const dataType: StructDataType = {
    fields,
    name: "struct",
    itemSize,
    ...swapsOf(fields),
    needsEndian: fields.some((field) => field.dataType.needsEndian),
    ...(fields.some((field) => field.dataType.uniform !== undefined)
      ? { uniform: structType(definitions.map(uniformField)) }
      : {}),
    toV3: () => ({
      name: "struct",
      configuration: {
        fields: fields.map((field) => ({ name: field.name, data_type: field.dataType.toV3() })),
      },
    }),
    toV2: (endian) =>
      fields.map(
        ({ name, dataType: type }): Json =>
          isSubarray(type) ? [name, type.base.toV2(endian), type.shape] : [name, type.toV2(endian)],
      ),
    // A getter, because subarrays may have a million values.
    get defaultScalar() {
      return recordOf(fields, (field) => field.dataType.defaultScalar);
    },
    scalarFromJson(json, zarrFormat, endian) {
      // Base64 is the form in v2, and in v3 arrays of the legacy "structured" type.
      if (typeof json === "string") return fromPacked(dataType, json, endian);
      const members = isJsonObject(json) ? membersOf(fields, json) : undefined;
      if (members !== undefined)
        return recordOf(fields, (field, i) => field.dataType.scalarFromJson(at(members, i), zarrFormat));
      // v2 writers use 0 as the fill value of every data type.
      if (zarrFormat === 2 && json === 0) return dataType.readScalar(new Uint8Array(itemSize));
      throw new InvalidMetadataError(`${expected(fields)}, got ${describe(json)}`);
    },
    scalarToJson(scalar, zarrFormat, endian) {
      if (zarrFormat === 3) {
        return recordOf(fields, (field) => field.dataType.scalarToJson(scalar[field.name], zarrFormat));
      }
      const bytes = new Uint8Array(itemSize);
      dataType.writeScalar(scalar, bytes);
      return toBase64(endian === "big" ? swapElement(dataType, bytes) : bytes);
    },
    cast(value) {
      const members = isRecord(value) ? membersOf(fields, value) : undefined;
      if (members === undefined)
        throw new InvalidArgumentError(`${expected(fields)}, got ${describe(value)}`);
      return recordOf(fields, (field, i) => field.dataType.cast(members[i]));
    },
    writeScalar(scalar, target) {
      for (const { name, dataType: type, offset } of fields) {
        type.writeScalar(scalar[name], target.subarray(offset, offset + type.itemSize));
      }
    },
    readScalar: (source, exact) =>
      recordOf(fields, ({ dataType: type, offset }) =>
        type.readScalar(source.subarray(offset, offset + type.itemSize), exact),
      ),
    view: (bytes) => new StructArray(bytes, dataType),
    bytesOf: (data) =>
      data instanceof StructArray && isSameDataType(data.dataType, dataType) ? bytesOfView(data) : undefined,
  };
  return dataType;
}

/** How the bytes of an element are swapped: in one unit, or in runs. */
function swapsOf(fields: readonly StructField[]): Pick<DataType, "swapUnit" | "swapRuns"> {
  const runs = mergeRuns(
    fields.flatMap(({ dataType, offset }) =>
      swapRunsOf(dataType).map(([start, unit, count]) => [offset + start, unit, count] as const),
    ),
  );
  const [only] = runs;
  return only === undefined || runs.length > 1 ? { swapUnit: 1, swapRuns: runs } : { swapUnit: only[1] };
}

function expected(fields: readonly StructField[]): string {
  return `expected an object with exactly the fields ${fields.map(({ name }) => name).join(", ")}`;
}

/** The members in the order of the fields; undefined if any member is missing or unknown. */
function membersOf<Value>(
  fields: readonly StructField[],
  record: Readonly<Record<string, Value>>,
): Value[] | undefined {
  const members = fields.flatMap(({ name }) => {
    const member = Object.hasOwn(record, name) ? record[name] : undefined;
    return member === undefined ? [] : [member];
  });
  const isComplete = Object.keys(record).length === fields.length && members.length === fields.length;
  return isComplete ? members : undefined;
}

function recordOf<Value>(
  fields: readonly StructField[],
  member: (field: StructField, index: number) => Value,
): Record<string, Value> {
  // fromEntries defines own members, so that "__proto__" is a normal field name.
  return Object.fromEntries(fields.map((field, index) => [field.name, member(field, index)]));
}

function fromPacked(dataType: StructDataType, text: string, endian: Endian | undefined): StructRecord {
  const bytes = fromBase64(text);
  if (bytes?.length !== dataType.itemSize) {
    throw new InvalidMetadataError(
      `expected base64 of the ${dataType.itemSize} bytes of a struct, got ${describe(text)}`,
    );
  }
  return dataType.readScalar(endian === "big" ? swapElement(dataType, bytes) : bytes, true);
}

function withOffsets(definitions: readonly FieldDefinition[]): StructField[] {
  let end = 0;
  return definitions.map(({ name, dataType }) => {
    const offset = end;
    end += dataType.itemSize;
    return { name, dataType, offset };
  });
}

function uniformField({ name, dataType }: FieldDefinition): FieldDefinition {
  return { name, dataType: dataType.uniform ?? dataType };
}

function littleField({ name, dataType }: FieldDefinition): FieldDefinition {
  return { name, dataType: alwaysLittle(dataType) };
}

function isRecord(value: unknown): value is StructRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two data types are equal, regardless of byte order; they may be different objects. */
export function isSameDataType(a: DataType, b: DataType): boolean {
  if (a === b) return true;
  if (a.name !== b.name || a.itemSize !== b.itemSize) return false;
  if (isStruct(a)) {
    return (
      isStruct(b) &&
      a.fields.length === b.fields.length &&
      a.fields.every((field, index) => {
        const other = b.fields[index];
        return other?.name === field.name && isSameDataType(field.dataType, other.dataType);
      })
    );
  }
  if (isSubarray(a)) return isSubarray(b) && isSameDataType(a.base, b.base);
  if (a.variable === "object") return b.variable === "object" && a.objectCodec === b.objectCodec;
  return describe(a.toV3()) === describe(b.toV3());
}

/**
 * A copy of an element in the other byte order. Only for fill values: kernels swap the elements of chunks.
 */
function swapElement(dataType: DataType, element: Uint8Array): Uint8Array {
  const swapped = element.slice();
  for (const [offset, unit, count] of swapRunsOf(dataType)) {
    for (let start = offset; start < offset + unit * count; start += unit) {
      swapped.subarray(start, start + unit).reverse();
    }
  }
  return swapped;
}
