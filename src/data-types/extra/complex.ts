/**
 * Complex numbers: complex64 and complex128 of the core (also named complex_float32, complex_float64), and
 * complex_* of the smaller floats of zarr-extensions. In memory the real part is before the imaginary part.
 */
import { describe, InvalidArgumentError, InvalidMetadataError } from "../../base/errors.js";
import { ArrayView } from "../array-view.js";
import type { DataType, Endian } from "../data-type.js";
import { namedV2Type } from "../family.js";
import type { FloatScalar } from "../float.js";
import type { SmallFloatArray } from "../small-float.js";
import { bytesOfView, orderCharacter } from "../typed-array.js";

/** A complex number. */
export interface Complex {
  /** The real part. */
  readonly re: number;
  /** The imaginary part. */
  readonly im: number;
}

/** A complex number whose parts may be NaNs with a payload. */
export interface ComplexScalar {
  readonly re: FloatScalar;
  readonly im: FloatScalar;
}

/** An array of the parts: re, im, re, im, ... */
export type ComplexParts = Float32Array | Float64Array | SmallFloatArray;
type PartType = DataType<FloatScalar, ComplexParts>;

function getPart(parts: ComplexParts, index: number): number {
  return parts instanceof ArrayView ? parts.get(index) : (parts[index] ?? Number.NaN);
}

function castToComplex(partType: PartType, name: string, value: unknown): ComplexScalar {
  if (typeof value === "number" || typeof value === "bigint") {
    return { re: partType.cast(value), im: partType.cast(0) };
  }
  if (Array.isArray(value) && value.length === 2) {
    return { re: partType.cast(value[0]), im: partType.cast(value[1]) };
  }
  if (typeof value === "object" && value !== null && "re" in value && "im" in value) {
    return { re: partType.cast(value.re), im: partType.cast(value.im) };
  }
  throw new InvalidArgumentError(
    `expected { re, im }, [re, im] or a number as ${name}, got ${describe(value)}`,
  );
}

function writeParts(partType: PartType, { re, im }: ComplexScalar, target: Uint8Array): void {
  const { itemSize } = partType;
  partType.writeScalar(re, target.subarray(0, itemSize));
  partType.writeScalar(im, target.subarray(itemSize, 2 * itemSize));
}

/** Complex numbers over a buffer. */
export class ComplexArray extends ArrayView<Complex> {
  /** Real and imaginary parts in turn (re, im, re, im, ...), over the same memory. */
  readonly parts: ComplexParts;
  readonly #partType: PartType;

  /** @param partType the data type of a part */
  constructor(partType: PartType, bytes: Uint8Array) {
    super(bytes, 2 * partType.itemSize);
    this.parts = partType.view(bytes);
    this.#partType = partType;
  }

  get(index: number): Complex {
    const first = 2 * this.checked(index);
    return { re: getPart(this.parts, first), im: getPart(this.parts, first + 1) };
  }
  /**
   * @throws InvalidArgumentError for a value that is not a complex number, and for a part that its data type
   * cannot hold
   */
  set(index: number, value: Complex): void {
    writeParts(this.#partType, castToComplex(this.#partType, "complex", value), this.element(index));
  }
  subarray(begin?: number, end?: number): ComplexArray {
    return new ComplexArray(this.#partType, this.range(begin, end));
  }
  /** The real parts, over the same memory. */
  get re(): ComplexPartArray {
    return new ComplexPartArray(this.#partType, this.bytes, 0);
  }
  /** The imaginary parts, over the same memory. */
  get im(): ComplexPartArray {
    return new ComplexPartArray(this.#partType, this.bytes, 1);
  }
  /** Name of the data type of a part. */
  get partName(): string {
    return this.#partType.name;
  }
}

/** The real or the imaginary parts of the complex numbers of a buffer. */
export class ComplexPartArray extends ArrayView<number> {
  readonly #partType: PartType;
  readonly #parts: ComplexParts;
  readonly #which: 0 | 1;

  /** @param which 0 for the real parts, 1 for the imaginary ones */
  constructor(partType: PartType, bytes: Uint8Array, which: 0 | 1) {
    super(bytes, 2 * partType.itemSize);
    this.#partType = partType;
    this.#parts = partType.view(bytes);
    this.#which = which;
  }

  get(index: number): number {
    return getPart(this.#parts, 2 * this.checked(index) + this.#which);
  }
  /** @throws InvalidArgumentError for a value that the data type of a part cannot hold */
  set(index: number, value: number): void {
    const { itemSize } = this.#partType;
    const part = this.element(index).subarray(this.#which * itemSize, (this.#which + 1) * itemSize);
    this.#partType.writeScalar(this.#partType.cast(value), part);
  }
  subarray(begin?: number, end?: number): ComplexPartArray {
    return new ComplexPartArray(this.#partType, this.range(begin, end), this.#which);
  }
}

/**
 * @param name canonical v3 name
 * @param code v2 type code; if undefined, the v2 form is the name
 */
export function complexType(
  name: string,
  partType: PartType,
  code?: string,
): DataType<ComplexScalar, ComplexArray> {
  const { itemSize, swapUnit, needsEndian } = partType;
  const expected = `expected [real, imaginary] as ${name}`;
  return {
    name,
    itemSize: 2 * itemSize,
    swapUnit,
    needsEndian,
    toV3: () => name,
    toV2:
      code === undefined
        ? namedV2Type(name, needsEndian)
        : (endian: Endian) => `${orderCharacter[endian]}${code}`,
    defaultScalar: { re: partType.defaultScalar, im: partType.defaultScalar },
    scalarFromJson(json, zarrFormat) {
      // v2 writers use 0 as the fill value of every data type.
      const parts = zarrFormat === 2 && json === 0 ? [0, 0] : json;
      if (!Array.isArray(parts) || parts.length !== 2) {
        throw new InvalidMetadataError(`${expected}, got ${describe(json)}`);
      }
      return {
        re: partType.scalarFromJson(parts[0], zarrFormat),
        im: partType.scalarFromJson(parts[1], zarrFormat),
      };
    },
    scalarToJson: ({ re, im }, zarrFormat) => [
      partType.scalarToJson(re, zarrFormat),
      partType.scalarToJson(im, zarrFormat),
    ],
    cast: (value) => castToComplex(partType, name, value),
    writeScalar: (scalar, target) => writeParts(partType, scalar, target),
    readScalar: (source, exact) => ({
      re: partType.readScalar(source.subarray(0, itemSize), exact),
      im: partType.readScalar(source.subarray(itemSize, 2 * itemSize), exact),
    }),
    view: (bytes) => new ComplexArray(partType, bytes),
    bytesOf: (data) =>
      data instanceof ComplexArray && data.partName === partType.name ? bytesOfView(data) : undefined,
  };
}
