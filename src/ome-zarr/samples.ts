/** Typed arrays of which images are made. */

export type NumberData =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
export type BigIntData = BigInt64Array | BigUint64Array;
/** Elements that can be down-sampled. */
export type Samples = NumberData | BigIntData;

export function isSamples(data: unknown): data is Samples {
  return (
    data instanceof Int8Array ||
    data instanceof Uint8Array ||
    data instanceof Uint8ClampedArray ||
    data instanceof Int16Array ||
    data instanceof Uint16Array ||
    data instanceof Int32Array ||
    data instanceof Uint32Array ||
    data instanceof Float32Array ||
    data instanceof Float64Array ||
    data instanceof BigInt64Array ||
    data instanceof BigUint64Array
  );
}

/** Zeros of the same type. */
export function emptyLike(data: Samples, length: number): Samples {
  if (data instanceof BigInt64Array) return new BigInt64Array(length);
  if (data instanceof BigUint64Array) return new BigUint64Array(length);
  if (data instanceof Int8Array) return new Int8Array(length);
  if (data instanceof Uint8Array) return new Uint8Array(length);
  if (data instanceof Uint8ClampedArray) return new Uint8ClampedArray(length);
  if (data instanceof Int16Array) return new Int16Array(length);
  if (data instanceof Uint16Array) return new Uint16Array(length);
  if (data instanceof Int32Array) return new Int32Array(length);
  if (data instanceof Uint32Array) return new Uint32Array(length);
  if (data instanceof Float32Array) return new Float32Array(length);
  return new Float64Array(length);
}
