/**
 * `zarrs.optional` (experimental): elements of another type that may be missing.
 * https://docs.rs/zarrs/latest/zarrs/array/data_type/struct.OptionalDataType.html Scalars, and elements of
 * variable length, are null or the inner type's scalar. If the inner type is optional too, a present value is
 * wrapped in a list, as in fill values: null, [null], [5].
 *
 * In memory an element of fixed size is a byte (1: present, 0: missing), then the inner element, or zeros if
 * it is missing. `{"name": "zarrs.optional", "configuration": {"name": "float32", "configuration": {}}}`
 */
import { at } from "../../base/at.js";
import { describe, InvalidArgumentError, InvalidMetadataError, UnsupportedError } from "../../base/errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import { ArrayView } from "../array-view.js";
import { type BoolArray, bool } from "../bool.js";
import { type DataType, type Endian, swapRunsOf } from "../data-type.js";
import { checkMembers, type DataTypeFamily, namedConfiguration } from "../family.js";
import { bytesOfView } from "../typed-array.js";
import { isSameDataType, StructColumn } from "./struct.js";
import { mergeRuns } from "./subarray.js";

const NAME = "zarrs.optional";

/** The data type of an OptionalArray, or of elements of variable length that may be missing. */
export interface OptionalDataType extends DataType {
  /** The data type of present elements. */
  readonly inner: DataType;
}

export function isOptional(dataType: DataType): dataType is OptionalDataType {
  return "inner" in dataType;
}

/**
 * Elements that may be missing, over a buffer.
 * @typeParam Scalar result of `get`: null, or the inner type's scalar
 * @typeParam Data result of `column().toData()`
 */
export class OptionalArray<Scalar = unknown, Data = unknown> extends ArrayView<Scalar> {
  /** The data type of the elements. */
  readonly dataType: OptionalDataType;

  constructor(bytes: Uint8Array, dataType: OptionalDataType) {
    super(bytes, dataType.itemSize);
    this.dataType = dataType;
  }

  get(index: number): Scalar;
  get(index: number): unknown {
    return this.dataType.readScalar(this.element(index));
  }
  /** @throws InvalidArgumentError for values other than null that do not fit the inner type */
  set(index: number, value: Scalar): void {
    this.dataType.writeScalar(this.dataType.cast(value), this.element(index));
  }
  subarray(begin?: number, end?: number): OptionalArray<Scalar, Data> {
    return new OptionalArray(this.range(begin, end), this.dataType);
  }
  /** Whether an element is present. */
  isValid(index: number): boolean {
    return this.element(index)[0] !== 0;
  }
  /** The presence of each element as a boolean, over the same memory; `toData()` is a copy. */
  mask(): StructColumn<boolean, BoolArray> {
    return new StructColumn(this.bytes, this.itemSize, 0, bool);
  }
  /**
   * The inner elements, zeros for missing ones, over the same memory; `toData()` is a copy in the array class
   * of the inner type.
   */
  column(): StructColumn<unknown, Data>;
  column(): StructColumn<unknown, unknown> {
    return new StructColumn(this.bytes, this.itemSize, 1, this.dataType.inner);
  }
}

