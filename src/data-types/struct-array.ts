/** Arrays of structs as a user gets them: records one by one, and columns by field name, over the same memory. */
import { InvalidArgumentError } from "../errors.js";
import { ArrayView } from "./array-view.js";
import type { DataType } from "./data-type.js";

/** A record: scalars by field name. */
export type StructRecord = Readonly<Record<string, unknown>>;

/** A field at its place in the bytes of an element. */
export interface StructField {
  readonly name: string;
  readonly dataType: DataType;
  readonly offset: number;
}

/** The data type of a StructArray. */
export interface StructDataType extends DataType<StructRecord, StructArray> {
  readonly fields: readonly StructField[];
}

export function isStruct(dataType: DataType): dataType is StructDataType {
  return "fields" in dataType;
}

/**
 * Structs over a buffer.
 * @typeParam Row a record: scalars by field name
 * @typeParam Columns what `column(name).toData()` gives, by field name
 */
export class StructArray<Row = StructRecord, Columns = StructRecord> extends ArrayView<Row> {
  readonly dataType: StructDataType;

  constructor(bytes: Uint8Array, dataType: StructDataType) {
    super(bytes, dataType.itemSize);
    this.dataType = dataType;
  }

  /** One element as a record, which is a copy. */
  get(index: number): Row;
  get(index: number): unknown {
    return this.dataType.readScalar(this.element(index));
  }
  /** @param value an object with every field @throws InvalidArgumentError for a missing, unknown or unfit field */
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
  /** One field of every element, over the same memory. @throws InvalidArgumentError for a name that is no field */
  column<Name extends keyof Row & keyof Columns & string>(name: Name): StructColumn<Row[Name], Columns[Name]>;
  column(name: string): StructColumn<unknown, unknown> {
    const field = this.dataType.fields.find((candidate) => candidate.name === name);
    if (field !== undefined) return new StructColumn(this.bytes, this.itemSize, field.offset, field.dataType);
    throw new InvalidArgumentError(`expected one of the fields ${this.fieldNames.join(", ")}, got ${name}`);
  }
}

/** One field of every struct of a buffer. */
export class StructColumn<Scalar, Data> extends ArrayView<Scalar> {
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
  /** A copy of the column as the field's own kind of array: a Float32Array for a float32 field. */
  toData(): Data {
    const { itemSize } = this.dataType;
    const copy = new Uint8Array(this.length * itemSize);
    const source = this.bytes.subarray(this.#offset);
    // The widest words that fields and elements consist of: three times as fast as bytes, in the usual case.
    const sizes = source.byteOffset | this.itemSize | itemSize;
    const unit = sizes % 4 === 0 ? 4 : sizes % 2 === 0 ? 2 : 1;
    const [from, to] = [wordsOf(source, unit), wordsOf(copy, unit)];
    const [width, step] = [itemSize / unit, this.itemSize / unit];
    for (let word = 0; word < width; word++) {
      for (let target = word, at = word; target < to.length; target += width, at += step) {
        to[target] = from[at] ?? 0;
      }
    }
    return this.dataType.view(copy);
  }
}

/** Whole words of `unit` bytes over aligned memory. */
function wordsOf(
  { buffer, byteOffset, length }: Uint8Array,
  unit: 1 | 2 | 4,
): Uint8Array | Uint16Array | Uint32Array {
  if (unit === 1) return new Uint8Array(buffer, byteOffset, length);
  return unit === 2
    ? new Uint16Array(buffer, byteOffset, Math.floor(length / 2))
    : new Uint32Array(buffer, byteOffset, Math.floor(length / 4));
}