/** @throws UnsupportedError for an optional type of an optional type of variable length */
function optionalType(inner: DataType): OptionalDataType {
  const isVariable = inner.itemSize === 0;
  if (isVariable && isOptional(inner)) {
    throw new UnsupportedError(
      `expected a data type that is optional once, got ${NAME} of ${NAME} of ${inner.inner.name}`,
    );
  }
  const itemSize = isVariable ? 0 : 1 + inner.itemSize;
  const runs = mergeRuns([
    [0, 1, 1],
    ...swapRunsOf(inner).map(([offset, unit, count]) => [offset + 1, unit, count] as const),
  ]);
  const only = runs.length === 1 || isVariable;
  const dataType: OptionalDataType = {
    inner,
    name: NAME,
    itemSize,
    swapUnit: 1,
    ...(only ? {} : { swapRuns: runs }),
    needsEndian: false,
    ...(isVariable ? { variable: "object" } : {}),
    serializer: (endian) => ({
      name: NAME,
      configuration: {
        mask_codecs: [{ name: "packbits", configuration: {} }],
        data_codecs: [innerSerializer(inner, endian)],
      },
    }),
    toV3() {
      const { name, configuration } = namedConfiguration(inner.toV3()) ?? {
        name: inner.name,
        configuration: {},
      };
      return { name: NAME, configuration: { name, configuration } };
    },
    toV2() {
      throw new UnsupportedError(`Zarr v2 has no data type ${NAME}`);
    },
    defaultScalar: null,
    scalarFromJson(json, zarrFormat, endian) {
      if (json === null) return null;
      if (isJsonArray(json) && json.length === 1) {
        return wrapped(inner, inner.scalarFromJson(at(json, 0), zarrFormat, endian));
      }
      throw new InvalidMetadataError(
        `expected null or a list of one value as ${NAME}, got ${describe(json)}`,
      );
    },
    scalarToJson(scalar, zarrFormat, endian) {
      if (scalar === null || scalar === undefined) return null;
      return [inner.scalarToJson(unwrapped(inner, scalar), zarrFormat, endian)];
    },
    cast(value) {
      if (value === null) return null;
      return wrapped(inner, inner.cast(unwrapped(inner, value)));
    },
    writeScalar(scalar, target) {
      target.fill(0);
      if (scalar === null || scalar === undefined) return;
      target[0] = 1;
      inner.writeScalar(unwrapped(inner, scalar), target.subarray(1));
    },
    readScalar: (source, exact) =>
      source[0] === 0 ? null : wrapped(inner, inner.readScalar(source.subarray(1), exact)),
    view(bytes) {
      if (isVariable)
        throw new UnsupportedError(`expected a data type of fixed size, got ${NAME} of ${inner.name}`);
      return new OptionalArray(bytes, dataType);
    },
    bytesOf: (data) =>
      data instanceof OptionalArray && isSameDataType(data.dataType, dataType)
        ? bytesOfView(data)
        : undefined,
  };
  return dataType;
}

/**
 * A present value, if the inner type is optional too: in a list, to tell it from a missing one.
 * @param inner the type of the value
 */
function wrapped(inner: DataType, value: unknown): unknown {
  return isOptional(inner) ? [value] : value;
}

/** @throws InvalidArgumentError for values that must be wrapped and are not */
function unwrapped(inner: DataType, value: unknown): unknown {
  if (!isOptional(inner)) return value;
  if (Array.isArray(value) && value.length === 1) return value[0];
  throw new InvalidArgumentError(
    `expected null or a list of one value as ${NAME} of ${NAME}, got ${describe(value)}`,
  );
}

function innerSerializer(inner: DataType, endian: Endian): JsonObject {
  if (inner.serializer !== undefined) return inner.serializer(endian);
  if (inner.objectCodec !== undefined) return { name: inner.objectCodec, configuration: {} };
  const needsEndian = inner.needsEndian || inner.variable !== undefined;
  return { name: "bytes", configuration: needsEndian ? { endian } : {} };
}

export const optionalFamily: DataTypeFamily = {
  name: NAME,
  fromV3(json: Json, resolve) {
    const named = namedConfiguration(json);
    if (named?.name !== NAME) return undefined;
    const { name, configuration = {} } = named.configuration;
    checkMembers({ ...named, configuration: { ...named.configuration, configuration } }, [
      "name",
      "configuration",
    ]);
    if (typeof name === "string" && isJsonObject(configuration)) {
      const isPlain = Object.keys(configuration).length === 0;
      return optionalType(resolve(isPlain ? name : { name, configuration }));
    }
    throw new InvalidMetadataError(
      `expected the name and configuration of a data type in ${NAME}, got ${describe(named.configuration)}`,
      { member: "data_type.configuration" },
    );
  },
  fromV2: () => undefined,
};
